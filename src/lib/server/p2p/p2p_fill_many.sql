-- p2p_fill for many customers at once, a purchase each, of any orders. One element a purchase; p_keys and p_amounts may be null as with p2p_fill.
-- Returns the place, from 1, and the answer of each purchase that was made. Of one that is left out nothing is kept, except that accounts may have
-- been opened: it is to be made alone, where it waits, gets the answer that its key has, or hears why it is refused. Left out is
--   whose customer, order or account another transaction has, or which would open an account of a customer; one that comes alone opens it
--   whose key was used or is in use
--   which p2p_judge refuses
--   whose buyer sells to another one of them, or whose seller buys: what is judged for one could depend on the other
-- Locks customers, then orders, then accounts, as p2p_buy does. Judges all before it writes anything; each purchase of an order counts on those
-- before it. Fails as a whole, with nothing bought, as ledger_write_many does, and with lock_not_available where it would wait too long.
-- The calls of all processes take turns: two at once would have orders and sellers in common, and each would leave out what the other has. A call
-- waits at most 250 ms for its turn. With its turn, it waits at most 50 ms for a lock: with many purchases only for accounts of the house; with one
-- purchase, which p2p_buy makes, also for customer, order and accounts.
CREATE OR REPLACE FUNCTION p2p_fill_many(p_trades uuid[], p_takers uuid[], p_actors text[], p_keys text[], p_hashes text[], p_sessions uuid[], p_orders uuid[], p_amounts numeric[], p_references numeric[], p_day_limits numeric[], p_unit numeric, p_proved_since timestamptz, p_at timestamptz)
RETURNS TABLE (request integer, answer jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off SET lock_timeout = '250ms' AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_settlement constant text := 'USDC';
	-- Of each purchase: three of the buyer and two of the seller. All must be open, but for spot: nothing comes from one that is not.
	c_accounts constant integer := 5;
	-- The purchases of which buyer and order could be locked, by their places, and what was locked for them.
	v_due integer[];
	v_takers uuid[];
	v_emails text[];
	v_orders p2p_orders[];
	v_order_ids uuid[];
	v_owners uuid[] := '{}';
	v_currencies text[] := '{}';
	v_kinds text[] := '{}';
	v_balances numeric[];
	-- Of each purchase that is made: its place, and what it comes to.
	v_made integer[] := '{}';
	v_makers uuid[] := '{}';
	v_buyers uuid[] := '{}';
	v_assets text[] := '{}';
	v_bought numeric[] := '{}';
	v_gross numeric[] := '{}';
	v_fees numeric[] := '{}';
	v_gaps numeric[] := '{}';
	v_differences numeric[] := '{}';
	v_rests numeric[] := '{}';
	v_jobs jsonb[];
	v_answers jsonb[];
	v_accepted numeric;
	v_order p2p_orders;
	v_place integer;
	v_first integer;
	v_refused text;
	v_state text;
	n integer;
	j record;
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('p2p_fill_many', 0));
	PERFORM set_config('lock_timeout', '50ms', true);
	IF cardinality(p_trades) = 1 THEN
		IF p_keys[1] IS NOT NULL THEN
			SELECT l.state INTO v_state FROM idempotency_look(p_actors, p_keys, p_hashes) l;
			IF v_state IS DISTINCT FROM 'new' THEN
				RETURN;
			END IF;
		END IF;
		SELECT * INTO j FROM p2p_buy(p_trades[1], p_takers[1], p_actors[1], p_sessions[1], p_proved_since, p_orders[1], p_amounts[1], p_references[1],
			p_unit, p_day_limits[1], '', p_at, p_trades);
		IF FOUND AND j.refusal IS NULL THEN
			request := 1;
			answer := jsonb_build_object('id', p_trades[1], 'orderId', p_orders[1], 'assetAmount', j.amount::text, 'grossSettlementAmount', j.gross::text,
				'settlementFeeAmount', j.fee::text);
			IF p_keys[1] IS NOT NULL THEN
				PERFORM idempotency_keep_many(p_actors, p_keys, p_hashes, ARRAY[answer], p_at);
			END IF;
			RETURN NEXT;
		END IF;
		RETURN;
	END IF;

	v_accepted := rates_accepted('CPC') / nullif(rates_accepted('USDC'), 0);
	SELECT array_agg(l.request ORDER BY l.request) INTO v_due FROM idempotency_look(p_actors, p_keys, p_hashes) l WHERE l.state = 'new';
	SELECT array_agg(l.user_id), array_agg(l.email) INTO v_takers, v_emails
	FROM access_lock_free((SELECT array_agg(p_takers[d.n]) FROM unnest(v_due) AS d(n))) l;
	SELECT array_agg(l.o), array_agg((l.o).id) INTO v_orders, v_order_ids
	FROM (SELECT o FROM p2p_orders o WHERE o.id = ANY (p_orders) AND o.settlement_currency = c_settlement FOR UPDATE SKIP LOCKED) l;
	SELECT array_agg(d.n ORDER BY d.n) INTO v_due FROM unnest(v_due) AS d(n) WHERE p_takers[d.n] = ANY (v_takers) AND p_orders[d.n] = ANY (v_order_ids);
	IF v_due IS NULL THEN
		RETURN;
	END IF;
	FOREACH n IN ARRAY v_due LOOP
		v_order := v_orders[array_position(v_order_ids, p_orders[n])];
		v_owners := v_owners || ARRAY[p_takers[n], p_takers[n], p_takers[n], v_order.maker_id, v_order.maker_id];
		v_kinds := v_kinds || ARRAY['funding', 'spot', 'funding', 'funding', 'frozen'];
		v_currencies := v_currencies || ARRAY[c_settlement, c_settlement, v_order.asset_currency, c_settlement, v_order.asset_currency];
	END LOOP;
	SELECT array_agg(CASE WHEN l.is_open THEN l.balance WHEN v_kinds[l.place] = 'spot' THEN 0 END ORDER BY l.place) INTO v_balances
	FROM ledger_lock_free(v_owners || c_house, v_currencies || c_settlement, v_kinds || 'fees'::text) l;

	FOR k IN 1 .. cardinality(v_due) LOOP
		n := v_due[k];
		v_first := (k - 1) * c_accounts + 1;
		v_place := array_position(v_order_ids, p_orders[n]);
		v_order := v_orders[v_place];
		CONTINUE WHEN array_position(v_balances[v_first:v_first + c_accounts - 1], NULL) IS NOT NULL
			OR p_takers[n] = ANY (v_makers) OR p_takers[n] = ANY (v_buyers) OR v_order.maker_id = ANY (v_buyers);
		j := p2p_judge(v_order, p_takers[n], p_sessions[n], p_proved_since, p_amounts[n], p_references[n], v_accepted, p_unit, p_day_limits[n], '',
			v_balances[v_first], v_balances[v_first + 1], p_at);
		CONTINUE WHEN j.refusal IS NOT NULL;
		v_order.filled_amount := v_order.filled_amount + j.amount;
		v_order.gross_settled := v_order.gross_settled + j.gross;
		v_order.fee_settled := v_order.fee_settled + j.fee;
		IF j.amount = j.rest THEN
			v_order.status := 'COMPLETED';
			v_order.completed_at := p_at;
		END IF;
		v_orders[v_place] := v_order;
		v_made := v_made || n;
		v_buyers := v_buyers || p_takers[n];
		v_makers := v_makers || v_order.maker_id;
		v_assets := v_assets || v_order.asset_currency;
		v_bought := v_bought || j.amount;
		v_gross := v_gross || j.gross;
		v_fees := v_fees || j.fee;
		v_gaps := v_gaps || j.gap;
		v_differences := v_differences || j.difference;
		v_rests := v_rests || j.rest - j.amount;
	END LOOP;
	IF v_made = '{}' THEN
		RETURN;
	END IF;

	UPDATE p2p_orders o SET filled_amount = x.filled_amount, gross_settled = x.gross_settled, fee_settled = x.fee_settled, status = x.status,
		completed_at = x.completed_at
	FROM unnest(v_orders) AS x WHERE o.id = x.id AND o.id = ANY (v_order_ids) AND o.filled_amount <> x.filled_amount;
	INSERT INTO p2p_trades (id, order_id, maker_id, taker_id, amount, gross, fee, difference, traded_at)
	SELECT p_trades[x.n], p_orders[x.n], x.maker, p_takers[x.n], x.amount, x.gross, x.fee, x.difference, p_at
	FROM unnest(v_made, v_makers, v_bought, v_gross, v_fees, v_differences) AS x(n, maker, amount, gross, fee, difference);
	SELECT
		array_agg(jsonb_build_object('id', p_trades[x.n], 'rest', x.rest::text, 'takerEmail', v_emails[array_position(v_takers, x.taker)],
			'makerEmail', access_email(x.maker), 'together', jsonb_build_array(p_trades[x.n])) ORDER BY x.k),
		array_agg(jsonb_build_object('id', p_trades[x.n], 'orderId', p_orders[x.n], 'assetAmount', x.bought::text,
			'grossSettlementAmount', x.gross::text, 'settlementFeeAmount', x.fee::text) ORDER BY x.k)
	INTO v_jobs, v_answers
	FROM unnest(v_made, v_makers, v_buyers, v_bought, v_gross, v_fees, v_rests) WITH ORDINALITY AS x(n, maker, taker, bought, gross, fee, rest, k);
	PERFORM jobs_enqueue_many('p2p_traded', v_jobs, p_at);
	PERFORM idempotency_keep_many(array_agg(p_actors[x.n] ORDER BY x.k), array_agg(p_keys[x.n] ORDER BY x.k), array_agg(p_hashes[x.n] ORDER BY x.k), v_answers, p_at)
	FROM unnest(v_made) WITH ORDINALITY AS x(n, k);
	SELECT max(w.refused) INTO v_refused
	FROM (
		SELECT array_agg('p2p_traded'::text) AS reasons, array_agg('p2p_trade'::text) AS types, array_agg(p_trades[x.n]::text ORDER BY x.k) AS ids,
			array_agg('p2p-trade:' || p_trades[x.n] ORDER BY x.k) AS refs, array_agg(p_actors[x.n] ORDER BY x.k) AS actors, array_agg(p_at) AS ats,
			array_agg(NULL::text) AS refused
		FROM unnest(v_made) WITH ORDINALITY AS x(n, k)
	) b
	CROSS JOIN (
		SELECT array_agg(x.k::integer ORDER BY x.k, m.place) AS bookings, array_agg(m.source ORDER BY x.k, m.place) AS sources,
			array_agg(m.source_kind ORDER BY x.k, m.place) AS source_kinds, array_agg(m.destination ORDER BY x.k, m.place) AS destinations,
			array_agg(m.destination_kind ORDER BY x.k, m.place) AS destination_kinds, array_agg(m.currency ORDER BY x.k, m.place) AS currencies,
			array_agg(m.units ORDER BY x.k, m.place) AS amounts
		FROM unnest(v_makers, v_buyers, v_assets, v_bought, v_gross, v_fees, v_gaps) WITH ORDINALITY AS x(maker, taker, asset, bought, gross, fee, gap, k)
		CROSS JOIN LATERAL (VALUES
			(1, x.maker, 'frozen', x.taker, 'funding', x.asset, x.bought),
			(2, x.taker, 'spot', x.taker, 'funding', c_settlement, x.gap),
			(3, x.taker, 'funding', x.maker, 'funding', c_settlement, x.gross - x.fee),
			(4, x.taker, 'funding', c_house, 'fees', c_settlement, x.fee)
		) AS m(place, source, source_kind, destination, destination_kind, currency, units)
		WHERE m.units > 0
	) t
	CROSS JOIN LATERAL ledger_write_many(b.reasons, b.types, b.ids, b.refs, b.actors, b.ats, t.bookings, t.sources, t.source_kinds, t.destinations,
		t.destination_kinds, t.currencies, t.amounts, b.refused) w;
	IF v_refused IS NOT NULL THEN
		RAISE EXCEPTION 'a purchase that was judged could not be booked: %', v_refused USING ERRCODE = 'serialization_failure';
	END IF;
	RETURN QUERY SELECT x.n, x.answer FROM unnest(v_made, v_answers) AS x(n, answer);
END $$;
