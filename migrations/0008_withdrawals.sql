CREATE TABLE "chain_accounts" (
	"address_id" bigint PRIMARY KEY NOT NULL,
	"next_nonce" bigint DEFAULT 0 NOT NULL,
	"received_height" integer,
	"due_height" integer,
	"looked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_attempt_coins" (
	"attempt_id" bigint NOT NULL,
	"outpoint" text NOT NULL,
	CONSTRAINT "chain_attempt_coins_attempt_id_outpoint_pk" PRIMARY KEY("attempt_id","outpoint")
);
--> statement-breakpoint
CREATE TABLE "chain_attempts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"send_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"transaction_id" text NOT NULL,
	"bytes" text NOT NULL,
	"nonce" bigint,
	"price" numeric(78, 0) NOT NULL,
	"tip" numeric(78, 0) NOT NULL,
	"network_fee" numeric(78, 0) NOT NULL,
	"expires_at" bigint,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"broadcast_at" timestamp (3) with time zone,
	"last_error" text,
	"height" integer,
	"block_hash" text,
	"is_undone" boolean DEFAULT false NOT NULL,
	"paid_fee" numeric(78, 0),
	"conflict_height" integer,
	CONSTRAINT "chain_attempts_transaction" UNIQUE("chain","transaction_id")
);
--> statement-breakpoint
CREATE TABLE "chain_sends" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"purpose" text NOT NULL,
	"from_id" bigint,
	"currency" text NOT NULL,
	"receiver" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"most_fee" numeric(78, 0) NOT NULL,
	"state" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"released_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "chain_strays" (
	"chain" text NOT NULL,
	"transaction_id" text NOT NULL,
	"height" integer NOT NULL,
	"block_hash" text NOT NULL,
	"from_id" bigint,
	"nonce" bigint,
	"is_undone" boolean DEFAULT false NOT NULL,
	"paid_fee" numeric(78, 0),
	CONSTRAINT "chain_strays_chain_transaction_id_pk" PRIMARY KEY("chain","transaction_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_faults" (
	"chain" text PRIMARY KEY NOT NULL,
	"price_times" integer DEFAULT 1 NOT NULL,
	"failed_broadcasts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal_addresses" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"address" text NOT NULL,
	"public_key" text,
	"name" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"listed_from" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "withdrawal_addresses_once" UNIQUE("user_id","chain","address")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_decisions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"decision" text NOT NULL,
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal_whitelists" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"ends_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"fee" numeric(78, 0) NOT NULL,
	"address_id" bigint NOT NULL,
	"receiver" text NOT NULL,
	"from_spot" numeric(78, 0) NOT NULL,
	"from_funding" numeric(78, 0) NOT NULL,
	"usd_cents" numeric(78, 0) NOT NULL,
	"euro_cents" numeric(78, 0) NOT NULL,
	"details" jsonb,
	"state" text NOT NULL,
	"waits" text,
	"transaction_id" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"looked_at" timestamp (3) with time zone,
	"signed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "chain_blocks" ADD COLUMN "time" bigint;--> statement-breakpoint
ALTER TABLE "chain_stops" ADD COLUMN "kind" text DEFAULT 'reading' NOT NULL;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "euro_cents" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "chain_accounts" ADD CONSTRAINT "chain_accounts_address_id_chain_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."chain_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_attempt_coins" ADD CONSTRAINT "chain_attempt_coins_attempt_id_chain_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."chain_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_attempts" ADD CONSTRAINT "chain_attempts_send_id_chain_sends_id_fk" FOREIGN KEY ("send_id") REFERENCES "public"."chain_sends"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_sends" ADD CONSTRAINT "chain_sends_from_id_chain_addresses_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."chain_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_strays" ADD CONSTRAINT "chain_strays_from_id_chain_addresses_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."chain_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_addresses" ADD CONSTRAINT "withdrawal_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD CONSTRAINT "withdrawal_decisions_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_whitelists" ADD CONSTRAINT "withdrawal_whitelists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_address_id_withdrawal_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."withdrawal_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_attempt_coins_outpoint" ON "chain_attempt_coins" USING btree ("outpoint");--> statement-breakpoint
CREATE INDEX "chain_attempts_send" ON "chain_attempts" USING btree ("send_id");--> statement-breakpoint
CREATE INDEX "chain_attempts_height" ON "chain_attempts" USING btree ("chain","height") WHERE height is not null;--> statement-breakpoint
CREATE INDEX "chain_attempts_conflict" ON "chain_attempts" USING btree ("chain","conflict_height") WHERE conflict_height is not null;--> statement-breakpoint
CREATE INDEX "chain_sends_open" ON "chain_sends" USING btree ("chain","signed_at") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "chain_sends_from" ON "chain_sends" USING btree ("from_id");--> statement-breakpoint
CREATE INDEX "chain_strays_from" ON "chain_strays" USING btree ("from_id","nonce");--> statement-breakpoint
CREATE INDEX "withdrawal_decisions_withdrawal" ON "withdrawal_decisions" USING btree ("withdrawal_id");--> statement-breakpoint
CREATE INDEX "withdrawals_user" ON "withdrawals" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "withdrawals_open" ON "withdrawals" USING btree ("chain","state","requested_at") WHERE state in ('unconfirmed', 'review', 'approved', 'signed');
--> statement-breakpoint
-- What came to accounts before they were watched for the sweep.
INSERT INTO "chain_accounts" ("address_id", "received_height", "due_height")
SELECT d."address_id", max(d."block_height"), min(d."block_height")
FROM "deposits" d JOIN "chain_addresses" a ON a."id" = d."address_id"
WHERE a."chain" <> 'bitcoin' AND a."purpose" = 'deposit' AND d."reverted_at" IS NULL
GROUP BY d."address_id";
--> statement-breakpoint
CREATE TRIGGER chain_attempts_kept BEFORE UPDATE ON chain_attempts FOR EACH ROW
WHEN ((OLD.send_id, OLD.chain, OLD.transaction_id, OLD.bytes, OLD.nonce, OLD.expires_at)
	IS DISTINCT FROM (NEW.send_id, NEW.chain, NEW.transaction_id, NEW.bytes, NEW.nonce, NEW.expires_at))
EXECUTE FUNCTION refuse_attempt_change();
--> statement-breakpoint
CREATE TRIGGER chain_attempts_never_deleted BEFORE DELETE OR TRUNCATE ON chain_attempts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER withdrawals_never_deleted BEFORE DELETE OR TRUNCATE ON withdrawals
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER withdrawals_kept BEFORE UPDATE ON withdrawals FOR EACH ROW
WHEN ((OLD.user_id, OLD.currency, OLD.amount, OLD.fee, OLD.receiver, OLD.from_spot, OLD.from_funding)
	IS DISTINCT FROM (NEW.user_id, NEW.currency, NEW.amount, NEW.fee, NEW.receiver, NEW.from_spot, NEW.from_funding))
EXECUTE FUNCTION refuse_withdrawal_change();
--> statement-breakpoint
CREATE TRIGGER withdrawal_decisions_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON withdrawal_decisions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

--> statement-breakpoint
CREATE TRIGGER chain_sends_kept BEFORE UPDATE ON chain_sends FOR EACH ROW
WHEN (OLD.state <> 'signed' OR (OLD.id, OLD.chain, OLD.purpose, OLD.from_id, OLD.currency, OLD.receiver, OLD.amount, OLD.most_fee)
	IS DISTINCT FROM (NEW.id, NEW.chain, NEW.purpose, NEW.from_id, NEW.currency, NEW.receiver, NEW.amount, NEW.most_fee))
EXECUTE FUNCTION refuse_send_change();
--> statement-breakpoint
CREATE TRIGGER chain_sends_never_deleted BEFORE DELETE OR TRUNCATE ON chain_sends
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER withdrawals_over BEFORE UPDATE ON withdrawals FOR EACH ROW
WHEN (OLD.state IN ('confirmed', 'cancelled', 'rejected', 'given_back') AND NEW.state IS DISTINCT FROM OLD.state)
EXECUTE FUNCTION refuse_withdrawal_revival();
