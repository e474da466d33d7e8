-- Adds an entry to the audit log of staff and returns its number. Each entry has the hash of the one before, so the writers wait for one
-- another: call it last in a transaction. `staff/audit.ts` computes the same hash when it verifies.
CREATE OR REPLACE FUNCTION staff_audit_append(p_at timestamptz, p_actor text, p_act text, p_subject text, p_why text, p_details text)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	last_id bigint;
	last_hash text;
	at_kept timestamptz := date_trunc('milliseconds', p_at);
	text_at text := to_char(date_trunc('milliseconds', p_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
	part text;
	hashed text := '';
BEGIN
	IF p_at NOT BETWEEN '2020-01-01Z' AND '2200-01-01Z' OR jsonb_typeof(p_details::jsonb) <> 'object'
		OR greatest(octet_length(p_actor), octet_length(p_act), octet_length(p_subject)) > 400
		OR octet_length(p_why) > 4000 OR octet_length(p_details) > 40000
	THEN
		RAISE EXCEPTION 'an entry has a time of this century, short texts, and details that are an object' USING ERRCODE = 'check_violation';
	END IF;
	PERFORM pg_advisory_xact_lock(727002);
	SELECT id, hash INTO last_id, last_hash FROM staff_audit ORDER BY id DESC LIMIT 1;
	last_id := coalesce(last_id, 0) + 1;
	last_hash := coalesce(last_hash, '');
	FOREACH part IN ARRAY ARRAY[last_id::text, text_at, p_actor, p_act, p_subject, p_why, p_details, last_hash] LOOP
		hashed := hashed || octet_length(part) || ':' || part;
	END LOOP;
	INSERT INTO staff_audit (id, at, actor, act, subject, why, details, previous, hash)
	VALUES (last_id, at_kept, p_actor, p_act, p_subject, p_why, p_details, last_hash, encode(sha256(convert_to(hashed, 'UTF8')), 'hex'));
	RETURN last_id;
END $$;
