-- Posts a list of transfers as one transaction, in one round trip: ledger_write, for those who may. Fails, besides its faults, with
--   insufficient_privilege   the process's database user may not book this (ledger_may_post)
CREATE OR REPLACE FUNCTION ledger_post(p_reason text, p_source_type text, p_source_id text, p_reference text, p_actor text, p_transfers jsonb, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	IF session_user::text LIKE 'wallet\_%' AND session_user <> current_user AND ledger_may_post(session_user::text, p_reason, p_source_id, p_reference, p_transfers) IS NOT TRUE THEN
		RAISE EXCEPTION '% may not book %: %', session_user, p_reason, p_transfers USING ERRCODE = 'insufficient_privilege';
	END IF;
	RETURN ledger_write(p_reason, p_source_type, p_source_id, p_reference, p_actor, p_transfers, p_at);
END $$;
