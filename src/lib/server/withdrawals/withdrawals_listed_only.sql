-- True if a customer may send coins to addresses of their whitelist alone.
CREATE OR REPLACE FUNCTION withdrawals_listed_only(p_user uuid, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM withdrawal_whitelists w WHERE w.user_id = p_user AND w.is_on AND (w.ends_at IS NULL OR w.ends_at > p_at));
END $$;
