-- Locks accounts that several bookings of one transaction will change, in id order, as each booking locks its own: two transactions that
-- change the same accounts cannot wait for each other. p_accounts: [{"owner": id, "currency": code, "kind": kind}, …]. Of a house account, the
-- row that this connection books in. An account that does not exist yet is left out: its first booking makes it.
CREATE OR REPLACE FUNCTION ledger_lock_all(p_accounts jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	PERFORM a.id FROM accounts a
	JOIN (SELECT DISTINCT x.owner, x.currency, x.kind FROM jsonb_to_recordset(p_accounts) AS x(owner uuid, currency text, kind text)) x
		ON a.owner_id = x.owner AND a.currency = x.currency AND a.kind = x.kind
	WHERE a.owner_id <> '00000000-0000-0000-0000-000000000000' OR a.slot = pg_backend_pid() % 16
	ORDER BY a.id FOR UPDATE OF a;
END $$;
