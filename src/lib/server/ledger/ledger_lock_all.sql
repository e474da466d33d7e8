-- Locks accounts until the transaction ends, and opens those that do not exist yet, in the order in which each booking locks its own (ledger_write
-- says it). p_accounts: [{"owner": id, "currency": code, "kind": kind}, …]. Of a house account, the row that this connection books in.
-- A transaction with several bookings that calls it first, for the accounts of all of them, does not wait in a circle with another one that does.
CREATE OR REPLACE FUNCTION ledger_lock_all(p_accounts jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_fund constant text := 'staking_rewards';
	v_slot constant smallint := pg_backend_pid() % 16;
	a record;
BEGIN
	FOR a IN
		SELECT DISTINCT x.owner, x.currency, x.kind, CASE WHEN x.owner = c_house AND x.kind <> c_fund THEN v_slot ELSE 0 END AS slot
		FROM jsonb_to_recordset(p_accounts) AS x(owner uuid, currency text, kind text) ORDER BY 1, 2, 3
	LOOP
		PERFORM FROM accounts c WHERE c.owner_id = a.owner AND c.currency = a.currency AND c.kind = a.kind AND c.slot = a.slot FOR UPDATE;
		IF NOT FOUND THEN
			INSERT INTO accounts (owner_id, currency, kind, slot) VALUES (a.owner, a.currency, a.kind, a.slot) ON CONFLICT DO NOTHING;
			-- Where another transaction has opened it meanwhile.
			PERFORM FROM accounts c WHERE c.owner_id = a.owner AND c.currency = a.currency AND c.kind = a.kind AND c.slot = a.slot FOR UPDATE;
		END IF;
	END LOOP;
END $$;
