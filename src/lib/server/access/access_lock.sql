-- Locks a customer's row until the transaction ends, so that changes to the account and bookings take turns. Returns the e-mail address.
CREATE OR REPLACE FUNCTION access_lock(p_user uuid, OUT email text) LANGUAGE plpgsql AS $$
BEGIN
	SELECT u.email INTO email FROM users u WHERE u.id = p_user FOR UPDATE;
END $$;
