-- Five users of the database, so that a stolen password of one process opens no more than that process needs.
--
--   wallet_migrate  owns everything: `npm run migrate`, ROLE=all, and the operators' commands. No process that serves customers has it.
--   wallet_web      ROLE=web
--   wallet_worker   ROLE=worker
--   wallet_signer   ROLE=signer
--   wallet_desk     ROLE=desk
--
-- Run it as wallet_migrate, or as a superuser, after the first `npm run migrate` and after every upgrade; it may run as often as you like,
-- in one transaction, so that no process is without its rights for a moment:
--   psql "$DATABASE_URL" --set ON_ERROR_STOP=1 --single-transaction --file docs/database-roles.sql
-- Then give each user a password (\password wallet_web) and each process its own DATABASE_URL. A table or function without a line here fails a
-- test. What each user may book is in src/lib/server/ledger/ledger_may_post.sql.

DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['wallet_web', 'wallet_worker', 'wallet_signer', 'wallet_desk'] LOOP
		IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = name) THEN
			EXECUTE format('CREATE ROLE %I LOGIN', name);
		END IF;
	END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, wallet_web, wallet_worker, wallet_signer, wallet_desk;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, wallet_web, wallet_worker, wallet_signer, wallet_desk;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public, drizzle TO wallet_web, wallet_worker, wallet_signer, wallet_desk;
-- Whether the database has the steps of a process.
GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO wallet_web, wallet_worker, wallet_signer, wallet_desk;
-- Numbers of new rows.
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO wallet_web, wallet_worker, wallet_signer, wallet_desk;

-- Tables
GRANT SELECT ON accepted_prices TO wallet_web, wallet_signer;
GRANT SELECT, INSERT, UPDATE ON accepted_prices TO wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON alarms TO wallet_worker;
-- accounts: balances: written by ledger_write and ledger_write_many alone
GRANT SELECT ON accounts TO wallet_web, wallet_worker, wallet_signer;
-- bank_files: the desk adds an upload, the worker reads it
GRANT SELECT ON bank_file_entries TO wallet_desk;
GRANT SELECT, INSERT ON bank_file_entries TO wallet_worker;
GRANT SELECT, INSERT, UPDATE (accepted_by, accepted_at, closed_at, content) ON bank_files TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (received_at, problems, content) ON bank_files TO wallet_worker;
-- bank_day_sums: written by the trigger of payments alone
GRANT SELECT ON bank_day_sums TO wallet_worker, wallet_desk;
GRANT SELECT, INSERT, UPDATE ON bank_statements TO wallet_worker;
GRANT SELECT ON bank_statements TO wallet_desk;
GRANT SELECT ON chain_accounts TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON chain_accounts TO wallet_worker, wallet_signer;
-- chain_addresses: web assigns a free one; a trigger keeps an assigned one where it is
GRANT SELECT, UPDATE (user_id, assigned_at) ON chain_addresses TO wallet_web;
GRANT SELECT ON chain_addresses TO wallet_worker;
GRANT SELECT, INSERT ON chain_addresses TO wallet_signer;
GRANT SELECT ON chain_attempt_coins TO wallet_web, wallet_worker;
GRANT SELECT, INSERT ON chain_attempt_coins TO wallet_signer;
GRANT INSERT ON chain_attempt_coins TO wallet_worker;
GRANT SELECT ON chain_attempts TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON chain_attempts TO wallet_worker;
GRANT SELECT, INSERT, UPDATE ON chain_attempts TO wallet_signer;
GRANT SELECT ON chain_blocks TO wallet_web, wallet_signer;
GRANT SELECT, INSERT, DELETE ON chain_blocks TO wallet_worker;
GRANT SELECT ON chain_orders TO wallet_web, wallet_worker, wallet_signer;
GRANT SELECT, INSERT ON chain_orders TO wallet_desk;
GRANT SELECT ON chain_outputs TO wallet_web, wallet_signer;
GRANT SELECT, INSERT, UPDATE, DELETE ON chain_outputs TO wallet_worker;
GRANT SELECT ON chain_sends TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON chain_sends TO wallet_worker;
GRANT SELECT, INSERT, UPDATE ON chain_sends TO wallet_signer;
-- The worker accepts refills that were signed offline. Of every other payment it adds nothing: that is the signer's.
ALTER TABLE chain_sends ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_attempt_coins ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS sends_read ON chain_sends;
DROP POLICY IF EXISTS sends_changed ON chain_sends;
DROP POLICY IF EXISTS sends_of_signer ON chain_sends;
DROP POLICY IF EXISTS sends_of_worker ON chain_sends;
CREATE POLICY sends_read ON chain_sends FOR SELECT TO wallet_web, wallet_worker, wallet_signer, wallet_desk USING (true);
CREATE POLICY sends_changed ON chain_sends FOR UPDATE TO wallet_worker, wallet_signer USING (true) WITH CHECK (true);
CREATE POLICY sends_of_signer ON chain_sends FOR INSERT TO wallet_signer WITH CHECK (true);
CREATE POLICY sends_of_worker ON chain_sends FOR INSERT TO wallet_worker WITH CHECK (purpose = 'refill');
DROP POLICY IF EXISTS attempts_read ON chain_attempts;
DROP POLICY IF EXISTS attempts_changed ON chain_attempts;
DROP POLICY IF EXISTS attempts_of_signer ON chain_attempts;
DROP POLICY IF EXISTS attempts_of_worker ON chain_attempts;
CREATE POLICY attempts_read ON chain_attempts FOR SELECT TO wallet_web, wallet_worker, wallet_signer, wallet_desk USING (true);
CREATE POLICY attempts_changed ON chain_attempts FOR UPDATE TO wallet_worker, wallet_signer USING (true) WITH CHECK (true);
CREATE POLICY attempts_of_signer ON chain_attempts FOR INSERT TO wallet_signer WITH CHECK (true);
CREATE POLICY attempts_of_worker ON chain_attempts FOR INSERT TO wallet_worker
	WITH CHECK (EXISTS (SELECT FROM chain_sends s WHERE s.id = send_id AND s.purpose = 'refill'));
DROP POLICY IF EXISTS attempt_coins_read ON chain_attempt_coins;
DROP POLICY IF EXISTS attempt_coins_of_signer ON chain_attempt_coins;
DROP POLICY IF EXISTS attempt_coins_of_worker ON chain_attempt_coins;
CREATE POLICY attempt_coins_read ON chain_attempt_coins FOR SELECT TO wallet_web, wallet_worker, wallet_signer, wallet_desk USING (true);
CREATE POLICY attempt_coins_of_signer ON chain_attempt_coins FOR INSERT TO wallet_signer WITH CHECK (true);
CREATE POLICY attempt_coins_of_worker ON chain_attempt_coins FOR INSERT TO wallet_worker
	WITH CHECK (EXISTS (SELECT FROM chain_attempts a JOIN chain_sends s ON s.id = a.send_id WHERE a.id = attempt_id AND s.purpose = 'refill'));
GRANT SELECT ON chain_stops TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON chain_stops TO wallet_worker, wallet_signer;
GRANT SELECT ON chain_strays TO wallet_web;
GRANT SELECT, INSERT, DELETE ON chain_strays TO wallet_worker;
GRANT SELECT, DELETE ON chain_strays TO wallet_signer;
GRANT SELECT, INSERT, UPDATE, DELETE ON challenges TO wallet_web;
GRANT SELECT, DELETE ON challenges TO wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON codes TO wallet_web;
GRANT SELECT, UPDATE, DELETE ON codes TO wallet_worker;
GRANT SELECT ON coin_surpluses TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON coin_surpluses TO wallet_worker;
GRANT SELECT, INSERT, UPDATE ON cursors TO wallet_worker;
GRANT SELECT, INSERT ON cold_orders TO wallet_desk;
GRANT SELECT ON cold_orders TO wallet_signer;
GRANT SELECT, INSERT, UPDATE ON custody_lines TO wallet_worker;
GRANT SELECT ON custody_lines TO wallet_desk;
GRANT SELECT ON daily_reports TO wallet_desk;
GRANT SELECT, INSERT ON daily_reports TO wallet_worker;
GRANT SELECT ON daily_prices TO wallet_web, wallet_signer;
GRANT SELECT, INSERT ON daily_prices TO wallet_worker;
GRANT SELECT ON daily_rates TO wallet_web, wallet_signer;
GRANT SELECT, INSERT ON daily_rates TO wallet_worker;
GRANT SELECT, UPDATE ON deposit_debts TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON deposit_debts TO wallet_worker;
GRANT SELECT, INSERT ON deposit_details TO wallet_web;
GRANT SELECT ON deposit_details TO wallet_worker;
GRANT SELECT, UPDATE (details) ON deposits TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON deposits TO wallet_worker;
GRANT SELECT ON deposits TO wallet_signer;
GRANT SELECT, INSERT ON documents TO wallet_web, wallet_worker;
GRANT SELECT ON heartbeats TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON heartbeats TO wallet_worker, wallet_signer;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO wallet_web;
GRANT SELECT, DELETE ON idempotency_keys TO wallet_worker;
GRANT SELECT, INSERT, UPDATE ON identity_checks TO wallet_web;
GRANT SELECT ON identity_checks TO wallet_worker;
GRANT SELECT, INSERT ON identity_events TO wallet_web;
GRANT SELECT ON identity_events TO wallet_worker;
-- jobs: web adds some and sees none of their contents; the signer sees its own kinds alone, since others hold codes and links of mails
GRANT SELECT (id, kind, key, run_at, failed_at, tries), INSERT ON jobs TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO wallet_worker, wallet_signer;
ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS jobs_of_web ON jobs;
DROP POLICY IF EXISTS jobs_of_worker ON jobs;
DROP POLICY IF EXISTS jobs_of_signer ON jobs;
-- A mail of web's has a name and figures, which our own templates lay out: never a text of its own.
-- Nor a job or a mail of the desk's: its thief would write to customers as support.
CREATE POLICY jobs_of_web ON jobs TO wallet_web USING (true) WITH CHECK (NOT payload ? 'written'
	AND kind NOT IN ('payment_instructions_now', 'bank_file', 'refills_now', 'mail_again', 'identity_reset', 'carry_out')
	AND coalesce(payload ->> 'name', '') NOT IN ('staffInvitation', 'accountHeld', 'holdReleased', 'supportAnswered', 'supportAnsweredVisitor', 'identityAgain', 'limitRaised', 'limitRefused', 'alarms'));
CREATE POLICY jobs_of_worker ON jobs TO wallet_worker USING (true) WITH CHECK (true);
CREATE POLICY jobs_of_signer ON jobs TO wallet_signer
	USING (kind ~ '^(sign|sweep|cold)_(bitcoin|ethereum|cpc)$' OR kind IN ('join_bitcoin', 'address_pool', 'audit_head', 'heartbeat_signer', 'sandbox_stock'))
	WITH CHECK (true);
-- limit_requests: customers ask, the desk answers; nobody but the desk raises a limit
GRANT SELECT, INSERT ON limit_requests TO wallet_web;
ALTER TABLE limit_requests ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS requests_of_customers ON limit_requests;
DROP POLICY IF EXISTS requests_of_staff ON limit_requests;
CREATE POLICY requests_of_customers ON limit_requests TO wallet_web USING (true) WITH CHECK (state = 'open' AND answer IS NULL);
CREATE POLICY requests_of_staff ON limit_requests TO wallet_desk, wallet_worker USING (true) WITH CHECK (true);
GRANT SELECT ON limit_requests TO wallet_worker;
GRANT SELECT, UPDATE (state, decided_at, decided_by, approved_by, answer) ON limit_requests TO wallet_desk;
GRANT SELECT ON withdrawal_limits TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON withdrawal_limits TO wallet_desk;
GRANT SELECT, INSERT, UPDATE, DELETE ON known_devices TO wallet_web;
GRANT SELECT, DELETE ON known_devices TO wallet_worker;
GRANT SELECT ON ledger_transactions TO wallet_web, wallet_worker, wallet_signer;
GRANT SELECT ON news_assets TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_assets TO wallet_worker;
GRANT SELECT ON news_entries TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_entries TO wallet_worker;
GRANT SELECT ON news_entry_assets TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_entry_assets TO wallet_worker;
GRANT SELECT, INSERT ON news_events TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_events TO wallet_worker;
GRANT SELECT ON news_image_files TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_image_files TO wallet_worker;
GRANT SELECT ON news_images TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_images TO wallet_worker;
GRANT SELECT ON news_sync TO wallet_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON news_sync TO wallet_worker;
GRANT SELECT, UPDATE ON notices TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON notices TO wallet_worker;
-- orders: what an order costs and brings stays as it was made
GRANT SELECT, INSERT, UPDATE (status, announced_at, updated_at, accepted_terms, terms_accepted_at, cancelled_at) ON orders TO wallet_web;
GRANT SELECT, UPDATE ON orders TO wallet_worker;
GRANT SELECT, INSERT, UPDATE (status, end_reason, cancelled_at) ON p2p_orders TO wallet_web;
GRANT SELECT, UPDATE ON p2p_orders TO wallet_worker;
GRANT SELECT, INSERT ON p2p_traders TO wallet_web;
GRANT SELECT ON p2p_traders TO wallet_worker;
-- p2p_trades: written by p2p_buy and p2p_fill_many alone
GRANT SELECT ON p2p_trades TO wallet_web, wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON passkeys TO wallet_web;
GRANT SELECT ON passkeys TO wallet_worker;
GRANT SELECT ON payment_decisions TO wallet_web;
GRANT SELECT, INSERT ON payment_decisions TO wallet_worker;
-- payment_instructions: the desk writes what was decided, the worker carries it out
GRANT SELECT, INSERT ON payment_instructions TO wallet_desk;
GRANT SELECT, UPDATE (state, refusal, done_at) ON payment_instructions TO wallet_worker;
GRANT SELECT, INSERT ON payment_leaves TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (answer, answered_by, answered_at, answer_why) ON payment_recalls TO wallet_desk;
GRANT SELECT ON payment_recalls TO wallet_worker;
GRANT SELECT ON payments TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON payments TO wallet_worker;
GRANT SELECT ON payouts TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON payouts TO wallet_worker;
GRANT SELECT ON postings TO wallet_web, wallet_worker, wallet_signer;
GRANT SELECT ON price_doubts TO wallet_web, wallet_signer;
GRANT SELECT, INSERT, UPDATE ON price_doubts TO wallet_worker;
GRANT SELECT, INSERT, UPDATE (code_hash, unlocked_at) ON promo_unlocks TO wallet_web;
GRANT SELECT ON promo_unlocks TO wallet_worker;
GRANT SELECT ON quarter_cuts TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON quarter_cuts TO wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO wallet_web, wallet_worker;
GRANT SELECT, INSERT ON receipts TO wallet_web, wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_codes TO wallet_web;
GRANT SELECT ON recovery_codes TO wallet_worker;
GRANT SELECT ON referral_rewards TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON referral_rewards TO wallet_worker;
GRANT SELECT, INSERT, UPDATE (downloaded_by, downloaded_at, sent_by, sent_at, cancelled_at) ON refund_files TO wallet_desk;
GRANT SELECT ON refund_files, staff_proposals, staff_audit TO wallet_worker;
-- refunds: the worker makes one with its booking and confirms it, the desk puts it into a file
GRANT SELECT, UPDATE (file_id) ON refunds TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (is_named, confirmed_by, returned_by, void_by) ON refunds TO wallet_worker;
-- refill_orders: the desk decides and uploads, the worker writes the file and accepts what was signed
GRANT SELECT, INSERT (id, currency, amount, decided_by, approved_by, why, ordered_at), UPDATE (agreed_by, agreed_at, signed, signed_by, signed_at, refusal, ended_at) ON refill_orders TO wallet_desk;
GRANT SELECT, UPDATE (file, file_name, pays, written_at, signed, refusal, transaction_id, ended_at) ON refill_orders TO wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON refresh_tokens TO wallet_web;
GRANT SELECT, DELETE ON refresh_tokens TO wallet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON reward_feeds TO wallet_web;
GRANT SELECT ON reward_feeds TO wallet_worker;
GRANT SELECT ON rule_runs TO wallet_desk;
GRANT SELECT, INSERT, UPDATE, DELETE ON rule_runs TO wallet_worker;
-- sandbox_blocks: the sandbox's alone, no user needs it
-- sandbox_contents: the sandbox's alone, no user needs it
-- sandbox_faults: the sandbox's alone, no user needs it
-- sandbox_mails: the sandbox's alone, no user needs it
-- sandbox_mempool: the sandbox's alone, no user needs it
-- screening_hits: the worker finds them, the desk decides; the signer sees who must wait
GRANT SELECT, INSERT, UPDATE ON screened_names, screened_payers TO wallet_worker;
GRANT SELECT ON screened_payers TO wallet_desk;
-- When the check was told of last, and nothing else of it.
GRANT SELECT (user_id, updated_at) ON identity_checks TO wallet_signer;
GRANT SELECT ON screened_names TO wallet_signer;
GRANT SELECT, INSERT, UPDATE, DELETE ON screening_entries TO wallet_worker;
GRANT SELECT, INSERT, UPDATE (user_id) ON screening_hits TO wallet_worker;
GRANT SELECT, UPDATE (state, decided_by, approved_by, decided_at, why) ON screening_hits TO wallet_desk;
GRANT SELECT ON screening_hits TO wallet_signer;
GRANT SELECT, INSERT, UPDATE, DELETE ON screening_lists TO wallet_worker;
GRANT SELECT ON screening_lists TO wallet_desk, wallet_signer;
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO wallet_web;
GRANT SELECT, DELETE ON sessions TO wallet_worker;
GRANT SELECT ON stake_sums TO wallet_web;
GRANT SELECT, INSERT, UPDATE ON stake_sums TO wallet_worker;
GRANT SELECT ON stakes TO wallet_web;
GRANT SELECT, INSERT ON stakes TO wallet_worker;
-- staff: a name, an address and a join are made once
GRANT SELECT, INSERT, UPDATE (roles, stopped_at, on_call_since) ON staff TO wallet_desk;
GRANT SELECT (id, name, email, roles, stopped_at, on_call_since, created_at) ON staff TO wallet_worker;
GRANT SELECT (email, stopped_at) ON staff TO wallet_signer;
-- staff_audit: written by staff_audit_append alone
GRANT SELECT ON staff_audit TO wallet_desk, wallet_worker, wallet_signer;
-- staff_audit_heads: the desk could show as signed what is not
GRANT SELECT ON staff_audit_heads TO wallet_desk, wallet_worker;
GRANT SELECT, INSERT ON staff_audit_heads TO wallet_signer;
GRANT SELECT, INSERT, DELETE ON staff_challenges TO wallet_desk;
GRANT SELECT, DELETE ON staff_challenges TO wallet_worker;
GRANT SELECT, INSERT, UPDATE (accepted_at, expires_at, staff_id) ON staff_invitations TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (counter, last_used_at, removed_at) ON staff_keys TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (state, outcome, decided_by, decided_at, decision_why) ON staff_proposals TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (seen_at, ended_at) ON staff_sessions TO wallet_desk;
GRANT SELECT, DELETE ON staff_sessions TO wallet_worker;
GRANT SELECT, INSERT, UPDATE ON staff_settings TO wallet_desk;
GRANT SELECT ON staff_settings TO wallet_worker, wallet_signer;
-- support_cases: customers write, the desk answers
GRANT SELECT, INSERT, UPDATE (state, waits_since, snoozed_until, snooze_why) ON support_cases TO wallet_web;
GRANT SELECT ON support_cases TO wallet_worker;
GRANT SELECT, UPDATE (state, assigned_to, snoozed_until, snooze_why) ON support_cases TO wallet_desk;
GRANT SELECT, INSERT ON support_messages TO wallet_web, wallet_desk;
-- Customers write as themselves and read no note; staff write as staff. A case that a customer changes is open.
ALTER TABLE support_messages ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS messages_of_customers ON support_messages;
DROP POLICY IF EXISTS messages_of_staff ON support_messages;
CREATE POLICY messages_of_customers ON support_messages TO wallet_web USING ("from" <> 'note') WITH CHECK ("from" = 'sender');
CREATE POLICY messages_of_staff ON support_messages TO wallet_desk USING (true) WITH CHECK ("from" IN ('staff', 'note'));
ALTER TABLE support_cases ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS cases_of_customers ON support_cases;
DROP POLICY IF EXISTS cases_of_staff ON support_cases;
CREATE POLICY cases_of_customers ON support_cases TO wallet_web USING (true) WITH CHECK (state = 'open' AND snoozed_until IS NULL);
CREATE POLICY cases_of_staff ON support_cases TO wallet_desk, wallet_worker USING (true) WITH CHECK (true);
GRANT SELECT ON suspense_decisions TO wallet_web;
GRANT SELECT, INSERT ON suspense_decisions TO wallet_worker;
GRANT SELECT ON suspense_return_seconds, suspense_returns TO wallet_worker, wallet_signer;
GRANT SELECT, INSERT ON terms_acceptances TO wallet_web;
GRANT SELECT ON terms_acceptances TO wallet_worker;
-- users: the password hash is a column of this: the signer reads the ids alone
GRANT SELECT, INSERT, UPDATE ON users TO wallet_web;
GRANT SELECT, UPDATE (updated_at) ON users TO wallet_worker;
GRANT SELECT (id) ON users TO wallet_signer;
GRANT SELECT, INSERT ON weekly_mails TO wallet_worker;
GRANT SELECT, INSERT, UPDATE ON withdrawal_addresses TO wallet_web;
GRANT SELECT ON withdrawal_addresses TO wallet_worker, wallet_signer;
GRANT SELECT, INSERT ON withdrawal_decisions TO wallet_web, wallet_worker;
GRANT SELECT ON withdrawal_decisions TO wallet_signer;
GRANT SELECT, INSERT, UPDATE ON withdrawal_holds TO wallet_web, wallet_worker;
GRANT SELECT, INSERT, UPDATE ON withdrawal_whitelists TO wallet_web;
GRANT SELECT ON withdrawal_whitelists TO wallet_worker, wallet_signer;
GRANT SELECT, INSERT, UPDATE (state, waits, approved_at, ended_at, cancel_asked_at) ON withdrawals TO wallet_web;
GRANT SELECT, UPDATE (state, waits, transaction_id, approved_at, ended_at) ON withdrawals TO wallet_worker;
GRANT SELECT, UPDATE (state, waits, looked_at, approved_at, signed_at, cancel_cleared_at) ON withdrawals TO wallet_signer;

-- Views
GRANT SELECT ON access_inviters TO wallet_web, wallet_worker;
GRANT SELECT ON chains_sent TO wallet_web, wallet_worker;
-- jobs_waiting: shows what jobs hold, e.g. codes of mails
GRANT SELECT ON jobs_waiting TO wallet_worker;
GRANT SELECT ON ledger_balances TO wallet_web, wallet_worker, wallet_signer;
GRANT SELECT ON ledger_bookings TO wallet_web, wallet_worker, wallet_signer;
GRANT SELECT ON ledger_lines TO wallet_web, wallet_worker, wallet_signer;
GRANT SELECT ON orders_facts TO wallet_web, wallet_worker;

-- Functions
GRANT EXECUTE ON FUNCTION access_email(uuid) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION access_gate(uuid, boolean, timestamptz) TO wallet_web, wallet_worker, wallet_signer;
GRANT EXECUTE ON FUNCTION access_lock(uuid) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION access_may_trade(uuid) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION access_proved(uuid, uuid, timestamptz) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION deposits_undeclared(uuid) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION idempotency_keep(text, text, jsonb) TO wallet_web;
GRANT EXECUTE ON FUNCTION idempotency_keep_many(text[], text[], text[], jsonb[], timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION idempotency_lock(text, text) TO wallet_web;
GRANT EXECUTE ON FUNCTION idempotency_look(text[], text[], text[]) TO wallet_web;
GRANT EXECUTE ON FUNCTION idempotency_take(text, text, text, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION identity_verified(uuid) TO wallet_web, wallet_worker, wallet_signer;
GRANT EXECUTE ON FUNCTION jobs_enqueue(text, jsonb, timestamptz) TO wallet_web, wallet_worker, wallet_signer;
GRANT EXECUTE ON FUNCTION ledger_holding(uuid, text) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION ledger_lock(uuid, text, text) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION ledger_may_post(text, text, text, text, jsonb) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION ledger_post(text, text, text, text, text, jsonb, timestamptz) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION ledger_post_many(text[], text[], text[], text[], text[], timestamptz[], integer[], uuid[], text[], uuid[], text[], text[], numeric[]) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION ledger_spendable(uuid, text) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION limits_count(jsonb, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION p2p_away(uuid, timestamptz) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION p2p_fill(uuid, uuid, text, uuid, timestamptz, uuid, numeric, numeric, numeric, numeric, text, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION p2p_fill_many(uuid[], uuid[], text[], text[], text[], uuid[], uuid[], numeric[], numeric[], numeric[], numeric, timestamptz, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION p2p_plan(uuid, numeric, integer, uuid[], numeric, numeric, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION p2p_sweep(uuid[], uuid, text, uuid, timestamptz, numeric, numeric, numeric, numeric, numeric, numeric, text, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION rates_accepted(text) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION wallet_balance(jsonb, uuid, text) TO wallet_web;
GRANT EXECUTE ON FUNCTION wallet_move_many(text[], text[], text[], uuid[], text[], text[], text[], numeric[], text[], jsonb[], timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION wallet_move(text, text, text, uuid, text, text, text, numeric, text, jsonb, timestamptz) TO wallet_web;
GRANT EXECUTE ON FUNCTION withdrawals_give_back(uuid, text, timestamptz) TO wallet_web, wallet_worker;
GRANT EXECUTE ON FUNCTION withdrawals_listed_only(uuid, timestamptz) TO wallet_web, wallet_worker, wallet_signer;

GRANT EXECUTE ON FUNCTION staff_audit_append(timestamptz, text, text, text, text, text) TO wallet_desk;

-- What the desk reads: no password hash, no code, no session or second factor of a customer.
GRANT UPDATE (taken_by, taken_at) ON alarms TO wallet_desk;
GRANT SELECT ON accepted_prices, accounts, alarms, chain_attempts, chain_blocks, chain_sends, heartbeats, identity_checks, identity_events, ledger_transactions, postings, price_doubts TO wallet_desk;
GRANT SELECT (id, kind, key, run_at, failed_at, tries, last_error), INSERT ON jobs TO wallet_desk;
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO wallet_desk;
GRANT SELECT (id, email, name, locale, created_at, password_changed_at, email_changed_at, locked_at) ON users TO wallet_desk;
GRANT SELECT, INSERT, UPDATE ON chain_stops TO wallet_desk;
GRANT SELECT ON withdrawal_addresses TO wallet_desk;
GRANT SELECT, INSERT ON withdrawal_decisions TO wallet_desk;
GRANT SELECT, INSERT, UPDATE (released_at) ON withdrawal_holds TO wallet_desk;
GRANT SELECT ON access_inviters, daily_prices, deposits, p2p_orders, p2p_traders, p2p_trades, payouts, stakes TO wallet_desk;
GRANT SELECT ON chain_addresses, orders, payments, payment_decisions, daily_rates, orders_facts TO wallet_desk;
GRANT SELECT ON notices_told TO wallet_desk;
GRANT EXECUTE ON FUNCTION access_sessions(uuid) TO wallet_desk;
GRANT EXECUTE ON FUNCTION identity_ask_again(uuid, timestamptz) TO wallet_desk;
GRANT EXECUTE ON FUNCTION jobs_retry(bigint, timestamptz) TO wallet_desk;
GRANT SELECT ON coin_surpluses, suspense_decisions TO wallet_desk;
-- How many documents are made, not what they say.
GRANT SELECT (user_id, kind, period) ON documents TO wallet_desk;
GRANT SELECT (order_id) ON receipts TO wallet_desk;
GRANT SELECT ON promo_unlocks, quarter_cuts, terms_acceptances TO wallet_desk;
GRANT EXECUTE ON FUNCTION access_end_sessions(uuid, timestamptz) TO wallet_desk;
GRANT EXECUTE ON FUNCTION access_gate(uuid, boolean, timestamptz) TO wallet_desk;
GRANT EXECUTE ON FUNCTION identity_verified(uuid) TO wallet_desk;
GRANT SELECT, UPDATE (state, waits, approved_at, ended_at) ON withdrawals TO wallet_desk;
GRANT SELECT ON ledger_balances, ledger_lines TO wallet_desk;
GRANT EXECUTE ON FUNCTION limits_count(jsonb, timestamptz) TO wallet_desk;
GRANT EXECUTE ON FUNCTION jobs_enqueue(text, jsonb, timestamptz) TO wallet_desk;
GRANT EXECUTE ON FUNCTION withdrawals_give_back(uuid, text, timestamptz) TO wallet_desk;
DROP POLICY IF EXISTS jobs_of_desk ON jobs;
-- It mails by our own templates, and reads which jobs fail.
CREATE POLICY jobs_of_desk ON jobs TO wallet_desk USING (true) 
	WITH CHECK (kind IN ('payment_instructions_now', 'bank_file', 'refills_now', 'mail_again', 'identity_reset', 'carry_out')
		OR (kind = 'mail' AND NOT payload ? 'written' AND payload ->> 'name' IN ('staffInvitation', 'accountHeld', 'holdReleased', 'withdrawalReturned', 'paymentTopUp', 'supportAnswered', 'supportAnsweredVisitor', 'identityAgain', 'limitRaised', 'limitRefused')));
-- Its own limits alone: a thief of its password lifts none of the customers'.
ALTER TABLE rate_limits ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS limits_of_customers ON rate_limits;
DROP POLICY IF EXISTS limits_of_desk ON rate_limits;
CREATE POLICY limits_of_customers ON rate_limits TO wallet_web, wallet_worker USING (true) WITH CHECK (true);
CREATE POLICY limits_of_desk ON rate_limits TO wallet_desk USING (key LIKE 'desk:%') WITH CHECK (key LIKE 'desk:%');

-- It buys whoever asks: p2p_fill, p2p_fill_many and p2p_sweep call it, no user does.
REVOKE ALL ON FUNCTION p2p_buy(uuid, uuid, text, uuid, timestamptz, uuid, numeric, numeric, numeric, numeric, text, timestamptz, uuid[]) FROM PUBLIC;
-- They judge, lock and enqueue for p2p_buy, p2p_fill_many and p2p_sweep, which call them; no user does.
REVOKE ALL ON FUNCTION p2p_judge(record, uuid, uuid, timestamptz, numeric, numeric, numeric, numeric, numeric, text, numeric, numeric, timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION access_lock_free(uuid[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION jobs_enqueue_many(text, jsonb[], timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger_lock_all(jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger_lock_free(uuid[], text[], text[]) FROM PUBLIC;
-- They book without asking who may: ledger_post, ledger_post_many, p2p_buy, p2p_fill_many and withdrawals_give_back call them, no user does.
REVOKE ALL ON FUNCTION ledger_write(text, text, text, text, text, jsonb, timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger_write_many(text[], text[], text[], text[], text[], timestamptz[], integer[], uuid[], text[], uuid[], text[], text[], numeric[], text[]) FROM PUBLIC;

-- The parts of ledger_write: it alone calls them.
REVOKE ALL ON FUNCTION ledger_write_several(text, text, text, text, text, jsonb, timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger_change_waiting(uuid, text, text, smallint, numeric) FROM PUBLIC;

-- Functions of triggers: the database calls them, no user does.
REVOKE ALL ON FUNCTION refuse_address_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_attempt_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_balance() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_bank_file_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_instruction_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_order_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_order_step() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_other_inviter() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_payout_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_proposal_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_refund_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_send_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_undo() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_withdrawal_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_withdrawal_revival() FROM PUBLIC;
REVOKE ALL ON FUNCTION refuse_withdrawal_step() FROM PUBLIC;
REVOKE ALL ON FUNCTION sum_ended_payouts() FROM PUBLIC;
REVOKE ALL ON FUNCTION sum_payments() FROM PUBLIC;
REVOKE ALL ON FUNCTION sum_new_payouts() FROM PUBLIC;
REVOKE ALL ON FUNCTION sum_stakes() FROM PUBLIC;
