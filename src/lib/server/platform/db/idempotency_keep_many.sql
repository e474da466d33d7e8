-- Keeps the answers of requests whose keys idempotency_look found new. Fails with serialization_failure where a process of an older release,
-- which does not take the lock, has used one of them meanwhile.
CREATE OR REPLACE FUNCTION idempotency_keep_many(p_actors text[], p_keys text[], p_hashes text[], p_answers jsonb[], p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_kept integer;
BEGIN
	INSERT INTO idempotency_keys (actor, key, request_hash, answer, created_at)
	SELECT x.actor, x.key, x.hash, x.answer, p_at FROM unnest(p_actors, p_keys, p_hashes, p_answers) AS x(actor, key, hash, answer) WHERE x.key IS NOT NULL
	ON CONFLICT DO NOTHING;
	GET DIAGNOSTICS v_kept = ROW_COUNT;
	IF v_kept <> (SELECT count(*) FROM unnest(p_keys) AS x(key) WHERE x.key IS NOT NULL) THEN
		RAISE EXCEPTION 'another process has used one of these keys' USING ERRCODE = 'serialization_failure';
	END IF;
END $$;
