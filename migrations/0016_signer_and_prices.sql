CREATE TABLE "chain_orders" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"send_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"most_fee" numeric(78, 0) NOT NULL,
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"signature" text NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coin_surpluses" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"block_height" integer NOT NULL,
	"block_hash" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"booked_at" timestamp (3) with time zone,
	"rest" numeric(78, 0) NOT NULL,
	CONSTRAINT "coin_surpluses_amounts" CHECK ("coin_surpluses"."amount" > 0 and "coin_surpluses"."rest" >= 0 and "coin_surpluses"."rest" <= "coin_surpluses"."amount")
);
--> statement-breakpoint
CREATE TABLE "deposit_details" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"deposit_id" bigint NOT NULL,
	"details" jsonb NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "suspense_decisions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"suspended_id" bigint NOT NULL,
	"user_id" uuid,
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"name" text PRIMARY KEY NOT NULL,
	"says" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "heartbeats" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accepted_prices" (
	"currency" text PRIMARY KEY NOT NULL,
	"price_usd" numeric NOT NULL,
	"source" text NOT NULL,
	"quoted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "price_doubts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"price_usd" numeric NOT NULL,
	"used_usd" numeric NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"actor" text,
	"why" text
);
--> statement-breakpoint
CREATE TABLE "referral_rewards" (
	"order_id" text PRIMARY KEY NOT NULL,
	"inviter_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"kept" numeric(78, 0) NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	"owed" numeric(78, 0) DEFAULT 0 NOT NULL,
	CONSTRAINT "referral_rewards_amounts" CHECK ("referral_rewards"."amount" >= 0 and "referral_rewards"."owed" >= 0 and "referral_rewards"."owed" <= "referral_rewards"."amount" and "referral_rewards"."kept" >= 0 and "referral_rewards"."kept" <= "referral_rewards"."amount")
);
--> statement-breakpoint

-- reason: only a new signer writes the new words, and it starts last; a page of the last release shows no sentence for them
ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_waits_known";--> statement-breakpoint
ALTER TABLE "chain_addresses" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_blocks" ADD COLUMN "read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_outputs" ADD COLUMN "matures_at" integer;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "matures_at" integer;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "cancel_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "cancel_cleared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_orders" ADD CONSTRAINT "chain_orders_send_id_chain_sends_id_fk" FOREIGN KEY ("send_id") REFERENCES "public"."chain_sends"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "deposit_details" ADD CONSTRAINT "deposit_details_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "suspense_decisions" ADD CONSTRAINT "suspense_decisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "referral_rewards" ADD CONSTRAINT "referral_rewards_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "referral_rewards" ADD CONSTRAINT "referral_rewards_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX "chain_orders_send" ON "chain_orders" USING btree ("send_id");--> statement-breakpoint
CREATE UNIQUE INDEX "coin_surpluses_waiting" ON "coin_surpluses" USING btree ("chain","currency") WHERE booked_at is null;--> statement-breakpoint
CREATE INDEX "coin_surpluses_rest" ON "coin_surpluses" USING btree ("currency","block_height") WHERE rest > 0;--> statement-breakpoint
CREATE INDEX "deposit_details_deposit" ON "deposit_details" USING btree ("deposit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "suspense_decisions_once" ON "suspense_decisions" USING btree ("kind","suspended_id");--> statement-breakpoint
CREATE UNIQUE INDEX "price_doubts_open" ON "price_doubts" USING btree ("currency") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "referral_rewards_inviter" ON "referral_rewards" USING btree ("inviter_id","booked_at");--> statement-breakpoint
CREATE INDEX "referral_rewards_owed" ON "referral_rewards" USING btree ("inviter_id") WHERE owed > 0;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_balance_number" CHECK ("accounts"."balance" <> 'NaN') NOT VALID;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_amount_number" CHECK ("postings"."amount" <> 'NaN') NOT VALID;--> statement-breakpoint

-- reason: as above
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_waits_known" CHECK ("withdrawals"."waits" in ('network_fee', 'hot_wallet', 'signer_limit', 'halted', 'gate', 'checked', 'refused', 'small_coins', 'stuck')) NOT VALID;
--> statement-breakpoint
UPDATE "notices" SET "params" = "params" - 'notMe' WHERE "params" ? 'notMe';
--> statement-breakpoint
ALTER TABLE "chain_orders" VALIDATE CONSTRAINT "chain_orders_send_id_chain_sends_id_fk";
--> statement-breakpoint
ALTER TABLE "deposit_details" VALIDATE CONSTRAINT "deposit_details_deposit_id_deposits_id_fk";
--> statement-breakpoint
ALTER TABLE "suspense_decisions" VALIDATE CONSTRAINT "suspense_decisions_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "referral_rewards" VALIDATE CONSTRAINT "referral_rewards_order_id_orders_id_fk";
--> statement-breakpoint
ALTER TABLE "referral_rewards" VALIDATE CONSTRAINT "referral_rewards_inviter_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_balance_number";
--> statement-breakpoint
ALTER TABLE "postings" VALIDATE CONSTRAINT "postings_amount_number";
--> statement-breakpoint
ALTER TABLE "withdrawals" VALIDATE CONSTRAINT "withdrawals_waits_known";
