-- A payout changes once: it is paid, or it is cancelled.
CREATE OR REPLACE FUNCTION sum_ended_payouts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO stake_sums AS s (user_id, currency, staked_units, paid_units, paid_count, planned_count)
	SELECT user_id, currency, -coalesce(sum(units) FILTER (WHERE kind = 'principal'), 0),
		coalesce(sum(units) FILTER (WHERE kind = 'reward' AND paid_at IS NOT NULL), 0),
		count(*) FILTER (WHERE kind = 'reward' AND paid_at IS NOT NULL), -count(*) FILTER (WHERE kind = 'reward' AND cancelled_at IS NOT NULL)
	FROM new_rows WHERE kind <> 'bonus' GROUP BY user_id, currency ORDER BY user_id, currency
	ON CONFLICT (user_id, currency) DO UPDATE
	SET staked_units = s.staked_units + excluded.staked_units, paid_units = s.paid_units + excluded.paid_units,
		paid_count = s.paid_count + excluded.paid_count, planned_count = s.planned_count + excluded.planned_count;
	RETURN NULL;
END $$;
