-- no transaction
ALTER TABLE "deposit_debts" VALIDATE CONSTRAINT "deposit_debts_amounts";
--> statement-breakpoint
ALTER TABLE "deposits" VALIDATE CONSTRAINT "deposits_amounts";
--> statement-breakpoint
ALTER TABLE "deposits" VALIDATE CONSTRAINT "deposits_status_known";
--> statement-breakpoint
ALTER TABLE "deposits" VALIDATE CONSTRAINT "deposits_note_known";
--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_amounts";
--> statement-breakpoint
ALTER TABLE "p2p_orders" VALIDATE CONSTRAINT "p2p_orders_status_known";
--> statement-breakpoint
ALTER TABLE "p2p_orders" VALIDATE CONSTRAINT "p2p_orders_end_known";
--> statement-breakpoint
ALTER TABLE "payment_decisions" VALIDATE CONSTRAINT "payment_decisions_known";
--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_amounts";
--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_direction_known";
--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_outcome_known";
--> statement-breakpoint
ALTER TABLE "stakes" VALIDATE CONSTRAINT "stakes_amounts";
--> statement-breakpoint
ALTER TABLE "withdrawals" VALIDATE CONSTRAINT "withdrawals_amounts";
--> statement-breakpoint
ALTER TABLE "withdrawals" VALIDATE CONSTRAINT "withdrawals_state_known";
--> statement-breakpoint
ALTER TABLE "withdrawals" VALIDATE CONSTRAINT "withdrawals_waits_known";
