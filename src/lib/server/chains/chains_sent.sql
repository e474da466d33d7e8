-- Signed payments: what they pay, and their state.
CREATE OR REPLACE VIEW chains_sent AS
SELECT s.id, s.state, s.currency, s.amount, s.receiver, s.purpose, s.customer FROM chain_sends s;
