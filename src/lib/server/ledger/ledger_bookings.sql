-- Every booking, with its source and its reason.
CREATE OR REPLACE VIEW ledger_bookings AS
SELECT t.id, t.reason, t.source_type, t.source_id, t.reference, t.created_at FROM ledger_transactions t;
