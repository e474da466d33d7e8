-- The part of ledger_write for all bookings but those of one transfer between two accounts. It also refuses an empty list, and amounts that are no
-- numbers. Only ledger_write calls it; the settings of ledger_write hold here.
CREATE OR REPLACE FUNCTION ledger_write_several(p_reason text, p_source_type text, p_source_id text, p_reference text, p_actor text, p_transfers jsonb, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_fund constant text := 'staking_rewards';
	c_too_much constant numeric := 1e78;
	c_sides constant text[] := '{source,destination}';
	v_slot constant smallint := pg_backend_pid() % 16;
	-- Of each transfer; v_from and v_to are places in the arrays of accounts.
	v_from integer[] := '{}';
	v_to integer[] := '{}';
	v_amounts numeric[] := '{}';
	-- Of each account: its owner, currency and kind, these as one text, what all transfers together change, its id, and its balance.
	v_owners uuid[] := '{}';
	v_currencies text[] := '{}';
	v_kinds text[] := '{}';
	v_keys text[] := '{}';
	v_changes numeric[] := '{}';
	v_ids bigint[];
	v_balances numeric[];
	-- Whether it may not go below zero.
	v_limited boolean[];
	v_order integer[];
	v_places integer[];
	v_transfer jsonb;
	v_amount numeric(78,0);
	v_owner uuid;
	v_currency text;
	v_kind text;
	v_key text;
	v_account_slot smallint;
	v_change numeric;
	v_is_limited boolean;
	v_id bigint;
	v_after numeric;
	v_is_below boolean;
	v_is_short boolean := false;
	v_transaction bigint;
	a integer;
	b integer;
BEGIN
	IF (jsonb_array_length(p_transfers) > 0) IS NOT TRUE THEN
		RAISE EXCEPTION 'a booking has no transfer' USING ERRCODE = 'data_exception';
	END IF;
	FOR n IN 0 .. jsonb_array_length(p_transfers) - 1 LOOP
		v_transfer := p_transfers -> n;
		v_amount := v_transfer ->> 'amount';
		-- A NaN is larger than every number: it would pass every check of a balance, and make money.
		IF v_amount IS NULL OR v_amount = 'NaN' THEN
			RAISE EXCEPTION 'an amount is no number: %', p_transfers USING ERRCODE = 'check_violation', CONSTRAINT = 'postings_amount_positive';
		END IF;
		v_currency := v_transfer ->> 'currency';
		FOR side IN 1 .. 2 LOOP
			v_owner := v_transfer ->> c_sides[side];
			v_kind := v_transfer ->> (c_sides[side] || 'Kind');
			v_key := v_owner || ' ' || quote_literal(v_currency) || ' ' || quote_literal(v_kind);
			a := array_position(v_keys, v_key);
			IF a IS NULL THEN
				v_keys := v_keys || v_key;
				v_owners := v_owners || v_owner;
				v_currencies := v_currencies || v_currency;
				v_kinds := v_kinds || v_kind;
				v_changes := v_changes || 0::numeric;
				a := cardinality(v_keys);
			END IF;
			v_changes[a] := v_changes[a] + CASE side WHEN 1 THEN -v_amount ELSE v_amount END;
			v_places[side] := a;
		END LOOP;
		v_from := v_from || v_places[1];
		v_to := v_to || v_places[2];
		v_amounts := v_amounts || v_amount;
	END LOOP;

	-- Most bookings have two accounts. A comparison costs less than a statement.
	IF cardinality(v_keys) = 2 THEN
		v_order := CASE WHEN (v_owners[1], v_currencies[1], v_kinds[1]) < (v_owners[2], v_currencies[2], v_kinds[2]) THEN '{1,2}' ELSE '{2,1}' END;
	ELSE
		v_order := ARRAY(
			SELECT x.n FROM unnest(v_owners, v_currencies, v_kinds) WITH ORDINALITY AS x(owner, currency, kind, n) ORDER BY x.owner, x.currency, x.kind
		);
	END IF;
	FOREACH a IN ARRAY v_order LOOP
		v_owner := v_owners[a];
		v_currency := v_currencies[a];
		v_kind := v_kinds[a];
		v_change := v_changes[a];
		v_is_limited := v_owner <> c_house OR v_kind = c_fund;
		v_account_slot := CASE WHEN v_is_limited THEN 0 ELSE v_slot END;
		UPDATE accounts c SET balance = c.balance + v_change
		WHERE c.owner_id = v_owner AND c.currency = v_currency AND c.kind = v_kind AND c.slot = v_account_slot
		AND (c.balance + v_change >= 0 OR NOT v_is_limited) AND abs(c.balance + v_change) < c_too_much
		RETURNING c.id, c.balance INTO v_id, v_after;
		IF NOT FOUND THEN
			SELECT w.id, w.balance, v_is_short OR w.is_short INTO v_id, v_after, v_is_short
			FROM ledger_change_waiting(v_owner, v_currency, v_kind, v_account_slot, v_change) w;
		END IF;
		v_ids[a] := v_id;
		v_balances[a] := v_after - v_change;
		v_limited[a] := v_is_limited;
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
		IF v_is_below OR v_limited[b] AND v_balances[b] < 0 OR greatest(abs(v_balances[a]), abs(v_balances[b])) >= c_too_much THEN
			v_is_short := true;
			EXIT;
		END IF;
		INSERT INTO postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
		VALUES (v_transaction, v_ids[a], v_ids[b], v_currencies[a], v_amounts[n], v_balances[a], v_balances[b]);
	END LOOP;
	IF v_is_short THEN
		RAISE EXCEPTION 'an account would go below zero, or have more than it can hold' USING ERRCODE = 'check_violation', CONSTRAINT = 'accounts_balance_not_negative';
	END IF;
	RETURN v_transaction;
END $$;
