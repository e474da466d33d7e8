CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only: % is refused, a correction is a reversal', TG_TABLE_NAME, TG_OP
		USING ERRCODE = 'integrity_constraint_violation';
END $$;
