CREATE TABLE "accounts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"kind" text NOT NULL,
	"balance" numeric(78, 0) DEFAULT 0 NOT NULL,
	CONSTRAINT "accounts_owner_currency_kind" UNIQUE("owner_id","currency","kind"),
	CONSTRAINT "accounts_id_currency" UNIQUE("id","currency"),
	CONSTRAINT "accounts_balance_not_negative" CHECK ("accounts"."balance" >= 0 or "accounts"."owner_id" = '00000000-0000-0000-0000-000000000000')
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries_left" integer NOT NULL,
	"registration" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codes_purpose_email_pk" PRIMARY KEY("purpose","email")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"reference" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_transactions_reference" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"config_id" integer NOT NULL,
	"status" smallint DEFAULT 0 NOT NULL,
	"fiat_cents" numeric(78, 0) NOT NULL,
	"fee_cents" numeric(78, 0) NOT NULL,
	"total_cents" numeric(78, 0) NOT NULL,
	"euro_value" numeric NOT NULL,
	"euro_cents_to_pay" numeric(78, 0) NOT NULL,
	"eur_per_usd" numeric NOT NULL,
	"eur_per_usd_source" text NOT NULL,
	"eur_per_usd_at" timestamp (3) with time zone NOT NULL,
	"cpc_price_usd" numeric NOT NULL,
	"ptc_price_usd" numeric,
	"price_source" text NOT NULL,
	"price_at" timestamp (3) with time zone NOT NULL,
	"price_fixed_at" timestamp (3) with time zone,
	"cpc_units" numeric(78, 0) NOT NULL,
	"ptc_units" numeric(78, 0) NOT NULL,
	"staking_months" smallint NOT NULL,
	"staking_rate_hundredths" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "orders_status_known" CHECK ("orders"."status" in (0, 1, 2))
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"mail" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"bank_entry_id" text NOT NULL,
	"amount_cents" numeric(78, 0) NOT NULL,
	"currency" text NOT NULL,
	"remittance" text NOT NULL,
	"payer_name" text NOT NULL,
	"payer_iban" text NOT NULL,
	"outcome" text NOT NULL,
	"order_id" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_bank_entry" UNIQUE("bank_entry_id")
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_id" bigint NOT NULL,
	"source_id" bigint NOT NULL,
	"destination_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"source_balance" numeric(78, 0) NOT NULL,
	"destination_balance" numeric(78, 0) NOT NULL,
	CONSTRAINT "postings_amount_positive" CHECK ("postings"."amount" > 0),
	CONSTRAINT "postings_two_accounts" CHECK ("postings"."source_id" <> "postings"."destination_id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_mails" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"cookie_hash" text NOT NULL,
	"user_agent" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_cookie_hash_unique" UNIQUE("cookie_hash")
);
--> statement-breakpoint
CREATE TABLE "stakes" (
	"order_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"months" smallint NOT NULL,
	"rate_hundredths" integer NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"phone" text NOT NULL,
	"name" text,
	"referral_code" text NOT NULL,
	"referred_by" uuid,
	"withdrawals_rest_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_referral_code_unique" UNIQUE("referral_code")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_transaction_id_ledger_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."ledger_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_source_id_currency_accounts_id_currency_fk" FOREIGN KEY ("source_id","currency") REFERENCES "public"."accounts"("id","currency") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_destination_id_currency_accounts_id_currency_fk" FOREIGN KEY ("destination_id","currency") REFERENCES "public"."accounts"("id","currency") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stakes" ADD CONSTRAINT "stakes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stakes" ADD CONSTRAINT "stakes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_user_created" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_match" ON "payments" USING btree ("order_id") WHERE "payments"."outcome" = 'matched';--> statement-breakpoint
CREATE INDEX "postings_source" ON "postings" USING btree ("source_id","id");--> statement-breakpoint
CREATE INDEX "postings_destination" ON "postings" USING btree ("destination_id","id");--> statement-breakpoint
CREATE INDEX "postings_transaction" ON "postings" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_session" ON "refresh_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "stakes_user" ON "stakes" USING btree ("user_id");