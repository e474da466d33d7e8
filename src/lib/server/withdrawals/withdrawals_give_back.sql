-- Gives a withdrawal that was cancelled, rejected or could not be paid back to where its parts came from, once, in one booking. Fails with
--   no_data_found      it is not over, or was paid
--   unique_violation   it was given back before
-- As the owner of the tables: web may not book this itself, or it could give back what is being paid.
CREATE OR REPLACE FUNCTION withdrawals_give_back(p_id uuid, p_actor text, p_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	v_row withdrawals;
BEGIN
	-- Web cancels what is not signed, the desk rejects it; only the worker learns from the chain that a signed one cannot be paid.
	SELECT * INTO v_row FROM withdrawals w WHERE w.id = p_id
		AND (w.state = 'cancelled' OR (w.state = 'rejected' AND session_user <> 'wallet_web')
			OR (w.state = 'given_back' AND session_user NOT IN ('wallet_web', 'wallet_desk'))) FOR UPDATE;
	-- A row alone took nothing: its parts must have been booked to outgoing under its own name.
	IF v_row.id IS NOT NULL AND (
		SELECT coalesce(sum(l.amount), 0) <> v_row.amount FROM ledger_lines l
		WHERE l.source_type = 'withdrawal' AND l.source_id = p_id::text AND l.reason = 'withdrawal_requested'
			AND l.from_owner = v_row.user_id AND l.to_owner = v_row.user_id AND l.to_kind = 'outgoing' AND l.currency = v_row.currency
	) THEN
		RAISE EXCEPTION 'withdrawal % took no such amount', p_id USING ERRCODE = 'no_data_found';
	END IF;
	IF v_row.id IS NULL THEN
		RAISE EXCEPTION 'withdrawal % is not given back: it is not over, or was paid', p_id USING ERRCODE = 'no_data_found';
	END IF;
	PERFORM ledger_write('withdrawal_returned', 'withdrawal', p_id::text, 'withdrawal:' || p_id || ':back', p_actor, (
		SELECT jsonb_agg(jsonb_build_object('source', v_row.user_id, 'sourceKind', 'outgoing', 'destination', v_row.user_id,
			'destinationKind', part.kind, 'currency', v_row.currency, 'amount', part.units::text) ORDER BY part.place)
		FROM (VALUES (1, 'spot', v_row.from_spot), (2, 'funding', v_row.from_funding)) AS part(place, kind, units)
		WHERE part.units > 0
	), p_at);
END $$;
