-- Keeps the answer of the request that took the key.
CREATE OR REPLACE FUNCTION idempotency_keep(p_actor text, p_key text, p_answer jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE idempotency_keys SET answer = p_answer WHERE actor = p_actor AND key = p_key;
END $$;
