-- Orders for other features: customer, package, state and amounts.
CREATE OR REPLACE VIEW orders_facts AS
SELECT o.id, o.user_id, o.config_id, o.status, o.completed_at, o.fiat_cents, o.euro_cents_to_pay, o.cpc_units, o.ptc_units, o.cpc_price_usd,
	o.staking_months, o.staking_rate_hundredths, o.stake_starts_at, o.bonus_units, o.bonus_rate_hundredths
FROM orders o;
