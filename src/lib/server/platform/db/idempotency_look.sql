-- Looks the keys of many requests up without waiting, a row a request. `state`: new (nobody used it, and nobody else can until the transaction
-- ends), used (`answer` is that of the first request, null where it was another request), or busy (a request with this key is under way). A
-- request without a key is new. The lock is that of idempotency_lock.
CREATE OR REPLACE FUNCTION idempotency_look(p_actors text[], p_keys text[], p_hashes text[]) RETURNS TABLE (request integer, state text, answer jsonb) LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN SELECT x.n::integer AS n, x.actor, x.key, x.hash FROM unnest(p_actors, p_keys, p_hashes) WITH ORDINALITY AS x(actor, key, hash, n) LOOP
		request := r.n;
		state := 'new';
		answer := NULL;
		IF r.key IS NOT NULL THEN
			IF NOT pg_try_advisory_xact_lock(hashtextextended('key ' || r.actor || ' ' || r.key, 0)) THEN
				state := 'busy';
			ELSE
				SELECT 'used', CASE WHEN k.request_hash = r.hash THEN k.answer END INTO state, answer FROM idempotency_keys k WHERE k.actor = r.actor AND k.key = r.key;
				state := coalesce(state, 'new');
				-- As in idempotency_take.
				IF state = 'used' THEN
					PERFORM pg_current_xact_id();
				END IF;
			END IF;
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
