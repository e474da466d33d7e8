CREATE OR REPLACE FUNCTION sum_new_payouts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO stake_sums AS s (user_id, currency, staked_units, planned_count)
	SELECT user_id, currency, coalesce(sum(units) FILTER (WHERE kind = 'principal'), 0), count(*) FILTER (WHERE kind = 'reward')
	FROM new_rows WHERE kind <> 'bonus' GROUP BY user_id, currency ORDER BY user_id, currency
	ON CONFLICT (user_id, currency) DO UPDATE
	SET staked_units = s.staked_units + excluded.staked_units, planned_count = s.planned_count + excluded.planned_count;
	RETURN NULL;
END $$;
