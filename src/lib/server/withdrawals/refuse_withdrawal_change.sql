-- A withdrawal is paid as it was requested.
CREATE OR REPLACE FUNCTION refuse_withdrawal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what was asked for in withdrawal % is never changed', OLD.id
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'withdrawals_kept';
END $$;
