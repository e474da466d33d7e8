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
CREATE OR REPLACE FUNCTION ledger_write(p_reason text, p_source_type text, p_source_id text, p_reference text, p_actor text, p_transfers jsonb, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET ledger.posting = 'on' AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_fund constant text := 'staking_rewards';
	v_slot constant smallint := pg_backend_pid() % 16;
	v_transaction bigint;
	v_source bigint;
	v_destination bigint;
	v_source_balance numeric(78,0);
	v_destination_balance numeric(78,0);
	t record;
BEGIN
	-- A NaN is larger than every number: it would pass every check of a balance, and make money.
	IF EXISTS (SELECT FROM jsonb_to_recordset(p_transfers) AS n(amount numeric) WHERE n.amount IS NULL OR n.amount = 'NaN') THEN
		RAISE EXCEPTION 'an amount is no number: %', p_transfers USING ERRCODE = 'check_violation', CONSTRAINT = 'postings_amount_positive';
	END IF;

	-- LIMIT leaves nothing out. It tells the planner that there are few transfers: for the hundred that it would guess, it reads all accounts.
	-- Accounts open themselves on first use, in one order, so that two callers can't wait for each other.
	INSERT INTO accounts (owner_id, currency, kind, slot)
	SELECT DISTINCT s.owner_id, s.currency, s.kind, CASE WHEN s.owner_id = c_house AND s.kind <> c_fund THEN v_slot ELSE 0 END
	FROM (SELECT * FROM jsonb_to_recordset(p_transfers) AS r(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text)
		LIMIT jsonb_array_length(p_transfers)) AS x
	CROSS JOIN LATERAL (VALUES (x.source, x.currency, x."sourceKind"), (x.destination, x.currency, x."destinationKind")) AS s(owner_id, currency, kind)
	WHERE NOT EXISTS (
		SELECT 1 FROM accounts a
		WHERE a.owner_id = s.owner_id AND a.currency = s.currency AND a.kind = s.kind
		AND a.slot = CASE WHEN s.owner_id = c_house AND s.kind <> c_fund THEN v_slot ELSE 0 END
	)
	ORDER BY 1, 2, 3, 4
	ON CONFLICT DO NOTHING;

	-- Locked in id order, for the same reason.
	PERFORM a.id FROM accounts a
	WHERE (a.owner_id, a.currency, a.kind, a.slot) IN (
		SELECT s.owner_id, s.currency, s.kind, CASE WHEN s.owner_id = c_house AND s.kind <> c_fund THEN v_slot ELSE 0 END
		FROM (SELECT * FROM jsonb_to_recordset(p_transfers) AS r(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text)
			LIMIT jsonb_array_length(p_transfers)) AS x
		CROSS JOIN LATERAL (VALUES (x.source, x.currency, x."sourceKind"), (x.destination, x.currency, x."destinationKind")) AS s(owner_id, currency, kind)
	)
	ORDER BY a.id FOR UPDATE;

	INSERT INTO ledger_transactions (reason, source_type, source_id, reference, actor, created_at)
	VALUES (p_reason, p_source_type, p_source_id, p_reference, p_actor, p_at)
	RETURNING id INTO v_transaction;

	FOR t IN
		SELECT * FROM jsonb_to_recordset(p_transfers)
		AS x(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text, amount numeric(78,0))
	LOOP
		UPDATE accounts SET balance = balance - t.amount
		WHERE owner_id = t.source AND currency = t.currency AND kind = t."sourceKind"
		AND slot = CASE WHEN t.source = c_house AND t."sourceKind" <> c_fund THEN v_slot ELSE 0 END
		RETURNING id, balance INTO v_source, v_source_balance;
		UPDATE accounts SET balance = balance + t.amount
		WHERE owner_id = t.destination AND currency = t.currency AND kind = t."destinationKind"
		AND slot = CASE WHEN t.destination = c_house AND t."destinationKind" <> c_fund THEN v_slot ELSE 0 END
		RETURNING id, balance INTO v_destination, v_destination_balance;
		INSERT INTO postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
		VALUES (v_transaction, v_source, v_destination, t.currency, t.amount, v_source_balance, v_destination_balance);
	END LOOP;
	RETURN v_transaction;
END $$;
