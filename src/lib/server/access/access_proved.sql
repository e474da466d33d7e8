-- True if the open session p_session proved the customer's identity at p_since or later, and the account is not locked.
CREATE OR REPLACE FUNCTION access_proved(p_user uuid, p_session uuid, p_since timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.locked_at IS NULL)
		AND EXISTS (SELECT FROM sessions s WHERE s.id = p_session AND s.user_id = p_user AND s.ended_at IS NULL AND s.proved_at >= p_since);
END $$;
