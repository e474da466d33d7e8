-- Accounts: one word for the lock, and the language of mails.
ALTER TABLE "users" RENAME COLUMN "withdrawals_locked_at" TO "locked_at";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "locale" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
-- Codes belong to the browser that asked for them. The codes of before live for half an hour and have no such browser.
ALTER TABLE "codes" ADD COLUMN "holder" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "codes" ADD COLUMN "asked_from" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "codes" ADD COLUMN "stranger_tries_left" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "codes" DROP CONSTRAINT "codes_purpose_email_pk";--> statement-breakpoint
ALTER TABLE "codes" ADD CONSTRAINT "codes_purpose_email_holder_pk" PRIMARY KEY("purpose","email","holder");--> statement-breakpoint
DELETE FROM "codes" WHERE "purpose" = 'confirm';--> statement-breakpoint
UPDATE "codes" SET "registration" = "registration" - 'holderHash' - 'isContested' WHERE "registration" IS NOT NULL;--> statement-breakpoint
UPDATE "challenges" SET "purpose" = 'passkey_reauthenticate' WHERE "purpose" = 'passkey_confirm';--> statement-breakpoint
ALTER TABLE "sessions" RENAME COLUMN "confirmed_at" TO "proved_at";--> statement-breakpoint
CREATE TABLE "known_devices" (
	"holder" text NOT NULL,
	"user_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_devices_holder_user_id_pk" PRIMARY KEY("holder","user_id")
);
--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_devices_user" ON "known_devices" USING btree ("user_id");--> statement-breakpoint
CREATE TABLE "withdrawal_holds" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"source_type" text NOT NULL,
	"source_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "withdrawal_holds_source" UNIQUE("source_type","source_id")
);
--> statement-breakpoint
ALTER TABLE "withdrawal_holds" ADD CONSTRAINT "withdrawal_holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawal_holds_user" ON "withdrawal_holds" USING btree ("user_id");--> statement-breakpoint
-- Repeated requests by actor: customers are not the only ones who act.
ALTER TABLE "idempotency_keys" ADD COLUMN "actor" text;--> statement-breakpoint
UPDATE "idempotency_keys" SET "actor" = 'customer:' || "user_id";--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "actor" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_user_id_key_pk";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "user_id";--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_actor_key_pk" PRIMARY KEY("actor","key");--> statement-breakpoint
-- Jobs take the place of the outbox. Mails that wait go on as jobs.
CREATE TABLE "jobs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"key" text,
	"run_at" timestamp (3) with time zone NOT NULL,
	"lease" uuid,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"failed_at" timestamp (3) with time zone,
	"last_error" text,
	CONSTRAINT "jobs_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("run_at") WHERE "jobs"."failed_at" is null;--> statement-breakpoint
INSERT INTO "jobs" ("kind", "payload", "run_at", "created_at")
SELECT 'mail', jsonb_build_object('written', "mail"), "due_at", "created_at" FROM "outbox" WHERE "mail" IS NOT NULL AND "due_at" IS NOT NULL ORDER BY "id";--> statement-breakpoint
DROP TABLE "outbox";--> statement-breakpoint
CREATE TABLE "cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- Prices and rates of each day.
CREATE TABLE "daily_prices" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"price_usd" numeric NOT NULL,
	"source" text NOT NULL,
	"quoted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "daily_prices_currency_day_pk" PRIMARY KEY("currency","day")
);
--> statement-breakpoint
CREATE TABLE "daily_rates" (
	"day" date PRIMARY KEY NOT NULL,
	"eur_per_usd" numeric NOT NULL,
	"source" text NOT NULL,
	"quoted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER daily_prices_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON daily_prices
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER daily_rates_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON daily_rates
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "stake_starts_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "orders" SET "stake_starts_at" = "completed_at" WHERE "staking_months" > 0;--> statement-breakpoint
-- Payments: both directions, the bank's days, and never changed.
DROP TRIGGER payments_kept ON payments;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "direction" text DEFAULT 'credit' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "booked_on" date;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "value_on" date;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_legacy" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "payments" SET "is_legacy" = true, "booked_on" = ("received_at" AT TIME ZONE 'UTC')::date, "value_on" = ("received_at" AT TIME ZONE 'UTC')::date;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "booked_on" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "value_on" SET NOT NULL;--> statement-breakpoint
CREATE TRIGGER payments_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"cursor" text NOT NULL,
	"iban" text NOT NULL,
	"statement_id" text NOT NULL,
	"opening_cents" numeric(78, 0),
	"closing_cents" numeric(78, 0),
	"booked_cents" numeric(78, 0),
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_statements_once" UNIQUE("cursor","iban","statement_id")
);
--> statement-breakpoint
-- The ledger: what a booking belongs to and who caused it.
DROP TRIGGER ledger_transactions_immutable ON ledger_transactions;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "source_type" text;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "source_id" text;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "actor" text;--> statement-breakpoint
UPDATE "ledger_transactions" SET
	"source_type" = CASE "reason" WHEN 'order_completed' THEN 'order' WHEN 'payment_unmatched' THEN 'payment' WHEN 'moved_between_accounts' THEN 'move' ELSE 'adjustment' END,
	"source_id" = CASE WHEN "reason" IN ('order_completed', 'payment_unmatched', 'moved_between_accounts') THEN substr("reference", strpos("reference", ':') + 1) ELSE "reference" END,
	"actor" = CASE "reason" WHEN 'order_completed' THEN 'system:bank' WHEN 'payment_unmatched' THEN 'system:bank' WHEN 'moved_between_accounts' THEN 'customer:' || split_part("reference", ':', 2) ELSE 'system:adjustment' END;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "source_type" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "source_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "actor" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "ledger_transactions_source" ON "ledger_transactions" USING btree ("source_type","source_id");--> statement-breakpoint
CREATE TRIGGER ledger_transactions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Accounts of the house in slots.
ALTER TABLE "accounts" ADD COLUMN "slot" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" DROP CONSTRAINT "accounts_owner_currency_kind";--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_currency_kind_slot" UNIQUE("owner_id","currency","kind","slot");--> statement-breakpoint
DROP FUNCTION IF EXISTS ledger_post(text, text, jsonb, timestamptz);--> statement-breakpoint
CREATE TRIGGER accounts_balance_by_posting BEFORE UPDATE ON accounts
FOR EACH ROW WHEN (current_setting('ledger.posting', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION refuse_balance();
--> statement-breakpoint
CREATE TRIGGER accounts_open_empty BEFORE INSERT ON accounts
FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION refuse_balance();
--> statement-breakpoint
CREATE TRIGGER accounts_kept BEFORE DELETE OR TRUNCATE ON accounts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
