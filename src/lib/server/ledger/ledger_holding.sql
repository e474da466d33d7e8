-- What a customer has of a currency, by kind, in smallest units.
CREATE OR REPLACE FUNCTION ledger_holding(p_owner uuid, p_currency text, OUT spot numeric, OUT funding numeric, OUT frozen numeric, OUT outgoing numeric, OUT staked numeric, OUT locked numeric, OUT reward numeric) LANGUAGE plpgsql STABLE AS $$
BEGIN
	SELECT coalesce(sum(a.balance) FILTER (WHERE a.kind = 'spot'), 0), coalesce(sum(a.balance) FILTER (WHERE a.kind = 'funding'), 0),
		coalesce(sum(a.balance) FILTER (WHERE a.kind = 'frozen'), 0), coalesce(sum(a.balance) FILTER (WHERE a.kind = 'outgoing'), 0),
		coalesce(sum(a.balance) FILTER (WHERE a.kind = 'staked'), 0), coalesce(sum(a.balance) FILTER (WHERE a.kind = 'locked'), 0),
		coalesce(sum(a.balance) FILTER (WHERE a.kind = 'reward'), 0)
	INTO spot, funding, frozen, outgoing, staked, locked, reward FROM accounts a WHERE a.owner_id = p_owner AND a.currency = p_currency;
END $$;
