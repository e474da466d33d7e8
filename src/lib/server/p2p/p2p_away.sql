-- How much a customer has traded away from the reference price in 24 hours, as seller and as buyer, and what their open orders may still add.
-- Not a function in SQL, because PostgreSQL would plan that with each call. Only an index by customer can answer what it asks: trades are found by a
-- pair of columns, and open orders are sorted as no other index is. By the index of the day, or of the book, PostgreSQL would read those of everybody.
CREATE OR REPLACE FUNCTION p2p_away(p_user uuid, p_at timestamptz) RETURNS numeric LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	v_since constant timestamptz := p_at - interval '24 hours';
BEGIN
	RETURN coalesce((SELECT sum(t.difference) FROM p2p_trades t
			WHERE t.maker_id = p_user AND (t.maker_id, t.traded_at) > (p_user, v_since)), 0)
		+ coalesce((SELECT sum(t.difference) FROM p2p_trades t
			WHERE t.taker_id = p_user AND (t.taker_id, t.traded_at) > (p_user, v_since)), 0)
		+ coalesce((SELECT ceil(sum(x.difference)) FROM (
			SELECT o.difference * (o.listed_amount - o.filled_amount) / o.listed_amount AS difference
			FROM p2p_orders o WHERE o.maker_id = p_user AND o.status = 'PENDING' ORDER BY o.created_at
		) x), 0);
END $$;
