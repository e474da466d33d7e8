-- Locks accounts until the transaction ends, without waiting for one of a customer. One element an account: p_owners to p_kinds. Returns a row for
-- each, by its place from 1: `balance`, null where another transaction has the account, and `is_open`, false where it does not exist yet.
-- A caller then books only on accounts that are open. If it opened one, it could wait for a transaction that waits for an account that it has.
-- Of a house account it locks, and opens, the row that this connection books in. It waits for it before it locks any other account.
CREATE OR REPLACE FUNCTION ledger_lock_free(p_owners uuid[], p_currencies text[], p_kinds text[]) RETURNS TABLE (place integer, balance numeric, is_open boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_fund constant text := 'staking_rewards';
	v_slot constant smallint := pg_backend_pid() % 16;
BEGIN
	PERFORM ledger_lock_all((
		SELECT jsonb_agg(jsonb_build_object('owner', x.owner, 'currency', x.currency, 'kind', x.kind))
		FROM unnest(p_owners, p_currencies, p_kinds) AS x(owner, currency, kind) WHERE x.owner = c_house
	));
	RETURN QUERY
	SELECT x.n::integer, l.balance, l.balance IS NOT NULL OR (
		SELECT a.id FROM accounts a WHERE a.owner_id = x.owner AND a.currency = x.currency AND a.kind = x.kind AND a.slot = s.slot LIMIT 1
	) IS NOT NULL
	FROM unnest(p_owners, p_currencies, p_kinds) WITH ORDINALITY AS x(owner, currency, kind, n)
	CROSS JOIN LATERAL (SELECT CASE WHEN x.owner = c_house AND x.kind <> c_fund THEN v_slot ELSE 0 END AS slot) s
	LEFT JOIN LATERAL (
		SELECT a.balance FROM accounts a WHERE a.owner_id = x.owner AND a.currency = x.currency AND a.kind = x.kind AND a.slot = s.slot
		FOR UPDATE SKIP LOCKED
	) l ON true;
END $$;
