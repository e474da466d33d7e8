-- Posts a list of transfers as one transaction, whoever asks: only functions of the owner may call it, which have checked what they book.
--
-- p_transfers: [{"source": owner, "sourceKind": kind, "destination": owner, "destinationKind": kind,
--                "currency": code, "amount": whole number as text}, …], booked in their order.
-- Returns the id of the transaction. Fails, leaving nothing behind, with
--   unique_violation on ledger_transactions_reference      the reference was booked before
--   check_violation on accounts_balance_not_negative       a customer's account, or the fund of staking rewards, would go below zero; or an
--                                                          account would have more than it can hold
--   check_violation on postings_amount_positive, postings_two_accounts
--   data_exception                                         there is no transfer
-- As the owner of the tables: nobody else may write them.
-- A house account has up to 16 rows, of which each connection uses one, so that bookings of different customers seldom wait for one another. Its
-- balance is the sum of its rows. The fund of staking rewards has a single row, so that a constraint can keep it from going below zero.
-- Accounts are locked, and opened if they do not exist yet, in the order of owner, currency and kind. All functions of the ledger that wait for
-- an account keep this order, so bookings do not wait in a circle. A transaction that has locked accounts before it books may have locked later
-- ones first: where it meets its opposite, PostgreSQL ends one of them with deadlock_detected, and the caller tries it again.
-- Its statements are planned once and read by index: a plan that was made while a table was small would read all of it until the statistics
-- are renewed.
-- Most bookings have one transfer between two accounts, so they are booked here, and ledger_write_several books the others. PL/pgSQL prepares each of its expressions
-- once a transaction, and an array is an allocation of its own: with the code for lists, a booking of one transfer took a fifth more time.
CREATE OR REPLACE FUNCTION ledger_write(p_reason text, p_source_type text, p_source_id text, p_reference text, p_actor text, p_transfers jsonb, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET ledger.posting = 'on' SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	v_amount numeric(78,0) := p_transfers #>> '{0,amount}';
	v_currency text := p_transfers #>> '{0,currency}';
	v_source uuid := p_transfers #>> '{0,source}';
	v_source_kind text := p_transfers #>> '{0,sourceKind}';
	v_destination uuid := p_transfers #>> '{0,destination}';
	v_destination_kind text := p_transfers #>> '{0,destinationKind}';
	v_source_id bigint;
	v_source_balance numeric;
	v_destination_id bigint;
	v_destination_balance numeric;
	v_is_source boolean;
	v_owner uuid;
	v_kind text;
	v_change numeric;
	-- Whether the account may not go below zero.
	v_is_limited boolean;
	v_slot smallint;
	v_id bigint;
	v_balance numeric;
	v_is_short boolean := false;
	v_transaction bigint;
BEGIN
	-- A NaN is larger than every number: it would pass every check of a balance, and make money.
	IF (jsonb_array_length(p_transfers) = 1 AND v_amount <> 'NaN' AND (v_source, v_source_kind) <> (v_destination, v_destination_kind)) IS NOT TRUE THEN
		RETURN ledger_write_several(p_reason, p_source_type, p_source_id, p_reference, p_actor, p_transfers, p_at);
	END IF;
	FOREACH v_is_source IN ARRAY CASE WHEN (v_source, v_source_kind) < (v_destination, v_destination_kind) THEN '{t,f}'::boolean[] ELSE '{f,t}' END LOOP
		IF v_is_source THEN
			v_owner := v_source;
			v_kind := v_source_kind;
			v_change := -v_amount;
		ELSE
			v_owner := v_destination;
			v_kind := v_destination_kind;
			v_change := v_amount;
		END IF;
		v_is_limited := v_owner <> c_house OR v_kind = 'staking_rewards';
		v_slot := CASE WHEN v_is_limited THEN 0 ELSE pg_backend_pid() % 16 END;
		UPDATE accounts c SET balance = c.balance + v_change
		WHERE c.owner_id = v_owner AND c.currency = v_currency AND c.kind = v_kind AND c.slot = v_slot
		AND (c.balance + v_change >= 0 OR NOT v_is_limited) AND abs(c.balance + v_change) < 1e78
		RETURNING c.id, c.balance INTO v_id, v_balance;
		IF NOT FOUND THEN
			SELECT w.id, w.balance, v_is_short OR w.is_short INTO v_id, v_balance, v_is_short
			FROM ledger_change_waiting(v_owner, v_currency, v_kind, v_slot, v_change) w;
		END IF;
		IF v_is_source THEN
			v_source_id := v_id;
			v_source_balance := v_balance;
		ELSE
			v_destination_id := v_id;
			v_destination_balance := v_balance;
		END IF;
	END LOOP;
	-- Written before a balance that is short is refused: who repeats a booking hears that it was made, not that the money is missing.
	INSERT INTO ledger_transactions (reason, source_type, source_id, reference, actor, created_at)
	VALUES (p_reason, p_source_type, p_source_id, p_reference, p_actor, p_at)
	RETURNING id INTO v_transaction;
	IF v_is_short THEN
		RAISE EXCEPTION 'an account would go below zero, or have more than it can hold' USING ERRCODE = 'check_violation', CONSTRAINT = 'accounts_balance_not_negative';
	END IF;
	INSERT INTO postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
	VALUES (v_transaction, v_source_id, v_destination_id, v_currency, v_amount, v_source_balance, v_destination_balance);
	RETURN v_transaction;
END $$;
