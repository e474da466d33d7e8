-- Locks customers' rows until the transaction ends, as access_lock does, without waiting: one that another transaction has is left out.
-- Returns the e-mail address of each that it locked.
CREATE OR REPLACE FUNCTION access_lock_free(p_users uuid[]) RETURNS TABLE (user_id uuid, email text) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT u.id, u.email FROM users u WHERE u.id = ANY (p_users) FOR UPDATE SKIP LOCKED;
END $$;
