-- Counts one use of each limit, and returns how many uses there are now and when they end (milliseconds since 1970). A limit that is listed twice
-- counts two. It counts them in the order of their keys, so that calls do not wait in a circle. p_limits: [{"key", "seconds"}].
CREATE OR REPLACE FUNCTION limits_count(p_limits jsonb, p_at timestamptz) RETURNS jsonb LANGUAGE sql AS $$
	WITH counted AS (
		INSERT INTO rate_limits AS kept (key, count, resets_at)
		SELECT l.key, count(*), p_at + max(l.seconds) * interval '1 second'
		FROM jsonb_to_recordset(p_limits) AS l(key text, seconds int) GROUP BY l.key ORDER BY l.key
		ON CONFLICT (key) DO UPDATE SET
			count = CASE WHEN kept.resets_at <= p_at THEN excluded.count ELSE kept.count + excluded.count END,
			resets_at = CASE WHEN kept.resets_at <= p_at THEN excluded.resets_at ELSE kept.resets_at END
		RETURNING key, count, resets_at
	)
	SELECT jsonb_agg(jsonb_build_object('key', key, 'count', count, 'resetsAtMs', (extract(epoch FROM resets_at) * 1000)::bigint)) FROM counted
$$;
