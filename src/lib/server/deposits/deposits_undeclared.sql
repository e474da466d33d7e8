-- The ids of a customer's credited deposits without a sender, in order, with a space between; whether one is too large depends on its worth.
CREATE OR REPLACE FUNCTION deposits_undeclared(p_user uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT coalesce(string_agg(d.id::text, ' ' ORDER BY d.id), '') FROM deposits d
		WHERE d.user_id = p_user AND d.status = 'CREDITED' AND d.details IS NULL AND d.reverted_at IS NULL);
END $$;
