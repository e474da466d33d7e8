CREATE TABLE "chain_addresses" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"purpose" text NOT NULL,
	"position" integer NOT NULL,
	"address" text NOT NULL,
	"account_id" text,
	"public_key" text,
	"signature" text NOT NULL,
	"user_id" uuid,
	"assigned_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_addresses_address" UNIQUE("chain","address"),
	CONSTRAINT "chain_addresses_position" UNIQUE("chain","purpose","position")
);
--> statement-breakpoint
CREATE TABLE "chain_blocks" (
	"chain" text NOT NULL,
	"height" integer NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "chain_blocks_chain_height_pk" PRIMARY KEY("chain","height")
);
--> statement-breakpoint
CREATE TABLE "chain_outputs" (
	"chain" text NOT NULL,
	"outpoint" text NOT NULL,
	"address_id" bigint NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"height" integer NOT NULL,
	"spent_height" integer,
	CONSTRAINT "chain_outputs_chain_outpoint_pk" PRIMARY KEY("chain","outpoint")
);
--> statement-breakpoint
CREATE TABLE "chain_stops" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"why" text NOT NULL,
	"actor" text NOT NULL,
	"stopped_at" timestamp (3) with time zone NOT NULL,
	"resumed_at" timestamp (3) with time zone,
	"resumed_by" text,
	"resumed_why" text
);
--> statement-breakpoint
CREATE TABLE "sandbox_blocks" (
	"chain" text NOT NULL,
	"height" integer NOT NULL,
	"hash" text NOT NULL,
	"parent" text NOT NULL,
	"transactions" jsonb NOT NULL,
	"mined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_blocks_chain_height_pk" PRIMARY KEY("chain","height")
);
--> statement-breakpoint
CREATE TABLE "sandbox_mempool" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"transaction" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deposit_debts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"deposit_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"owed" numeric(78, 0) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_debts_deposit" UNIQUE("deposit_id")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"address_id" bigint NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"transaction_id" text NOT NULL,
	"payment_index" text NOT NULL,
	"block_hash" text NOT NULL,
	"block_height" integer NOT NULL,
	"status" text NOT NULL,
	"note" text,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"booked_at" timestamp (3) with time zone,
	"reverted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "chain_addresses" ADD CONSTRAINT "chain_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_outputs" ADD CONSTRAINT "chain_outputs_address_id_chain_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."chain_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_debts" ADD CONSTRAINT "deposit_debts_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_debts" ADD CONSTRAINT "deposit_debts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_address_id_chain_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."chain_addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_addresses_user" ON "chain_addresses" USING btree ("user_id","chain","id");--> statement-breakpoint
CREATE INDEX "chain_addresses_free" ON "chain_addresses" USING btree ("chain","id") WHERE user_id is null and purpose = 'deposit';--> statement-breakpoint
CREATE INDEX "chain_outputs_address" ON "chain_outputs" USING btree ("address_id");--> statement-breakpoint
CREATE INDEX "chain_outputs_height" ON "chain_outputs" USING btree ("chain","height");--> statement-breakpoint
CREATE INDEX "chain_outputs_spent" ON "chain_outputs" USING btree ("chain","spent_height") WHERE spent_height is not null;--> statement-breakpoint
CREATE INDEX "chain_stops_chain" ON "chain_stops" USING btree ("chain") WHERE resumed_at is null;--> statement-breakpoint
CREATE INDEX "deposit_debts_open" ON "deposit_debts" USING btree ("user_id","currency") WHERE owed > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_once" ON "deposits" USING btree ("chain","block_hash","transaction_id","payment_index") WHERE reverted_at is null;--> statement-breakpoint
CREATE INDEX "deposits_user" ON "deposits" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "deposits_transaction" ON "deposits" USING btree ("chain","transaction_id");--> statement-breakpoint
CREATE INDEX "deposits_height" ON "deposits" USING btree ("chain","block_height");--> statement-breakpoint
CREATE INDEX "deposits_due" ON "deposits" USING btree ("chain","block_height") WHERE booked_at is null and reverted_at is null;
--> statement-breakpoint
CREATE TRIGGER chain_addresses_kept BEFORE UPDATE ON chain_addresses FOR EACH ROW
WHEN (OLD.user_id IS NOT NULL OR (OLD.chain, OLD.purpose, OLD.position, OLD.address, OLD.account_id, OLD.public_key, OLD.signature)
	IS DISTINCT FROM (NEW.chain, NEW.purpose, NEW.position, NEW.address, NEW.account_id, NEW.public_key, NEW.signature))
EXECUTE FUNCTION refuse_address_change();
--> statement-breakpoint
CREATE TRIGGER chain_addresses_never_deleted BEFORE DELETE OR TRUNCATE ON chain_addresses
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER deposits_never_deleted BEFORE DELETE OR TRUNCATE ON deposits
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
