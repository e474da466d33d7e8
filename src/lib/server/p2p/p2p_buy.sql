-- A customer buys from an order. Only p2p_fill and p2p_sweep call it; no user of the database may. All is done in one round trip, because many
-- may want the same orders at once. Locks the taker, then the order, checks
-- everything after that, and then either changes nothing and returns a refusal, or writes order, trade and books.
-- The refusal is the first one that applies; src/lib/server/p2p/fill.ts turns it into the customer's error:
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
-- smallest units of the settlement currency. p_amount null buys the rest. p_together: the trades of the same purchase, which are told to the buyer in one mail. As the owner of the tables: web itself books no trade and writes none.
CREATE OR REPLACE FUNCTION p2p_buy(p_trade uuid, p_taker uuid, p_actor text, p_session uuid, p_proved_since timestamptz, p_order uuid, p_amount numeric, p_reference numeric, p_unit numeric, p_day_limit numeric, p_undeclared text, p_at timestamptz, p_together uuid[])
RETURNS TABLE (refusal text, amount numeric, gross numeric, fee numeric, rest numeric, smallest numeric, undeclared text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	v_accepted numeric;
	v_email text;
	v_order p2p_orders;
	v_kept integer;
	v_difference numeric;
	v_funding numeric;
	v_spot numeric;
	v_gap numeric;
BEGIN
	-- Web says what the reference is. It may not be far from the prices that the worker has accepted.
	v_accepted := rates_accepted('CPC') / nullif(rates_accepted('USDC'), 0);
	IF p_unit <> 0.01 OR abs(p_reference - v_accepted) * 10 > v_accepted THEN
		RAISE EXCEPTION 'a purchase at a reference of % is not made: % was accepted', p_reference, v_accepted USING ERRCODE = 'check_violation';
	END IF;

	SELECT l.email INTO v_email FROM access_lock(p_taker) l;
	SELECT * INTO v_order FROM p2p_orders o WHERE o.id = p_order FOR UPDATE;
	undeclared := deposits_undeclared(p_taker);
	SELECT s.funding, s.spot INTO v_funding, v_spot FROM ledger_spendable(p_taker, v_order.settlement_currency) s;

	rest := v_order.listed_amount - v_order.filled_amount;
	smallest := v_order.smallest_fill;
	amount := coalesce(p_amount, rest);
	gross := ceil(amount * v_order.price_per_coin * p_unit);
	v_kept := 10000 - v_order.fee_basis_points;
	-- From the sums of all fills, so that splitting an order costs nobody a unit.
	fee := gross - (div((v_order.gross_settled + gross) * v_kept, 10000) - div(v_order.gross_settled * v_kept, 10000));
	v_difference := abs(gross - ceil(amount * p_reference * p_unit));
	v_gap := greatest(gross - v_funding, 0);

	refusal := CASE
		WHEN NOT access_proved(p_taker, p_session, p_proved_since) THEN 'proof'
		WHEN undeclared <> p_undeclared
			OR (SELECT g.reason FROM access_gate(p_taker, identity_verified(p_taker), p_at) g) IS NOT NULL
		THEN 'gate'
		WHEN v_order.id IS NULL THEN 'missing'
		WHEN v_order.status <> 'PENDING' OR v_order.expires_at <= p_at THEN 'over'
		WHEN v_order.maker_id = p_taker THEN 'own'
		WHEN NOT access_may_trade(v_order.maker_id) OR NOT identity_verified(v_order.maker_id) THEN 'seller'
		WHEN amount <= 0 THEN 'amount'
		WHEN amount > rest OR (amount < rest AND (amount < smallest OR rest - amount < smallest)) THEN 'part'
		WHEN p_reference IS NULL THEN 'unpriced'
		WHEN abs(v_order.price_per_coin - p_reference) * 2 > p_reference
			OR (abs(v_order.price_per_coin - p_reference) * 20 > p_reference AND withdrawals_listed_only(p_taker, p_at))
		THEN 'price'
		WHEN v_difference + p2p_away(p_taker, p_at) > CASE WHEN withdrawals_listed_only(p_taker, p_at) THEN p_day_limit / 20 ELSE p_day_limit END
		THEN 'limit'
		WHEN v_gap > v_spot THEN 'funds'
		WHEN NOT EXISTS (SELECT FROM p2p_traders t WHERE t.user_id = p_taker) THEN 'trader'
	END;
	IF refusal IS NOT NULL THEN
		RETURN NEXT;
		RETURN;
	END IF;

	UPDATE p2p_orders o SET
		filled_amount = o.filled_amount + amount,
		gross_settled = o.gross_settled + gross,
		fee_settled = o.fee_settled + fee,
		status = CASE WHEN amount = rest THEN 'COMPLETED' ELSE o.status END,
		completed_at = CASE WHEN amount = rest THEN p_at END
	WHERE o.id = p_order;
	INSERT INTO p2p_trades (id, order_id, maker_id, taker_id, amount, gross, fee, difference, traded_at)
	VALUES (p_trade, p_order, v_order.maker_id, p_taker, amount, gross, fee, v_difference, p_at);
	PERFORM jobs_enqueue('p2p_traded', jsonb_build_object('id', p_trade, 'rest', (rest - amount)::text, 'takerEmail', v_email,
		'makerEmail', access_email(v_order.maker_id), 'together', to_jsonb(p_together)), p_at);
	-- Last, because it locks accounts that many trades share, the fees above all. What is missing in the taker's funding comes from spot first:
	-- the maker sees one amount.
	PERFORM ledger_write('p2p_traded', 'p2p_trade', p_trade::text, 'p2p-trade:' || p_trade, p_actor, (
		SELECT jsonb_agg(jsonb_build_object('source', m.source, 'sourceKind', m.source_kind, 'destination', m.destination,
			'destinationKind', m.destination_kind, 'currency', m.currency, 'amount', m.units::text) ORDER BY m.place)
		FROM (VALUES
			(1, v_order.maker_id, 'frozen', p_taker, 'funding', v_order.asset_currency, amount),
			(2, p_taker, 'spot', p_taker, 'funding', v_order.settlement_currency, v_gap),
			(3, p_taker, 'funding', v_order.maker_id, 'funding', v_order.settlement_currency, gross - fee),
			(4, p_taker, 'funding', '00000000-0000-0000-0000-000000000000'::uuid, 'fees', v_order.settlement_currency, fee)
		) AS m(place, source, source_kind, destination, destination_kind, currency, units)
		WHERE m.units > 0
	), p_at);
	RETURN NEXT;
END $$;
