-- What has ended stays ended: the column that the trigger names goes from null to a time once, and never changes again.
CREATE OR REPLACE FUNCTION refuse_undo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL AND to_jsonb(OLD) -> TG_ARGV[0] IS DISTINCT FROM to_jsonb(NEW) -> TG_ARGV[0] THEN
		RAISE EXCEPTION '%: % is not taken back', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;
