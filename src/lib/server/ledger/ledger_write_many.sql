-- Posts many bookings in one pass, each as its own transaction of the books, as ledger_write posts one. A booking that is refused leaves the others
-- alone. Asks nobody whether they may: only functions of the owner call it, which have checked what they book.
--
-- One element a booking: p_reasons to p_at, and p_refused, which says why the caller refuses it, or null. One element a transfer, in the order of
-- the bookings: p_bookings (the number of its booking, from 1) to p_amounts. Each array counts from 1, every booking has a transfer, and every
-- account an owner; the call fails (data_exception) otherwise.
-- Returns one row for each booking, with the id of its transaction or the reason why it was not booked:
--   ledger_transactions_reference, accounts_balance_not_negative, postings_amount_positive, postings_two_accounts    as ledger_write fails
--   what p_refused says
--   account_locked    another transaction has an account of it, or an earlier booking has its reference: it is to be booked alone
-- Fails as a whole, to be asked again, with serialization_failure where another transaction booked a reference at the same time.
--
-- All is judged before anything is written, but for accounts: one that a refused booking would have opened may stay, empty.
-- A booking with a customer's account that is locked is left out (account_locked), so that one customer holds up nobody. The call waits for accounts of
-- the house, and then for accounts of customers that another transaction is just opening. It waits in the order that ledger_write says, and before it locks
-- any account of a customer, so bookings do not wait in a circle. At its end it waits for a transaction that is just booking one of its references:
-- two calls with the same references in opposite order may wait in a circle, and one of them is tried again. ledger_lock_free says what holds for a
-- caller that has locked accounts before.
CREATE OR REPLACE FUNCTION ledger_write_many(p_reasons text[], p_source_types text[], p_source_ids text[], p_references text[], p_actors text[], p_at timestamptz[], p_bookings integer[], p_sources uuid[], p_source_kinds text[], p_destinations uuid[], p_destination_kinds text[], p_currencies text[], p_amounts numeric[], p_refused text[])
RETURNS TABLE (booking integer, transaction_id bigint, refused text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET ledger.posting = 'on' SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_fund constant text := 'staking_rewards';
	c_too_much constant numeric := 1e78;
	v_slot constant smallint := pg_backend_pid() % 16;
	v_bookings constant integer := cardinality(p_references);
	v_transfers constant integer := cardinality(p_bookings);
	v_refused text[] := p_refused;
	v_owners uuid[];
	v_currencies text[];
	v_kinds text[];
	v_slots integer[];
	v_ids bigint[];
	v_balances numeric[];
	v_limited boolean[];
	v_sources integer[];
	v_destinations integer[];
	v_source_balances numeric[] := array_fill(NULL::numeric, ARRAY[v_transfers]);
	v_destination_balances numeric[] := array_fill(NULL::numeric, ARRAY[v_transfers]);
	v_transactions bigint[];
	v_kept integer;
	v_booking integer := 0;
	v_first integer;
	v_amount numeric;
	v_from integer;
	v_to integer;
	v_why text;
	r record;
BEGIN
	IF v_bookings = 0 THEN
		RETURN;
	END IF;
	-- What is checked and what is booked must be the same: an array of two dimensions, or one that counts from 0, is read in two ways.
	IF EXISTS (
		SELECT FROM (VALUES
			(array_dims(p_reasons), v_bookings), (array_dims(p_source_types), v_bookings), (array_dims(p_source_ids), v_bookings),
			(array_dims(p_references), v_bookings), (array_dims(p_actors), v_bookings), (array_dims(p_at), v_bookings), (array_dims(p_refused), v_bookings),
			(array_dims(p_bookings), v_transfers), (array_dims(p_sources), v_transfers), (array_dims(p_source_kinds), v_transfers),
			(array_dims(p_destinations), v_transfers), (array_dims(p_destination_kinds), v_transfers), (array_dims(p_currencies), v_transfers),
			(array_dims(p_amounts), v_transfers)
		) AS d(dims, wanted) WHERE d.dims IS DISTINCT FROM '[1:' || d.wanted || ']'
	) OR array_position(p_sources, NULL) IS NOT NULL OR array_position(p_destinations, NULL) IS NOT NULL
		OR p_bookings[1] IS DISTINCT FROM 1 OR p_bookings[v_transfers] IS DISTINCT FROM v_bookings OR EXISTS (
		SELECT FROM generate_series(2, v_transfers) AS x(t) WHERE (p_bookings[x.t] - p_bookings[x.t - 1] IN (0, 1)) IS NOT TRUE
	) THEN
		RAISE EXCEPTION 'the arrays of bookings and transfers do not agree' USING ERRCODE = 'data_exception';
	END IF;
	-- What is refused whatever the balances are. LIMIT leaves nothing out: without it, all references of the books might be read for one call.
	FOR r IN
		SELECT x.n::integer AS n, row_number() OVER (PARTITION BY x.reference ORDER BY x.n) > 1 AS is_repeated, t.is_booked
		FROM unnest(p_references) WITH ORDINALITY AS x(reference, n)
		LEFT JOIN LATERAL (SELECT true AS is_booked FROM ledger_transactions b WHERE b.reference = x.reference LIMIT 1) t ON true
	LOOP
		v_refused[r.n] := coalesce(v_refused[r.n], CASE WHEN r.is_booked THEN 'ledger_transactions_reference' WHEN r.is_repeated THEN 'account_locked' END);
	END LOOP;

	-- The accounts are numbered, and each transfer gets the numbers of its two. Those of refused bookings alone are left out.
	WITH sides AS MATERIALIZED (
		SELECT x.t, s.side, s.owner_id, s.currency, s.kind, v_refused[x.n] IS NULL AS is_wanted,
			dense_rank() OVER (ORDER BY s.owner_id, s.currency, s.kind)::integer AS account
		FROM unnest(p_bookings, p_sources, p_source_kinds, p_destinations, p_destination_kinds, p_currencies)
			WITH ORDINALITY AS x(n, source, source_kind, destination, destination_kind, currency, t)
		CROSS JOIN LATERAL (VALUES (0, x.source, x.currency, x.source_kind), (1, x.destination, x.currency, x.destination_kind)) AS s(side, owner_id, currency, kind)
	)
	SELECT p.sources, p.destinations, d.owners, d.currencies, d.kinds, d.slots
	INTO v_sources, v_destinations, v_owners, v_currencies, v_kinds, v_slots
	FROM (
		SELECT array_agg(s.account ORDER BY s.t) FILTER (WHERE s.side = 0) AS sources, array_agg(s.account ORDER BY s.t) FILTER (WHERE s.side = 1) AS destinations
		FROM sides s
	) p
	CROSS JOIN (
		SELECT array_agg(CASE WHEN g.is_wanted THEN g.owner_id END ORDER BY g.account) AS owners, array_agg(g.currency ORDER BY g.account) AS currencies,
			array_agg(g.kind ORDER BY g.account) AS kinds,
			array_agg(CASE WHEN g.owner_id = c_house AND g.kind <> c_fund THEN v_slot ELSE 0 END ORDER BY g.account) AS slots
		FROM (SELECT s.account, s.owner_id, s.currency, s.kind, bool_or(s.is_wanted) AS is_wanted FROM sides s GROUP BY 1, 2, 3, 4) g
	) d;
	-- Accounts of the house come first in the order that ledger_write says.
	IF c_house = ANY (v_owners) THEN
		PERFORM ledger_lock_all((
			SELECT jsonb_agg(jsonb_build_object('owner', x.owner, 'currency', x.currency, 'kind', x.kind))
			FROM unnest(v_owners, v_currencies, v_kinds) AS x(owner, currency, kind) WHERE x.owner = c_house
		));
	END IF;
	INSERT INTO accounts (owner_id, currency, kind, slot)
	SELECT x.owner, x.currency, x.kind, x.slot
	FROM unnest(v_owners, v_currencies, v_kinds, v_slots) AS x(owner, currency, kind, slot)
	LEFT JOIN LATERAL (
		SELECT a.id FROM accounts a WHERE a.owner_id = x.owner AND a.currency = x.currency AND a.kind = x.kind AND a.slot = x.slot LIMIT 1
	) known ON true
	WHERE x.owner IS NOT NULL AND known.id IS NULL
	ORDER BY 1, 2, 3, 4
	ON CONFLICT DO NOTHING;
	-- One that another transaction has gets no id. Filled before, so that all of them count from 1.
	v_ids := array_fill(NULL::bigint, ARRAY[cardinality(v_owners)]);
	v_balances := array_fill(NULL::numeric, ARRAY[cardinality(v_owners)]);
	v_limited := array_fill(NULL::boolean, ARRAY[cardinality(v_owners)]);
	FOR r IN
		SELECT x.account, l.id, l.balance, x.owner <> c_house OR x.kind = c_fund AS is_limited
		FROM unnest(v_owners, v_currencies, v_kinds, v_slots) WITH ORDINALITY AS x(owner, currency, kind, slot, account)
		CROSS JOIN LATERAL (
			SELECT a.id, a.balance FROM accounts a
			WHERE a.owner_id = x.owner AND a.currency = x.currency AND a.kind = x.kind AND a.slot = x.slot
			FOR UPDATE SKIP LOCKED
		) l
	LOOP
		v_ids[r.account] := r.id;
		v_balances[r.account] := r.balance;
		v_limited[r.account] := r.is_limited;
	END LOOP;

	-- Each booking in its turn, with the balances that those before it leave. One that is refused gives back what it had moved.
	FOR t IN 1 .. v_transfers LOOP
		IF p_bookings[t] <> v_booking THEN
			v_booking := p_bookings[t];
			v_first := t;
		END IF;
		CONTINUE WHEN v_refused[v_booking] IS NOT NULL;
		v_from := v_sources[t];
		v_to := v_destinations[t];
		v_why := CASE
			-- A NaN is larger than every number, and infinity would overflow.
			WHEN p_amounts[t] IS NULL OR p_amounts[t] = 'NaN' OR abs(p_amounts[t]) >= c_too_much THEN 'postings_amount_positive'
			WHEN v_ids[v_from] IS NULL OR v_ids[v_to] IS NULL THEN 'account_locked'
		END;
		IF v_why IS NULL THEN
			v_amount := p_amounts[t]::numeric(78,0);
			v_balances[v_from] := v_balances[v_from] - v_amount;
			v_source_balances[t] := v_balances[v_from];
			v_balances[v_to] := v_balances[v_to] + v_amount;
			v_destination_balances[t] := v_balances[v_to];
			v_why := CASE
				WHEN v_limited[v_from] AND v_source_balances[t] < 0 OR v_limited[v_to] AND v_destination_balances[t] < 0
					OR greatest(abs(v_source_balances[t]), abs(v_destination_balances[t])) >= c_too_much THEN 'accounts_balance_not_negative'
				WHEN v_amount <= 0 THEN 'postings_amount_positive'
				WHEN v_from = v_to THEN 'postings_two_accounts'
			END;
			CONTINUE WHEN v_why IS NULL;
			v_balances[v_from] := v_balances[v_from] + v_amount;
			v_balances[v_to] := v_balances[v_to] - v_amount;
		END IF;
		v_refused[v_booking] := v_why;
		FOR u IN v_first .. t - 1 LOOP
			v_amount := p_amounts[u]::numeric(78,0);
			v_balances[v_sources[u]] := v_balances[v_sources[u]] + v_amount;
			v_balances[v_destinations[u]] := v_balances[v_destinations[u]] - v_amount;
		END LOOP;
	END LOOP;

	WITH made AS (
		INSERT INTO ledger_transactions (reason, source_type, source_id, reference, actor, created_at)
		SELECT x.reason, x.source_type, x.source_id, x.reference, x.actor, x.at
		FROM unnest(p_reasons, p_source_types, p_source_ids, p_references, p_actors, p_at) WITH ORDINALITY AS x(reason, source_type, source_id, reference, actor, at, n)
		WHERE v_refused[x.n] IS NULL ORDER BY x.n
		ON CONFLICT (reference) DO NOTHING RETURNING id, reference
	)
	SELECT array_agg(m.id ORDER BY x.n), count(m.id) INTO v_transactions, v_kept
	FROM unnest(p_references) WITH ORDINALITY AS x(reference, n)
	LEFT JOIN made m ON m.reference = x.reference AND v_refused[x.n] IS NULL;
	IF v_kept <> (SELECT count(*) FROM unnest(v_refused) AS x(why) WHERE x.why IS NULL) THEN
		RAISE EXCEPTION 'another transaction booked one of these references' USING ERRCODE = 'serialization_failure';
	END IF;
	IF v_kept > 0 THEN
		-- ANY, so that a plan that was made with few accounts does not read all of them.
		UPDATE accounts a SET balance = x.balance FROM unnest(v_ids, v_balances) AS x(id, balance)
		WHERE a.id = x.id AND a.id = ANY (v_ids) AND a.balance <> x.balance;
		INSERT INTO postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
		SELECT v_transactions[x.n], v_ids[x.source], v_ids[x.destination], x.currency, x.amount, x.source_balance, x.destination_balance
		FROM unnest(p_bookings, v_sources, v_destinations, p_currencies, p_amounts, v_source_balances, v_destination_balances)
			WITH ORDINALITY AS x(n, source, destination, currency, amount, source_balance, destination_balance, t)
		WHERE v_refused[x.n] IS NULL ORDER BY x.t;
	END IF;
	RETURN QUERY SELECT x.n::integer, v_transactions[x.n], x.why FROM unnest(v_refused) WITH ORDINALITY AS x(why, n);
END $$;
