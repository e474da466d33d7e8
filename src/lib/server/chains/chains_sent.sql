-- Payments that were signed: what they pay, and what became of them.
CREATE OR REPLACE VIEW chains_sent AS
SELECT s.id, s.state, s.currency, s.amount, s.receiver FROM chain_sends s;
