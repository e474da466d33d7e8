-- An instruction is carried out or refused once, and otherwise stays as it was decided.
CREATE OR REPLACE FUNCTION refuse_instruction_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' OR OLD.state <> 'waiting'
		OR (to_jsonb(NEW) - '{state,refusal,done_at}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{state,refusal,done_at}'::text[]) THEN
		RAISE EXCEPTION 'An instruction about a payment stays as it was decided' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;
