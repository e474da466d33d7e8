-- Adds new entries of the bank to the sums of their days. It writes as the owner: whoever may receive an entry need not change a sum. Rows are
-- written in the order of their keys, so that two files cannot deadlock.
CREATE OR REPLACE FUNCTION sum_payments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO bank_day_sums AS s (day, currency, in_cents, out_cents)
	SELECT coalesce(told_on, booked_on), currency, coalesce(sum(amount_cents) FILTER (WHERE direction = 'credit'), 0),
		coalesce(sum(amount_cents) FILTER (WHERE direction = 'debit'), 0)
	FROM new_rows GROUP BY 1, 2 ORDER BY 1, 2
	ON CONFLICT (day, currency) DO UPDATE SET in_cents = s.in_cents + excluded.in_cents, out_cents = s.out_cents + excluded.out_cents;
	RETURN NULL;
END $$;
