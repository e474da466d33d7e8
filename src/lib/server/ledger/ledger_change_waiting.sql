-- Changes the balance of an account that ledger_write could not change at once: it does not exist yet, or it is short. Short was judged without
-- waiting for a transaction that may just be crediting it, so the account is opened or locked, and judged again.
-- Returns its id, its balance with the change, and whether it is short: then the change was not made. Only ledger_write and ledger_write_several call
-- it, and the settings of ledger_write hold here.
CREATE OR REPLACE FUNCTION ledger_change_waiting(p_owner uuid, p_currency text, p_kind text, p_slot smallint, p_change numeric, OUT id bigint, OUT balance numeric, OUT is_short boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
	PERFORM ledger_lock_all(jsonb_build_array(jsonb_build_object('owner', p_owner, 'currency', p_currency, 'kind', p_kind)));
	SELECT c.id, c.balance + p_change, (p_owner <> '00000000-0000-0000-0000-000000000000' OR p_kind = 'staking_rewards') AND c.balance + p_change < 0 OR abs(c.balance + p_change) >= 1e78
	INTO ledger_change_waiting.id, ledger_change_waiting.balance, ledger_change_waiting.is_short
	FROM accounts c WHERE c.owner_id = p_owner AND c.currency = p_currency AND c.kind = p_kind AND c.slot = p_slot;
	IF NOT ledger_change_waiting.is_short THEN
		UPDATE accounts c SET balance = ledger_change_waiting.balance WHERE c.id = ledger_change_waiting.id;
	END IF;
END $$;
