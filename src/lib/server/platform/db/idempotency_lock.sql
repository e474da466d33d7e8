-- Waits until no other request with this key of this sender is under way; holds up the next one until the transaction ends.
CREATE OR REPLACE FUNCTION idempotency_lock(p_actor text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('key ' || p_actor || ' ' || p_key, 0));
END $$;
