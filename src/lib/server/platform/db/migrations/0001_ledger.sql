-- Posts a list of transfers as one transaction, in one round trip.
--
-- p_transfers: [{"source": owner, "sourceKind": kind, "destination": owner, "destinationKind": kind,
--                "currency": code, "amount": whole number as text}, …], booked in their order.
-- Returns the id of the transaction. Fails, leaving nothing behind, with
--   unique_violation on ledger_transactions_reference      the reference was booked before
--   check_violation on accounts_balance_not_negative       a customer's account would go below zero
--   check_violation on postings_amount_positive, postings_two_accounts
CREATE FUNCTION ledger_post(p_reason text, p_reference text, p_transfers jsonb, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_transaction bigint;
	v_source bigint;
	v_destination bigint;
	v_source_balance numeric(78,0);
	v_destination_balance numeric(78,0);
	t record;
BEGIN
	-- Accounts open themselves on first use, in one order, so that two callers can't wait for each other.
	INSERT INTO accounts (owner_id, currency, kind)
	SELECT DISTINCT s.owner_id, s.currency, s.kind
	FROM jsonb_to_recordset(p_transfers) AS x(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text)
	CROSS JOIN LATERAL (VALUES (x.source, x.currency, x."sourceKind"), (x.destination, x.currency, x."destinationKind")) AS s(owner_id, currency, kind)
	WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.owner_id = s.owner_id AND a.currency = s.currency AND a.kind = s.kind)
	ORDER BY 1, 2, 3
	ON CONFLICT DO NOTHING;

	-- Locked in id order, for the same reason.
	PERFORM a.id FROM accounts a
	WHERE (a.owner_id, a.currency, a.kind) IN (
		SELECT s.owner_id, s.currency, s.kind
		FROM jsonb_to_recordset(p_transfers) AS x(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text)
		CROSS JOIN LATERAL (VALUES (x.source, x.currency, x."sourceKind"), (x.destination, x.currency, x."destinationKind")) AS s(owner_id, currency, kind)
	)
	ORDER BY a.id FOR UPDATE;

	INSERT INTO ledger_transactions (reason, reference, created_at) VALUES (p_reason, p_reference, p_at)
	RETURNING id INTO v_transaction;

	FOR t IN
		SELECT * FROM jsonb_to_recordset(p_transfers)
		AS x(source uuid, "sourceKind" text, destination uuid, "destinationKind" text, currency text, amount numeric(78,0))
	LOOP
		UPDATE accounts SET balance = balance - t.amount
		WHERE owner_id = t.source AND currency = t.currency AND kind = t."sourceKind"
		RETURNING id, balance INTO v_source, v_source_balance;
		UPDATE accounts SET balance = balance + t.amount
		WHERE owner_id = t.destination AND currency = t.currency AND kind = t."destinationKind"
		RETURNING id, balance INTO v_destination, v_destination_balance;
		INSERT INTO postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
		VALUES (v_transaction, v_source, v_destination, t.currency, t.amount, v_source_balance, v_destination_balance);
	END LOOP;
	RETURN v_transaction;
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only: % is refused, a correction is a reversal', TG_TABLE_NAME, TG_OP
		USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER postings_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payments_kept BEFORE DELETE OR TRUNCATE ON payments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
