-- Takes a request's key for its sender. `is_new`: nobody used it before, and the caller runs the request and keeps its answer. Otherwise
-- `answer` is that of the first request, null where it was another request. Two requests with one key take turns.
CREATE OR REPLACE FUNCTION idempotency_take(p_actor text, p_key text, p_hash text, p_at timestamptz, OUT is_new boolean, OUT answer jsonb) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM idempotency_lock(p_actor, p_key);
	INSERT INTO idempotency_keys (actor, key, request_hash, created_at) VALUES (p_actor, p_key, p_hash, p_at) ON CONFLICT DO NOTHING;
	is_new := FOUND;
	IF NOT is_new THEN
		-- With an id, the commit of the repeat waits for the standby, and so for the first request's, whose own wait may have been ended.
		PERFORM pg_current_xact_id();
		SELECT k.answer INTO answer FROM idempotency_keys k WHERE k.actor = p_actor AND k.key = p_key AND k.request_hash = p_hash;
	END IF;
END $$;
