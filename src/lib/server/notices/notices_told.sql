-- What customers were told, for staff: without the addresses that some of it names.
CREATE OR REPLACE VIEW notices_told AS
SELECT n.id, n.user_id, n.job_id, n.name, n.params - 'address' - 'email' AS params, n.created_at, n.opened_at
FROM notices n;
