-- A file of the bank stays as it was added: it is accepted, received and given up once, and its content is only forgotten.
CREATE OR REPLACE FUNCTION refuse_bank_file_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	c_written constant text[] := '{content,accepted_by,accepted_at,received_at,closed_at,problems}';
BEGIN
	IF (to_jsonb(NEW) - c_written) IS DISTINCT FROM (to_jsonb(OLD) - c_written)
		OR (NEW.content IS NOT NULL AND NEW.content IS DISTINCT FROM OLD.content)
		OR (OLD.accepted_at IS NOT NULL AND (NEW.accepted_at, NEW.accepted_by) IS DISTINCT FROM (OLD.accepted_at, OLD.accepted_by))
		OR (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at) THEN
		RAISE EXCEPTION 'A file of the bank stays as it was added' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;
