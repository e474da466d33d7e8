-- Says what a purchase from an order comes to, and why it may not be made: the first refusal that applies, or null. Only p2p_buy and
-- p2p_fill_many call it, which have locked taker and order; src/lib/server/p2p/fill.ts turns a refusal into the customer's error:
--   proof    the session has ended, the account is locked, or nothing was proved since p_proved_since
--   gate     the taker may not withdraw, or has deposits without details of their sender other than p_undeclared (ids that the caller checked)
--   missing, over, own, seller (is not verified, is locked or held), amount, part (too much, or too little is bought or remains)
--   unpriced p_reference, the price of a coin by the rates, is null
--   price    the order's price differs from the reference price by more than half of it, or by more than a twentieth for a taker whose
--            whitelist is on: at a bad price, coins would leave to somebody who is not on it
--   limit    with this purchase, the taker would trade more than p_day_limit away from the reference in 24 hours, or a twentieth of that while
--            their whitelist is on: many small losses are as good as a large one
--   funds    the taker does not have enough in funding and spot
--   trader   the taker has no name to trade under yet
-- Amounts are smallest units and follow src/lib/domain/p2p/settle.ts. p_unit: at a price of 1, one smallest unit of the asset costs this many
-- smallest units of the settlement currency. p_amount null buys the rest. p_funding and p_spot: what the taker has of the settlement currency;
-- `gap` comes from spot, because funding has too little. `difference`: how far the purchase is from the reference price.
CREATE OR REPLACE FUNCTION p2p_judge(p_order record, p_taker uuid, p_session uuid, p_proved_since timestamptz, p_amount numeric, p_reference numeric, p_accepted numeric, p_unit numeric, p_day_limit numeric, p_undeclared text, p_funding numeric, p_spot numeric, p_at timestamptz, OUT refusal text, OUT amount numeric, OUT gross numeric, OUT fee numeric, OUT rest numeric, OUT difference numeric, OUT gap numeric, OUT undeclared text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
	v_order p2p_orders := p_order;
	v_kept integer;
BEGIN
	-- Web says what the reference is. It may not be far from the prices that the worker has accepted.
	IF p_unit <> 0.01 OR abs(p_reference - p_accepted) * 10 > p_accepted THEN
		RAISE EXCEPTION 'a purchase at a reference of % is not made: % was accepted', p_reference, p_accepted USING ERRCODE = 'check_violation';
	END IF;

	undeclared := deposits_undeclared(p_taker);
	rest := v_order.listed_amount - v_order.filled_amount;
	amount := coalesce(p_amount, rest);
	gross := ceil(amount * v_order.price_per_coin * p_unit);
	v_kept := 10000 - v_order.fee_basis_points;
	-- From the sums of all fills, so that splitting an order costs nobody a unit.
	fee := gross - (div((v_order.gross_settled + gross) * v_kept, 10000) - div(v_order.gross_settled * v_kept, 10000));
	difference := abs(gross - ceil(amount * p_reference * p_unit));
	gap := greatest(gross - p_funding, 0);

	refusal := CASE
		WHEN NOT access_proved(p_taker, p_session, p_proved_since) THEN 'proof'
		WHEN undeclared <> p_undeclared
			OR (access_gate(p_taker, identity_verified(p_taker), p_at)).reason IS NOT NULL
		THEN 'gate'
		WHEN v_order.id IS NULL THEN 'missing'
		WHEN v_order.status <> 'PENDING' OR v_order.expires_at <= p_at THEN 'over'
		WHEN v_order.maker_id = p_taker THEN 'own'
		WHEN NOT access_may_trade(v_order.maker_id) OR NOT identity_verified(v_order.maker_id) THEN 'seller'
		WHEN amount <= 0 THEN 'amount'
		WHEN amount > rest OR (amount < rest AND (amount < v_order.smallest_fill OR rest - amount < v_order.smallest_fill)) THEN 'part'
		WHEN p_reference IS NULL THEN 'unpriced'
		WHEN abs(v_order.price_per_coin - p_reference) * 2 > p_reference
			OR (abs(v_order.price_per_coin - p_reference) * 20 > p_reference AND withdrawals_listed_only(p_taker, p_at))
		THEN 'price'
		WHEN difference + p2p_away(p_taker, p_at) > CASE WHEN withdrawals_listed_only(p_taker, p_at) THEN p_day_limit / 20 ELSE p_day_limit END
		THEN 'limit'
		WHEN gap > p_spot THEN 'funds'
	END;
	IF refusal IS NULL AND NOT EXISTS (SELECT FROM p2p_traders t WHERE t.user_id = p_taker) THEN
		refusal := 'trader';
	END IF;
END $$;
