-- Adds a job, which a worker takes after the commit.
CREATE OR REPLACE FUNCTION jobs_enqueue(p_kind text, p_payload jsonb, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO jobs (kind, payload, run_at, created_at) VALUES (p_kind, p_payload, p_at, p_at);
END $$;
