-- True if a customer's identity check is completed.
CREATE OR REPLACE FUNCTION identity_verified(p_user uuid) RETURNS boolean LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	RETURN EXISTS (SELECT FROM identity_checks c WHERE c.user_id = p_user AND c.review_status = 'completed');
END $$;
