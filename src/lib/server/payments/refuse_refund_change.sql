-- A refund keeps its amount and account; it comes into one file (another one where that was given up), is confirmed, sent back or void once.
CREATE OR REPLACE FUNCTION refuse_refund_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE'
		OR (to_jsonb(NEW) - '{file_id,is_named,confirmed_by,returned_by,void_by}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{file_id,is_named,confirmed_by,returned_by,void_by}'::text[])
		OR (OLD.file_id IS NOT NULL AND NEW.file_id IS DISTINCT FROM OLD.file_id
			AND NOT EXISTS (SELECT FROM refund_files f WHERE f.id = OLD.file_id AND f.cancelled_at IS NOT NULL))
		OR (OLD.confirmed_by IS NOT NULL AND NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by)
		OR (OLD.void_by IS NOT NULL AND NEW.void_by IS DISTINCT FROM OLD.void_by)
		OR (OLD.returned_by IS NOT NULL AND NEW.returned_by IS DISTINCT FROM OLD.returned_by) THEN
		RAISE EXCEPTION 'A refund stays as it was decided' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;
