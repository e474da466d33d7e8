CREATE OR REPLACE FUNCTION refuse_withdrawal_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'withdrawal % is over', OLD.id USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'withdrawals_over';
END $$;
