-- Only ledger_write and ledger_write_many may change balances.
CREATE OR REPLACE FUNCTION refuse_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'balances change by bookings alone: % is refused', TG_OP
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'accounts_balance_by_posting';
END $$;
