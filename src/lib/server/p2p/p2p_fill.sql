-- A customer buys from one order: p2p_judge says what is checked and what is refused.
CREATE OR REPLACE FUNCTION p2p_fill(p_trade uuid, p_taker uuid, p_actor text, p_session uuid, p_proved_since timestamptz, p_order uuid, p_amount numeric, p_reference numeric, p_unit numeric, p_day_limit numeric, p_undeclared text, p_at timestamptz)
RETURNS TABLE (refusal text, amount numeric, gross numeric, fee numeric, rest numeric, smallest numeric, undeclared text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
BEGIN
	RETURN QUERY SELECT * FROM p2p_buy(p_trade, p_taker, p_actor, p_session, p_proved_since, p_order, p_amount, p_reference, p_unit, p_day_limit,
		p_undeclared, p_at, ARRAY[p_trade]);
END $$;
