CREATE TABLE "notices" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"job_id" bigint NOT NULL,
	"name" text NOT NULL,
	"params" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notices_job" UNIQUE("job_id")
);
--> statement-breakpoint
CREATE TABLE "payment_decisions" (
	"payment_id" bigint PRIMARY KEY NOT NULL,
	"decision" text NOT NULL,
	"order_id" text,
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "pair_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "display_currency" text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "muted_mails" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "seen_notice" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "announced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "cancelled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "unfit_payment" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "counterpart_id" bigint;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_decisions" ADD CONSTRAINT "payment_decisions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_decisions" ADD CONSTRAINT "payment_decisions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id","id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_counterpart_id_payments_id_fk" FOREIGN KEY ("counterpart_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_transactions_created" ON "ledger_transactions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "payments_counterpart" ON "payments" USING btree ("counterpart_id");--> statement-breakpoint
-- Debits that sent a payment back until now, by their order: the first debit the first payment.
DROP TRIGGER payments_kept ON payments;--> statement-breakpoint
UPDATE payments d SET counterpart_id = c.id
FROM (SELECT id, order_id, amount_cents, currency, row_number() OVER (PARTITION BY order_id, amount_cents, currency ORDER BY id) AS n
      FROM payments WHERE direction = 'credit' AND outcome <> 'matched') c,
     (SELECT id, order_id, amount_cents, currency, row_number() OVER (PARTITION BY order_id, amount_cents, currency ORDER BY id) AS n
      FROM payments WHERE outcome = 'debit') b
WHERE d.id = b.id AND c.order_id = b.order_id AND c.amount_cents = b.amount_cents AND c.currency = b.currency AND c.n = b.n;--> statement-breakpoint
CREATE TRIGGER payments_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Announced orders kept the moment in `updated_at` until now; of completed ones it is not known.
UPDATE "orders" SET "announced_at" = "updated_at" WHERE "status" = 1;--> statement-breakpoint
CREATE TRIGGER payment_decisions_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_decisions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
