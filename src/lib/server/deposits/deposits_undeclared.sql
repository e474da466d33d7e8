-- The ids of a customer's credited deposits without details of their sender, in order, separated by spaces. Whether one of them is too large
-- depends on its value, which the caller knows.
CREATE OR REPLACE FUNCTION deposits_undeclared(p_user uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT coalesce(string_agg(d.id::text, ' ' ORDER BY d.id), '') FROM deposits d
		WHERE d.user_id = p_user AND d.status = 'CREDITED' AND d.details IS NULL AND d.reverted_at IS NULL);
END $$;
