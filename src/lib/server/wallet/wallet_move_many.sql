-- wallet_move for many requests at once, a row a request, in any order: its balance, or `refused` as wallet_move says it, or with
-- account_locked where another transaction has the customer's account or the key: that one is to be moved alone. Two requests of one
-- customer do not belong in one call: the first would be answered with the balance after the second.
CREATE OR REPLACE FUNCTION wallet_move_many(p_actors text[], p_keys text[], p_hashes text[], p_owners uuid[], p_from text[], p_to text[], p_currencies text[], p_amounts numeric[], p_source_ids text[], p_answers jsonb[], p_at timestamptz)
RETURNS TABLE (request integer, balance jsonb, refused text) LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	v_due integer[] := '{}';
	v_booked integer[] := '{}';
	v_balances jsonb[] := '{}';
	r record;
BEGIN
	FOR r IN SELECT l.request AS n, l.state, l.answer FROM idempotency_look(p_actors, p_keys, p_hashes) l LOOP
		IF r.state = 'new' THEN
			v_due := v_due || r.n;
		ELSE
			request := r.n;
			balance := r.answer;
			refused := CASE WHEN r.state = 'busy' THEN 'account_locked' END;
			RETURN NEXT;
		END IF;
	END LOOP;
	IF cardinality(v_due) = 0 THEN
		RETURN;
	END IF;
	FOR r IN
		SELECT b.booking, b.refused AS why
		FROM (
			SELECT array_agg('moved_between_accounts'::text) AS reasons, array_agg('move'::text) AS types, array_agg(p_source_ids[d.i] ORDER BY d.n) AS ids,
				array_agg('move:' || p_source_ids[d.i] ORDER BY d.n) AS refs, array_agg(p_actors[d.i] ORDER BY d.n) AS actors, array_agg(p_at) AS ats,
				array_agg(d.n::integer ORDER BY d.n) AS bookings, array_agg(p_owners[d.i] ORDER BY d.n) AS owners, array_agg(p_from[d.i] ORDER BY d.n) AS froms,
				array_agg(p_to[d.i] ORDER BY d.n) AS tos, array_agg(p_currencies[d.i] ORDER BY d.n) AS currencies, array_agg(p_amounts[d.i] ORDER BY d.n) AS amounts
			FROM unnest(v_due) WITH ORDINALITY AS d(i, n)
		) a
		CROSS JOIN LATERAL ledger_post_many(a.reasons, a.types, a.ids, a.refs, a.actors, a.ats, a.bookings, a.owners, a.froms, a.owners, a.tos, a.currencies, a.amounts) b
	LOOP
		request := v_due[r.booking];
		balance := NULL;
		refused := r.why;
		IF r.why IS NULL THEN
			balance := wallet_balance(p_answers[request], p_owners[request], p_currencies[request]);
			v_booked := v_booked || request;
			v_balances := v_balances || balance;
		END IF;
		RETURN NEXT;
	END LOOP;
	IF cardinality(v_booked) > 0 THEN
		PERFORM idempotency_keep_many(array_agg(p_actors[d.i] ORDER BY d.n), array_agg(p_keys[d.i] ORDER BY d.n), array_agg(p_hashes[d.i] ORDER BY d.n), v_balances, p_at)
		FROM unnest(v_booked) WITH ORDINALITY AS d(i, n);
	END IF;
END $$;
