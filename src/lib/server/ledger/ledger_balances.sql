-- The balance of every account, in smallest units. That of a house account is the sum of its rows.
CREATE OR REPLACE VIEW ledger_balances AS
SELECT a.owner_id, a.currency, a.kind, sum(a.balance) AS balance FROM accounts a GROUP BY a.owner_id, a.currency, a.kind;
