-- Which orders a customer would buy from, to get an amount at the best prices: the cheapest first, of the same price the oldest, at most
-- p_most of them. p_among null: of the whole book, otherwise of these orders. Own orders, those of sellers who may not trade, and prices that
-- p2p_judge refuses are skipped, as is an order of which no part fits: the part and what is left of the order must be its smallest fill or more.
CREATE OR REPLACE FUNCTION p2p_plan(p_taker uuid, p_amount numeric, p_most integer, p_among uuid[], p_reference numeric, p_unit numeric, p_at timestamptz)
RETURNS TABLE (order_id uuid, amount numeric, gross numeric) LANGUAGE plpgsql STABLE AS $$
DECLARE
	v_listed_only constant boolean := withdrawals_listed_only(p_taker, p_at);
	v_wanted numeric := p_amount;
	v_count integer := 0;
	v_rest numeric;
	o p2p_orders;
BEGIN
	FOR o IN
		SELECT * FROM p2p_orders b
		WHERE b.asset_currency = 'CPC' AND b.settlement_currency = 'USDC' AND b.status = 'PENDING' AND b.expires_at > p_at
			AND b.maker_id <> p_taker AND (p_among IS NULL OR b.id = ANY (p_among))
		ORDER BY b.price_per_coin, b.created_at, b.id
	LOOP
		EXIT WHEN v_wanted <= 0 OR v_count >= p_most;
		-- The orders come by price: all that follow are farther away.
		EXIT WHEN abs(o.price_per_coin - p_reference) * 2 > p_reference AND o.price_per_coin > p_reference;
		v_rest := o.listed_amount - o.filled_amount;
		amount := least(v_wanted, v_rest);
		IF amount < v_rest THEN
			amount := least(amount, v_rest - o.smallest_fill);
			CONTINUE WHEN amount < o.smallest_fill;
		END IF;
		CONTINUE WHEN abs(o.price_per_coin - p_reference) * 2 > p_reference
			OR (v_listed_only AND abs(o.price_per_coin - p_reference) * 20 > p_reference)
			OR NOT access_may_trade(o.maker_id) OR NOT identity_verified(o.maker_id);
		order_id := o.id;
		gross := ceil(amount * o.price_per_coin * p_unit);
		v_wanted := v_wanted - amount;
		v_count := v_count + 1;
		RETURN NEXT;
	END LOOP;
END $$;
