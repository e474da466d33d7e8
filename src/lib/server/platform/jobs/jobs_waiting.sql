-- Jobs that are not finished and have not failed for good.
CREATE OR REPLACE VIEW jobs_waiting AS
SELECT j.kind, j.payload, j.run_at FROM jobs j WHERE j.failed_at IS NULL;
