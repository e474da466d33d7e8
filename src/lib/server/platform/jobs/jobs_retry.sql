-- Lets a job that gave up run again, once more from the first try. Not a mail: what it said is no longer kept. False if there is none. As the
-- owner of the tables: the desk may retry a job, and change none.
CREATE OR REPLACE FUNCTION jobs_retry(p_id bigint, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	UPDATE jobs SET failed_at = NULL, tries = 0, run_at = p_at, lease = NULL WHERE id = p_id AND failed_at IS NOT NULL AND kind NOT IN ('mail', 'bulk_mail');
	RETURN FOUND;
END $$;
