-- Adds a job of one kind for each payload.
CREATE OR REPLACE FUNCTION jobs_enqueue_many(p_kind text, p_payloads jsonb[], p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO jobs (kind, payload, run_at, created_at) SELECT p_kind, x.payload, p_at, p_at FROM unnest(p_payloads) AS x(payload);
END $$;
