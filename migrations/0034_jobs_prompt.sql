-- no transaction
-- What is due, without mails that many customers get at once: 100,000 of them may wait, and each look for another job would read them all.
CREATE INDEX CONCURRENTLY "jobs_prompt" ON "jobs" USING btree ("run_at","id") WHERE "jobs"."failed_at" is null and "jobs"."kind" <> 'bulk_mail';
