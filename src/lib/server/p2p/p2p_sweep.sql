-- A customer buys an amount from the best orders of the book, each by p2p_buy, which judges it and books a trade apiece; all of them or
-- none. Of p_trades, the ids of the trades, as many orders are taken at most. The refusal is that of p2p_judge, or
--   short    the orders have less than p_least together
--   moved    they had enough before they were locked: another purchase took of them, and other orders may take their place
--   dear     they cost more than p_most
-- `amount` and `gross` say what there is, also where it is refused for that.
-- First all rows are locked: orders in the order of their ids, then accounts by ledger_lock_all. So purchases do not wait in a circle.
-- A refusal undoes everything, locks too: the caller may try again in the same transaction, and then locks other rows.
CREATE OR REPLACE FUNCTION p2p_sweep(p_trades uuid[], p_taker uuid, p_actor text, p_session uuid, p_proved_since timestamptz, p_amount numeric, p_least numeric, p_most numeric, p_reference numeric, p_unit numeric, p_day_limit numeric, p_undeclared text, p_at timestamptz)
RETURNS TABLE (refusal text, amount numeric, gross numeric, trades jsonb, undeclared text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	v_orders uuid[];
	v_parts numeric[];
	v_seen numeric;
	v_count integer;
	v_filled record;
BEGIN
	PERFORM access_lock(p_taker);
	IF NOT access_proved(p_taker, p_session, p_proved_since) THEN
		refusal := 'proof';
		RETURN NEXT;
		RETURN;
	END IF;
	BEGIN
		SELECT coalesce(array_agg(n.order_id), '{}'), coalesce(sum(n.amount), 0) INTO v_orders, v_seen
		FROM p2p_plan(p_taker, p_amount, cardinality(p_trades), NULL, p_reference, p_unit, p_at) n;
		PERFORM o.id FROM p2p_orders o WHERE o.id = ANY (v_orders) ORDER BY o.id FOR UPDATE;
		PERFORM ledger_lock_all((
			SELECT jsonb_agg(jsonb_build_object('owner', m.owner, 'currency', m.currency, 'kind', m.kind))
			FROM (
				SELECT o.maker_id, k.currency, k.kind
				FROM p2p_orders o
				CROSS JOIN LATERAL (VALUES (o.asset_currency, 'frozen'), (o.settlement_currency, 'funding')) AS k(currency, kind)
				WHERE o.id = ANY (v_orders)
				UNION ALL VALUES (p_taker, 'CPC', 'funding'), (p_taker, 'USDC', 'funding'), (p_taker, 'USDC', 'spot'),
					('00000000-0000-0000-0000-000000000000'::uuid, 'USDC', 'fees')
			) AS m(owner, currency, kind)));

		-- Planned again over what is locked: another purchase may have taken a part.
		SELECT array_agg(n.order_id), array_agg(n.amount), coalesce(sum(n.amount), 0), coalesce(sum(n.gross), 0), count(*)
		INTO v_orders, v_parts, amount, gross, v_count
		FROM p2p_plan(p_taker, p_amount, cardinality(p_trades), v_orders, p_reference, p_unit, p_at) n;
		refusal := CASE
			WHEN p_reference IS NULL THEN 'unpriced'
			WHEN (amount < p_least OR amount = 0) AND amount < v_seen THEN 'moved'
			WHEN amount < p_least OR amount = 0 THEN 'short'
			WHEN gross > p_most THEN 'dear'
		END;
		IF refusal IS NOT NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'P2P00', MESSAGE = refusal;
		END IF;
		trades := '[]';
		FOR i IN 1 .. v_count LOOP
			SELECT * INTO v_filled FROM p2p_buy(p_trades[i], p_taker, p_actor, p_session, p_proved_since, v_orders[i], v_parts[i], p_reference,
				p_unit, p_day_limit, p_undeclared, p_at, p_trades[1:v_count]);
			IF v_filled.refusal IS NOT NULL THEN
				RAISE EXCEPTION USING ERRCODE = 'P2P00', MESSAGE = v_filled.refusal, DETAIL = coalesce(v_filled.undeclared, '');
			END IF;
			trades := trades || jsonb_build_object('id', p_trades[i], 'orderId', v_orders[i], 'assetAmount', v_filled.amount::text,
				'grossSettlementAmount', v_filled.gross::text, 'settlementFeeAmount', v_filled.fee::text);
		END LOOP;
	EXCEPTION WHEN SQLSTATE 'P2P00' THEN
		GET STACKED DIAGNOSTICS refusal = MESSAGE_TEXT, undeclared = PG_EXCEPTION_DETAIL;
		trades := NULL;
	END;
	RETURN NEXT;
END $$;
