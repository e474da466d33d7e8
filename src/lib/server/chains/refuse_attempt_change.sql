-- Bytes that were signed may be on their way: they are kept as they are, for ever.
CREATE OR REPLACE FUNCTION refuse_attempt_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'attempt % of % is never changed', OLD.transaction_id, OLD.chain
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'chain_attempts_kept';
END $$;
