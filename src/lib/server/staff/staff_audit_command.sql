-- Adds an entry about a command that a person of the staff runs outside the desk. Its act begins with `command:`, so that nobody with this
-- right alone writes an act of the desk.
CREATE OR REPLACE FUNCTION staff_audit_command(p_at timestamptz, p_actor text, p_act text, p_subject text, p_why text, p_details text)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	RETURN staff_audit_append(p_at, p_actor, 'command:' || p_act, p_subject, p_why, p_details);
END $$;
