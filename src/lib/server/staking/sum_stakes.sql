-- Updates the sums of a customer's stakes with every new stake. Rows are written in the order of their keys, so that two changes cannot
-- deadlock.
CREATE OR REPLACE FUNCTION sum_stakes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO stake_sums AS s (user_id, currency, orders, fiat_cents)
	SELECT n.user_id, n.currency, count(*), sum(o.fiat_cents) FROM new_rows n JOIN orders_facts o ON o.id = n.order_id
	-- Packages of the promotion never count as staking.
	WHERE o.config_id NOT BETWEEN 121 AND 150
	GROUP BY n.user_id, n.currency ORDER BY n.user_id, n.currency
	ON CONFLICT (user_id, currency) DO UPDATE SET orders = s.orders + excluded.orders, fiat_cents = s.fiat_cents + excluded.fiat_cents;
	RETURN NULL;
END $$;
