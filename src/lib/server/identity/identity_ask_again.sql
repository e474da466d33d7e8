-- Asks for a customer's identity check again: it is no longer completed. As the owner of the table: the desk completes none. False if it was not completed.
-- A late event of the check before it is older than this, and changes nothing.
CREATE OR REPLACE FUNCTION identity_ask_again(p_user uuid, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	PERFORM access_lock(p_user);
	UPDATE identity_checks SET review_status = 'init', status_at = p_at, updated_at = p_at
		WHERE user_id = p_user AND review_status = 'completed';
	RETURN FOUND;
END $$;
