-- Every posting with its booking and both accounts.
CREATE OR REPLACE VIEW ledger_lines AS
SELECT p.id, p.transaction_id, t.reason, t.source_type, t.source_id, t.reference, t.created_at, p.currency, p.amount,
	s.owner_id AS from_owner, s.kind AS from_kind, d.owner_id AS to_owner, d.kind AS to_kind
FROM postings p
JOIN ledger_transactions t ON t.id = p.transaction_id
JOIN accounts s ON s.id = p.source_id
JOIN accounts d ON d.id = p.destination_id;
