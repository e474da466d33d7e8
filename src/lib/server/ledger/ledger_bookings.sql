-- Every booking: what it was for, and why.
CREATE OR REPLACE VIEW ledger_bookings AS
SELECT t.id, t.reason, t.source_type, t.source_id, t.reference, t.created_at FROM ledger_transactions t;
