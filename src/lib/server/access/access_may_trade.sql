-- True if others may buy from a customer: the account is neither locked nor held.
CREATE OR REPLACE FUNCTION access_may_trade(p_user uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.locked_at IS NULL)
		AND NOT EXISTS (SELECT FROM withdrawal_holds h WHERE h.user_id = p_user AND h.released_at IS NULL AND (h.ends_at IS NULL OR h.ends_at > now()));
END $$;
