-- True if a process with this database user may book these transfers for this reason. A user that is not listed here is the owner of the
-- tables, e.g. where one user does everything. `house` stands for any of our own accounts, `customer` for any of a customer's; `same` in the
-- last column: both sides belong to one customer. A withdrawal is given back under its own reference alone, which the signer looks for; what
-- two persons decide is booked under the reference of what it is about, so that `npm run ledger:verify` can compare it with the decision.
CREATE OR REPLACE FUNCTION ledger_may_post(p_user text, p_reason text, p_source_id text, p_reference text, p_transfers jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	c_house constant uuid := '00000000-0000-0000-0000-000000000000';
	c_customer_kinds constant text[] := ARRAY['spot', 'funding', 'frozen', 'outgoing', 'staked', 'locked', 'reward'];
BEGIN
	-- A booking without transfers would use up the reference of another.
	RETURN jsonb_array_length(p_transfers) > 0 AND (p_reason <> 'withdrawal_returned' OR p_reference = 'withdrawal:' || p_source_id || ':back')
		AND (p_reason <> 'suspense_decided' OR p_reference = 'suspense:' || p_source_id)
		AND (p_reason <> 'fund_filled' OR p_reference = 'fund:' || p_source_id)
		AND (p_reason <> 'adjustment' OR p_reference = 'charged:' || p_source_id
			OR NOT jsonb_path_exists(p_transfers, '$[*] ? (@.destinationKind == "losses")'))
		AND NOT EXISTS (
		SELECT FROM jsonb_to_recordset(p_transfers)
			AS t(source uuid, "sourceKind" text, destination uuid, "destinationKind" text)
		-- An account of ours with the kind of a customer's could go below zero, and so make money.
		WHERE (t.source = c_house) = (t."sourceKind" = ANY (c_customer_kinds))
			OR (t.destination = c_house) = (t."destinationKind" = ANY (c_customer_kinds))
			OR NOT EXISTS (
				SELECT FROM (VALUES
					('wallet_web', 'moved_between_accounts', 'spot', 'funding', 'same'),
					('wallet_web', 'moved_between_accounts', 'funding', 'spot', 'same'),
					('wallet_web', 'moved_between_accounts', 'reward', 'spot', 'same'),
					('wallet_web', 'withdrawal_requested', 'spot', 'outgoing', 'same'),
					('wallet_web', 'withdrawal_requested', 'funding', 'outgoing', 'same'),
					('wallet_web', 'p2p_listed', 'spot', 'frozen', 'same'),
					('wallet_web', 'p2p_listed', 'funding', 'frozen', 'same'),
					('wallet_web', 'p2p_cancelled', 'frozen', 'spot', 'same'),
					('wallet_web', 'p2p_cancelled', 'frozen', 'funding', 'same'),
					('wallet_web', 'deposit_reverted', 'spot', 'losses', ''),
					('wallet_web', 'deposit_reverted', 'funding', 'losses', ''),
					('wallet_worker', 'order_completed', 'bank', 'treasury', ''),
					('wallet_worker', 'order_completed', 'bank', 'fees', ''),
					('wallet_worker', 'order_completed', 'suspense', 'treasury', ''),
					('wallet_worker', 'order_completed', 'suspense', 'fees', ''),
					('wallet_worker', 'order_completed', 'suspense', 'refunds', ''),
					('wallet_worker', 'order_completed', 'owed', 'treasury', ''),
					('wallet_worker', 'order_completed', 'treasury', 'rewards', ''),
					('wallet_worker', 'order_completed', 'treasury', 'customer', ''),
					('wallet_worker', 'order_completed', 'rewards', 'reward', ''),
					('wallet_worker', 'order_completed', 'reward', 'rewards', ''),
					('wallet_worker', 'payment_unmatched', 'house', 'house', ''),
					('wallet_worker', 'payment_returned', 'house', 'house', ''),
					('wallet_worker', 'payment_refunded', 'house', 'house', ''),
					('wallet_worker', 'bank_debit', 'house', 'house', ''),
					('wallet_worker', 'bank_opening_balance', 'house', 'house', ''),
					('wallet_worker', 'reward_taken_back', 'reward', 'rewards', ''),
					('wallet_worker', 'deposit_credited', 'chain', 'spot', ''),
					('wallet_worker', 'deposit_credited', 'chain', 'losses', ''),
					('wallet_worker', 'deposit_credited', 'suspense', 'chain', ''),
					('wallet_worker', 'deposit_credited', 'suspense', 'spot', ''),
					('wallet_worker', 'deposit_credited', 'suspense', 'losses', ''),
					('wallet_worker', 'deposit_kept', 'house', 'house', ''),
					('wallet_worker', 'deposit_reverted', 'house', 'house', ''),
					('wallet_worker', 'deposit_reverted', 'customer', 'house', ''),
					('wallet_worker', 'house_funding', 'house', 'house', ''),
					('wallet_worker', 'surplus_kept', 'chain', 'suspense', ''),
					('wallet_worker', 'suspense_returned', 'suspense', 'house', ''),
					('wallet_worker', 'withdrawal_confirmed', 'outgoing', 'house', ''),
					('wallet_worker', 'withdrawal_returned', 'outgoing', 'customer', 'same'),
					('wallet_worker', 'withdrawal_returned', 'outgoing', 'fees', ''),
					('wallet_worker', 'network_fee', 'fees', 'chain', ''),
					('wallet_worker', 'network_fee', 'fees', 'cold', ''),
					('wallet_worker', 'cold_moved', 'cold', 'chain', ''),
					('wallet_worker', 'cold_refilled', 'chain', 'cold', ''),
					('wallet_worker', 'adjustment', 'losses', 'chain', ''),
					('wallet_worker', 'adjustment', 'spot', 'losses', ''),
					('wallet_worker', 'adjustment', 'funding', 'losses', ''),
					('wallet_worker', 'adjustment', 'staked', 'treasury', ''),
					('wallet_worker', 'adjustment', 'locked', 'treasury', ''),
					('wallet_worker', 'p2p_cancelled', 'frozen', 'spot', 'same'),
					('wallet_worker', 'p2p_cancelled', 'frozen', 'funding', 'same'),
					('wallet_worker', 'staking_rewarded', 'staking_rewards', 'reward', ''),
					('wallet_worker', 'staking_returned', 'staked', 'spot', 'same'),
					('wallet_worker', 'bonus_released', 'locked', 'spot', 'same'),
					('wallet_worker', 'stock_settled', 'owed', 'treasury', ''),
					('wallet_worker', 'stock_settled', 'treasury', 'owed', ''),
					('wallet_worker', 'stock_settled', 'treasury', 'rewards', ''),
					('wallet_worker', 'suspense_decided', 'suspense', 'spot', ''),
					('wallet_worker', 'suspense_decided', 'suspense', 'losses', ''),
					('wallet_worker', 'suspense_decided', 'suspense', 'treasury', ''),
					('wallet_worker', 'fund_filled', 'owed', 'treasury', ''),
					('wallet_worker', 'fund_filled', 'treasury', 'staking_rewards', '')
				) AS r(db_user, reason, source_kind, destination_kind, owners)
				WHERE r.db_user = p_user AND r.reason = p_reason
					AND (r.source_kind = t."sourceKind" OR r.source_kind = CASE WHEN t.source = c_house THEN 'house' ELSE 'customer' END)
					AND (r.destination_kind = t."destinationKind"
						OR r.destination_kind = CASE WHEN t.destination = c_house THEN 'house' ELSE 'customer' END)
					AND (r.owners = '' OR t.source = t.destination)
			)
	);
END $$;
