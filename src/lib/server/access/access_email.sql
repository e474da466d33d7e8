-- The address that a customer's mails go to.
CREATE OR REPLACE FUNCTION access_email(p_user uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT u.email FROM users u WHERE u.id = p_user);
END $$;
