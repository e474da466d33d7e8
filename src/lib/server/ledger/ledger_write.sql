-- Posts a list of transfers as one transaction, whoever asks: only functions of the owner may call it, which have checked what they book.
--
-- p_transfers: [{"source": owner, "sourceKind": kind, "destination": owner, "destinationKind": kind,
--                "currency": code, "amount": whole number as text}, …], booked in their order.
-- Returns the id of the transaction. Fails, leaving nothing behind, with
--   unique_violation on ledger_transactions_reference      the reference was booked before
--   check_violation on accounts_balance_not_negative       a customer's account, or the fund of staking rewards, would go below zero
--   check_violation on postings_amount_positive, postings_two_accounts
-- As the owner of the tables: nobody else may write them.
-- A house account has up to 16 rows, of which each connection uses one, so that concurrent bookings wait for one another only if they
-- touch the same customer. Its balance is the sum of its rows. The fund of staking rewards has a single row, so that a constraint can keep
-- it from going below zero.
-- Its statements are planned once and read by index: a plan that was made while a table was small would read all of it until the statistics
-- are renewed.
CREATE OR REPLACE FUNCTION ledger_write(p_reason text, p_source_type text, p_source_id text, p_reference text, p_actor text, p_transfers jsonb, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET ledger.posting = 'on' SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_fund constant text := 'staking_rewards';
	v_slot constant smallint := pg_backend_pid() % 16;
	-- Of each transfer; v_from and v_to are places in the arrays of accounts.
	v_from integer[];
	v_to integer[];
	v_currencies text[];
	v_amounts numeric[];
	-- Of each account: its id, what all transfers together change, its balance, and whether it may not go below zero.
	v_ids bigint[];
	v_changes numeric[];
	v_balances numeric[];
	v_limited boolean[];
	v_source bigint;
	v_destination bigint;
	v_amount numeric(78,0);
	v_before numeric;
	v_is_limited boolean;
	v_is_below boolean;
	v_are_open boolean;
	v_have_opened boolean := false;
	v_is_short boolean := false;
	v_transaction bigint;
	a integer;
	b integer;
	t record;
BEGIN
	LOOP
		v_from := '{}';
		v_to := '{}';
		v_currencies := '{}';
		v_amounts := '{}';
		v_ids := '{}';
		v_changes := '{}';
		v_are_open := true;
		FOR t IN
			SELECT * FROM jsonb_to_recordset(p_transfers)
			AS x(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text, amount numeric)
		LOOP
			-- A NaN is larger than every number: it would pass every check of a balance, and make money.
			IF t.amount IS NULL OR t.amount = 'NaN' THEN
				RAISE EXCEPTION 'an amount is no number: %', p_transfers USING ERRCODE = 'check_violation', CONSTRAINT = 'postings_amount_positive';
			END IF;
			v_amount := t.amount;
			SELECT s.id INTO v_source FROM accounts s
			WHERE s.owner_id = t.source AND s.currency = t.currency AND s.kind = t."sourceKind"
			AND s.slot = CASE WHEN t.source = c_house AND t."sourceKind" <> c_fund THEN v_slot ELSE 0 END;
			SELECT d.id INTO v_destination FROM accounts d
			WHERE d.owner_id = t.destination AND d.currency = t.currency AND d.kind = t."destinationKind"
			AND d.slot = CASE WHEN t.destination = c_house AND t."destinationKind" <> c_fund THEN v_slot ELSE 0 END;
			v_are_open := v_source IS NOT NULL AND v_destination IS NOT NULL;
			EXIT WHEN NOT v_are_open;

			a := array_position(v_ids, v_source);
			IF a IS NULL THEN
				v_ids := v_ids || v_source;
				v_changes := v_changes || 0;
				a := cardinality(v_ids);
			END IF;
			b := array_position(v_ids, v_destination);
			IF b IS NULL THEN
				v_ids := v_ids || v_destination;
				v_changes := v_changes || 0;
				b := cardinality(v_ids);
			END IF;
			v_changes[a] := v_changes[a] - v_amount;
			v_changes[b] := v_changes[b] + v_amount;
			v_from := v_from || a;
			v_to := v_to || b;
			v_currencies := v_currencies || t.currency;
			v_amounts := v_amounts || v_amount;
		END LOOP;
		EXIT WHEN v_are_open;
		IF v_have_opened THEN
			RAISE EXCEPTION 'an account could not be opened: %', p_transfers;
		END IF;
		v_have_opened := true;
		-- Accounts open themselves on first use, in one order, so that two callers can't wait for each other.
		INSERT INTO accounts (owner_id, currency, kind, slot)
		SELECT DISTINCT s.owner_id, s.currency, s.kind, CASE WHEN s.owner_id = c_house AND s.kind <> c_fund THEN v_slot ELSE 0 END
		FROM jsonb_to_recordset(p_transfers) AS x(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text)
		CROSS JOIN LATERAL (VALUES (x.source, x.currency, x."sourceKind"), (x.destination, x.currency, x."destinationKind")) AS s(owner_id, currency, kind)
		WHERE NOT EXISTS (
			SELECT FROM accounts o
			WHERE o.owner_id = s.owner_id AND o.currency = s.currency AND o.kind = s.kind
			AND o.slot = CASE WHEN s.owner_id = c_house AND s.kind <> c_fund THEN v_slot ELSE 0 END
		)
		ORDER BY 1, 2, 3, 4
		ON CONFLICT DO NOTHING;
	END LOOP;

	-- Changed, and so locked, in id order, for the same reason.
	FOR t IN SELECT x.id, x.change, x.place FROM unnest(v_ids, v_changes) WITH ORDINALITY AS x(id, change, place) ORDER BY x.id LOOP
		UPDATE accounts c SET balance = c.balance + t.change
		WHERE c.id = t.id AND (c.balance + t.change >= 0 OR c.owner_id = c_house AND c.kind <> c_fund)
		RETURNING c.balance - t.change, c.owner_id <> c_house OR c.kind = c_fund INTO v_before, v_is_limited;
		IF NOT FOUND THEN
			-- It was judged without waiting for a transaction that may just be crediting the account.
			SELECT c.balance, true INTO v_before, v_is_limited FROM accounts c WHERE c.id = t.id FOR UPDATE;
			IF v_before + t.change >= 0 THEN
				UPDATE accounts c SET balance = v_before + t.change WHERE c.id = t.id;
			ELSE
				v_is_short := true;
			END IF;
		END IF;
		v_balances[t.place] := v_before;
		v_limited[t.place] := v_is_limited;
	END LOOP;
	-- Written before a balance that is short is refused: who repeats a booking hears that it was made, not that the money is missing.
	INSERT INTO ledger_transactions (reason, source_type, source_id, reference, actor, created_at)
	VALUES (p_reason, p_source_type, p_source_id, p_reference, p_actor, p_at)
	RETURNING id INTO v_transaction;
	FOR n IN 1 .. cardinality(v_amounts) LOOP
		a := v_from[n];
		b := v_to[n];
		v_balances[a] := v_balances[a] - v_amounts[n];
		v_is_below := v_limited[a] AND v_balances[a] < 0;
		v_balances[b] := v_balances[b] + v_amounts[n];
		IF v_is_below OR v_limited[b] AND v_balances[b] < 0 THEN
			v_is_short := true;
			EXIT;
		END IF;
		INSERT INTO postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
		VALUES (v_transaction, v_ids[a], v_ids[b], v_currencies[n], v_amounts[n], v_balances[a], v_balances[b]);
	END LOOP;
	IF v_is_short THEN
		RAISE EXCEPTION 'an account would go below zero' USING ERRCODE = 'check_violation', CONSTRAINT = 'accounts_balance_not_negative';
	END IF;
	RETURN v_transaction;
END $$;
