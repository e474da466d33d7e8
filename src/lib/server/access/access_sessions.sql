-- The sessions of a customer for staff: only the beginning of the network address leaves the database, and no token.
CREATE OR REPLACE FUNCTION access_sessions(p_user uuid) RETURNS TABLE (
	id uuid, user_agent text, network text, method text, created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz, ended_at timestamptz
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
	SELECT s.id, s.user_agent,
		CASE
			WHEN s.address ~ '^(::ffff:)?\d{1,3}(\.\d{1,3}){3}$' THEN regexp_replace(s.address, '^(?:::ffff:)?(\d+\.\d+)\..*$', '\1.…')
			WHEN s.address LIKE '%:%' THEN coalesce(substring(s.address FROM '^[0-9a-fA-F]+:[0-9a-fA-F]+'), '') || ':…'
			ELSE 'unknown'
		END,
		s.method, s.created_at, coalesce(s.last_seen_at, s.created_at), s.expires_at, s.ended_at
	FROM sessions s WHERE s.user_id = p_user ORDER BY s.created_at DESC LIMIT 50;
$$;
