-- Locks an owner's accounts of a currency until the transaction ends, of one kind or of all (p_kind null), and returns their balances. As the
-- owner of the tables, because a process may lock accounts that it may not change.
CREATE OR REPLACE FUNCTION ledger_lock(p_owner uuid, p_currency text, p_kind text) RETURNS TABLE (kind text, balance numeric) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	RETURN QUERY SELECT a.kind, a.balance FROM accounts a
	WHERE a.owner_id = p_owner AND a.currency = p_currency AND (p_kind IS NULL OR a.kind = p_kind)
	ORDER BY a.kind, a.slot FOR UPDATE;
END $$;
