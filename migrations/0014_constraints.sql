-- Amounts and states. Without looking at the rows that are there: the next step does that, without holding up anybody.
ALTER TABLE "deposit_debts" ADD CONSTRAINT "deposit_debts_amounts" CHECK ("deposit_debts"."owed" >= 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_amounts" CHECK ("deposits"."amount" > 0 and "deposits"."block_height" >= 0 and "deposits"."euro_cents" >= 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_status_known" CHECK ("deposits"."status" in ('PENDING', 'TX_CONFIRMED', 'CREDITED')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_note_known" CHECK ("deposits"."note" in ('small', 'unsupported', 'unproven', 'unassigned', 'reorganised')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_amounts" CHECK ("orders"."fiat_cents" > 0 and "orders"."fee_cents" >= 0 and "orders"."total_cents" > 0 and "orders"."euro_cents_to_pay" > 0 and "orders"."cpc_units" >= 0 and "orders"."ptc_units" >= 0 and "orders"."bonus_units" >= 0 and "orders"."staking_months" >= 0 and "orders"."staking_rate_hundredths" >= 0 and "orders"."bonus_rate_hundredths" >= 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "p2p_orders" ADD CONSTRAINT "p2p_orders_status_known" CHECK ("p2p_orders"."status" in ('PENDING', 'COMPLETED', 'CANCELLED')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "p2p_orders" ADD CONSTRAINT "p2p_orders_end_known" CHECK ("p2p_orders"."end_reason" in ('owner', 'expired', 'secured', 'lapsed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "payment_decisions" ADD CONSTRAINT "payment_decisions_known" CHECK ("payment_decisions"."decision" in ('assigned', 'refunded')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_amounts" CHECK ("payments"."amount_cents" > 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_direction_known" CHECK ("payments"."direction" in ('credit', 'debit')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_outcome_known" CHECK ("payments"."outcome" in ('matched', 'returned', 'debit', 'refund', 'unknown_reference', 'wrong_currency', 'order_already_paid', 'quote_expired', 'amount_too_low', 'amount_too_high', 'not_verified', 'entry_changed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "stakes" ADD CONSTRAINT "stakes_amounts" CHECK ("stakes"."units" > 0 and "stakes"."months" > 0 and "stakes"."rate_hundredths" >= 0 and "stakes"."ends_at" > "stakes"."starts_at") NOT VALID;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_amounts" CHECK ("withdrawals"."fee" >= 0 and "withdrawals"."amount" > "withdrawals"."fee" and "withdrawals"."from_spot" >= 0 and "withdrawals"."from_funding" >= 0 and "withdrawals"."from_spot" + "withdrawals"."from_funding" = "withdrawals"."amount" and "withdrawals"."usd_cents" >= 0 and "withdrawals"."euro_cents" >= 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_state_known" CHECK ("withdrawals"."state" in ('unconfirmed', 'review', 'approved', 'signed', 'confirmed', 'cancelled', 'rejected', 'given_back')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_waits_known" CHECK ("withdrawals"."waits" in ('network_fee', 'hot_wallet', 'signer_limit', 'halted', 'gate', 'checked', 'refused')) NOT VALID;
--> statement-breakpoint
-- A withdrawal and an order take only the steps that src/lib/domain allows.
CREATE TRIGGER withdrawals_steps BEFORE UPDATE OF state ON withdrawals FOR EACH ROW
WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION refuse_withdrawal_step();
--> statement-breakpoint
CREATE TRIGGER orders_steps BEFORE UPDATE OF status ON orders FOR EACH ROW
WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION refuse_order_step();
