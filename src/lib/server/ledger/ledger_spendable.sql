-- What a customer can spend of a currency, in smallest units.
CREATE OR REPLACE FUNCTION ledger_spendable(p_owner uuid, p_currency text, OUT funding numeric, OUT spot numeric) LANGUAGE plpgsql STABLE AS $$
BEGIN
	SELECT coalesce(sum(a.balance) FILTER (WHERE a.kind = 'funding'), 0), coalesce(sum(a.balance) FILTER (WHERE a.kind = 'spot'), 0)
	INTO funding, spot FROM accounts a WHERE a.owner_id = p_owner AND a.currency = p_currency;
END $$;
