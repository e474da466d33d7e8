-- Keeps the answers of requests whose keys idempotency_look found new.
CREATE OR REPLACE FUNCTION idempotency_keep_many(p_actors text[], p_keys text[], p_hashes text[], p_answers jsonb[], p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO idempotency_keys (actor, key, request_hash, answer, created_at)
	SELECT x.actor, x.key, x.hash, x.answer, p_at FROM unnest(p_actors, p_keys, p_hashes, p_answers) AS x(actor, key, hash, answer) WHERE x.key IS NOT NULL;
END $$;
