-- Cold storage at the desk: what the last comparison of coins and books found, moves and refills that persons agreed on.
CREATE TABLE "cold_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"decided_by" text NOT NULL,
	"approved_by" text NOT NULL,
	"why" text NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cold_orders_two" CHECK ("cold_orders"."decided_by" <> "cold_orders"."approved_by"),
	CONSTRAINT "cold_orders_amount" CHECK ("cold_orders"."amount" > 0 and "cold_orders"."amount" < 1e30),
	CONSTRAINT "cold_orders_currency" CHECK ("cold_orders"."currency" in ('USDC', 'CPC', 'ETH', 'BTC'))
);
--> statement-breakpoint
CREATE TABLE "custody_lines" (
	"currency" text PRIMARY KEY NOT NULL,
	"height" integer NOT NULL,
	"on_chain" numeric(78, 0) NOT NULL,
	"expected" numeric(78, 0) NOT NULL,
	"hot" numeric(78, 0) NOT NULL,
	"cold" numeric(78, 0) NOT NULL,
	"claims" numeric(78, 0) NOT NULL,
	"owed" numeric(78, 0) NOT NULL,
	"usd_cents" bigint,
	"floor" numeric(78, 0) NOT NULL,
	"ceiling_cents" bigint NOT NULL,
	"compared_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refill_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"decided_by" text NOT NULL,
	"approved_by" text NOT NULL,
	"why" text NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL,
	"agreed_by" text,
	"agreed_at" timestamp (3) with time zone,
	"file" text,
	"file_name" text,
	"pays" jsonb,
	"written_at" timestamp (3) with time zone,
	"signed" text,
	"signed_by" text,
	"signed_at" timestamp (3) with time zone,
	"refusal" text,
	"transaction_id" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "refill_orders_once" UNIQUE("transaction_id"),
	CONSTRAINT "refill_orders_three" CHECK ("refill_orders"."decided_by" <> "refill_orders"."approved_by" and ("refill_orders"."agreed_by" is null or "refill_orders"."agreed_by" not in ("refill_orders"."decided_by", "refill_orders"."approved_by"))),
	CONSTRAINT "refill_orders_amount" CHECK ("refill_orders"."amount" > 0 and "refill_orders"."amount" < 1e30),
	CONSTRAINT "refill_orders_currency" CHECK ("refill_orders"."currency" in ('USDC', 'CPC', 'ETH', 'BTC'))
);
--> statement-breakpoint
CREATE INDEX "cold_orders_newest" ON "cold_orders" USING btree ("ordered_at");--> statement-breakpoint
CREATE INDEX "refill_orders_newest" ON "refill_orders" USING btree ("ordered_at");--> statement-breakpoint
CREATE INDEX "chain_sends_newest" ON "chain_sends" USING btree ("signed_at","id");