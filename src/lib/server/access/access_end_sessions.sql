-- Ends all sessions of a customer. As the owner of the tables: the desk may end sessions, and never bring one back.
CREATE OR REPLACE FUNCTION access_end_sessions(p_user uuid, p_at timestamptz) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
	UPDATE sessions SET ended_at = p_at WHERE user_id = p_user AND ended_at IS NULL;
$$;
