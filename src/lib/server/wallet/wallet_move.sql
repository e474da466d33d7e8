-- Moves an amount between two accounts of one customer and returns their balance after it as `balance`: p_answer with its figures. With a key it
-- does so once: a repeat gets the stored balance, and another request with the same key gets null. All in one round trip. A refusal by the
-- books is returned as `refused`, the constraint that would be broken; nothing is kept then, the key neither.
CREATE OR REPLACE FUNCTION wallet_move(p_actor text, p_key text, p_hash text, p_owner uuid, p_from text, p_to text, p_currency text, p_amount numeric, p_source_id text, p_answer jsonb, p_at timestamptz, OUT balance jsonb, OUT refused text)
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = off SET jit = off AS $$
DECLARE
	v_taken record;
BEGIN
	IF p_key IS NOT NULL THEN
		SELECT * INTO v_taken FROM idempotency_take(p_actor, p_key, p_hash, p_at);
		IF NOT v_taken.is_new THEN
			balance := v_taken.answer;
			RETURN;
		END IF;
	END IF;
	PERFORM ledger_post('moved_between_accounts', 'move', p_source_id, 'move:' || p_source_id, p_actor,
		jsonb_build_array(jsonb_build_object('source', p_owner, 'sourceKind', p_from, 'destination', p_owner, 'destinationKind', p_to,
			'currency', p_currency, 'amount', p_amount::text)), p_at);
	balance := wallet_balance(p_answer, p_owner, p_currency);
	IF p_key IS NOT NULL THEN
		PERFORM idempotency_keep(p_actor, p_key, balance);
	END IF;
EXCEPTION WHEN check_violation OR unique_violation THEN
	GET STACKED DIAGNOSTICS refused = CONSTRAINT_NAME;
	IF refused NOT IN ('accounts_balance_not_negative', 'ledger_transactions_reference') THEN
		RAISE;
	END IF;
	balance := NULL;
END $$;
