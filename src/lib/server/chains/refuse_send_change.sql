-- The receiver, currency and amount of a payment are fixed when its first bytes are signed.
CREATE OR REPLACE FUNCTION refuse_send_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what send % pays is never changed, and a settled one stays so', OLD.id
		USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'chain_sends_kept';
END $$;
