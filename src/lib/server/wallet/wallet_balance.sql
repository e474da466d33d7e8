-- A customer's balance of a currency, as the API answers it: p_answer with its figures.
CREATE OR REPLACE FUNCTION wallet_balance(p_answer jsonb, p_owner uuid, p_currency text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
	v_has record;
BEGIN
	SELECT * INTO v_has FROM ledger_holding(p_owner, p_currency);
	RETURN p_answer || jsonb_build_object(
		'mainBalance', v_has.spot::text, 'rewardBalance', v_has.reward::text, 'stakedBalance', v_has.staked::text,
		'lockedBalance', v_has.locked::text, 'outgoingBalance', v_has.outgoing::text,
		'totalBalance', (v_has.spot + v_has.funding + v_has.frozen + v_has.outgoing + v_has.staked + v_has.locked + v_has.reward)::text,
		'wallet', jsonb_build_object('spotBalance', v_has.spot::text, 'fundingBalance',
			jsonb_build_object('total', (v_has.funding + v_has.frozen)::text, 'frozen_balance', v_has.frozen::text)));
END $$;
