-- A customer buys from an order, as p2p_judge allows. Only p2p_fill, p2p_fill_many and p2p_sweep call it; no user of the database may. All is done
-- in one call, because many may want the same orders at once. Locks the taker, then the order, and then the accounts, unless it is refused for another
-- reason than funds. If it is refused, returns the refusal and changes nothing, except that it may have opened accounts that it needs;
-- otherwise writes order, trade and books. p_together: all trades of the purchase; the buyer gets one mail for them. As the owner of the tables: web
-- itself books no trade and writes none.
CREATE OR REPLACE FUNCTION p2p_buy(p_trade uuid, p_taker uuid, p_actor text, p_session uuid, p_proved_since timestamptz, p_order uuid, p_amount numeric, p_reference numeric, p_unit numeric, p_day_limit numeric, p_undeclared text, p_at timestamptz, p_together uuid[])
RETURNS TABLE (refusal text, amount numeric, gross numeric, fee numeric, rest numeric, smallest numeric, undeclared text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	v_email text;
	v_order p2p_orders;
	v_funding numeric;
	v_spot numeric;
	v_judged numeric[];
	v_are_locked boolean := false;
	v_difference numeric;
	v_gap numeric;
BEGIN
	SELECT l.email INTO v_email FROM access_lock(p_taker) l;
	SELECT * INTO v_order FROM p2p_orders o WHERE o.id = p_order FOR UPDATE;
	SELECT s.funding, s.spot INTO v_funding, v_spot FROM ledger_spendable(p_taker, v_order.settlement_currency) s;
	LOOP
		SELECT j.refusal, j.amount, j.gross, j.fee, j.rest, v_order.smallest_fill, j.undeclared, j.difference, j.gap
		INTO refusal, amount, gross, fee, rest, smallest, undeclared, v_difference, v_gap
		FROM p2p_judge(v_order, p_taker, p_session, p_proved_since, p_amount, p_reference,
			rates_accepted('CPC') / nullif(rates_accepted('USDC'), 0), p_unit, p_day_limit, p_undeclared, v_funding, v_spot, p_at) j;
		EXIT WHEN v_are_locked OR refusal <> 'funds';
		PERFORM ledger_lock_all((
			SELECT jsonb_agg(jsonb_build_object('owner', m.owner, 'currency', m.currency, 'kind', m.kind))
			FROM (VALUES
				(v_order.maker_id, v_order.asset_currency, 'frozen'), (v_order.maker_id, v_order.settlement_currency, 'funding'),
				(p_taker, v_order.asset_currency, 'funding'), (p_taker, v_order.settlement_currency, 'funding'), (p_taker, v_order.settlement_currency, 'spot'),
				(c_house, v_order.settlement_currency, 'fees')
			) AS m(owner, currency, kind)
		));
		v_are_locked := true;
		-- Judged once more where another booking has changed the balances until they were locked.
		v_judged := ARRAY[v_funding, v_spot];
		SELECT s.funding, s.spot INTO v_funding, v_spot FROM ledger_spendable(p_taker, v_order.settlement_currency) s;
		EXIT WHEN v_judged = ARRAY[v_funding, v_spot];
	END LOOP;
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
	-- What is missing in the taker's funding comes from spot first: the maker sees one amount.
	PERFORM ledger_write('p2p_traded', 'p2p_trade', p_trade::text, 'p2p-trade:' || p_trade, p_actor, (
		SELECT jsonb_agg(jsonb_build_object('source', m.source, 'sourceKind', m.source_kind, 'destination', m.destination,
			'destinationKind', m.destination_kind, 'currency', m.currency, 'amount', m.units::text) ORDER BY m.place)
		FROM (VALUES
			(1, v_order.maker_id, 'frozen', p_taker, 'funding', v_order.asset_currency, amount),
			(2, p_taker, 'spot', p_taker, 'funding', v_order.settlement_currency, v_gap),
			(3, p_taker, 'funding', v_order.maker_id, 'funding', v_order.settlement_currency, gross - fee),
			(4, p_taker, 'funding', c_house, 'fees', v_order.settlement_currency, fee)
		) AS m(place, source, source_kind, destination, destination_kind, currency, units)
		WHERE m.units > 0
	), p_at);
	RETURN NEXT;
END $$;
