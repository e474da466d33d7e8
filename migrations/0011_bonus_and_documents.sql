CREATE TABLE "documents" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"after_posting" numeric(78, 0) NOT NULL,
	"last_posting" numeric(78, 0) NOT NULL,
	"opening" jsonb NOT NULL,
	"closing" jsonb NOT NULL,
	"lines" integer NOT NULL,
	"pdf" "bytea" NOT NULL,
	"csv" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "documents_user_id_kind_period_pk" PRIMARY KEY("user_id","kind","period")
);
--> statement-breakpoint
CREATE TABLE "quarter_cuts" (
	"quarter" text PRIMARY KEY NOT NULL,
	"last_posting" numeric(78, 0) NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"order_id" text PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"pdf" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receipts_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "promo_unlocks" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"unlocked_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reward_feeds" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reward_feeds_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "stake_sums" (
	"user_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"orders" integer DEFAULT 0 NOT NULL,
	"fiat_cents" numeric(78, 0) DEFAULT 0 NOT NULL,
	"staked_units" numeric(78, 0) DEFAULT 0 NOT NULL,
	"paid_units" numeric(78, 0) DEFAULT 0 NOT NULL,
	"paid_count" integer DEFAULT 0 NOT NULL,
	"planned_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stake_sums_user_id_currency_pk" PRIMARY KEY("user_id","currency")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "bonus_rate_hundredths" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "bonus_units" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payouts_ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_unlocks" ADD CONSTRAINT "promo_unlocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reward_feeds" ADD CONSTRAINT "reward_feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stake_sums" ADD CONSTRAINT "stake_sums_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_staked_created" ON "orders" USING btree ("user_id","created_at","id") WHERE staking_months > 0;--> statement-breakpoint
CREATE INDEX "orders_staked_amount" ON "orders" USING btree ("user_id","fiat_cents","created_at","id") WHERE staking_months > 0;--> statement-breakpoint
CREATE INDEX "orders_staked_open" ON "orders" USING btree ("user_id") WHERE staking_months > 0 and status < 2;--> statement-breakpoint
CREATE INDEX "payouts_user_open" ON "payouts" USING btree ("user_id","due_at") WHERE paid_at is null and cancelled_at is null;
--> statement-breakpoint
-- What a customer was given is never changed.
CREATE TRIGGER documents_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON documents
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER receipts_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON receipts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER quarter_cuts_never_deleted BEFORE DELETE OR TRUNCATE ON quarter_cuts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER quarter_cuts_kept BEFORE UPDATE ON quarter_cuts FOR EACH ROW
WHEN ((OLD.quarter, OLD.last_posting, OLD.taken_at) IS DISTINCT FROM (NEW.quarter, NEW.last_posting, NEW.taken_at))
EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER stakes_summed AFTER INSERT ON stakes
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_stakes();
--> statement-breakpoint
CREATE TRIGGER payouts_summed AFTER INSERT ON payouts
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_new_payouts();
--> statement-breakpoint
CREATE TRIGGER payouts_ended AFTER UPDATE ON payouts
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_ended_payouts();
--> statement-breakpoint
INSERT INTO stake_sums (user_id, currency, orders, fiat_cents, staked_units, paid_units, paid_count, planned_count)
SELECT p.user_id, p.currency, coalesce(k.orders, 0), coalesce(k.fiat_cents, 0), p.staked_units, p.paid_units, p.paid_count, p.planned_count
FROM (
	SELECT user_id, currency,
		coalesce(sum(units) FILTER (WHERE kind = 'principal' AND paid_at IS NULL AND cancelled_at IS NULL), 0) AS staked_units,
		coalesce(sum(units) FILTER (WHERE kind = 'reward' AND paid_at IS NOT NULL), 0) AS paid_units,
		count(*) FILTER (WHERE kind = 'reward' AND paid_at IS NOT NULL) AS paid_count,
		count(*) FILTER (WHERE kind = 'reward' AND cancelled_at IS NULL) AS planned_count
	FROM payouts WHERE kind <> 'bonus' GROUP BY user_id, currency
) p
LEFT JOIN (
	SELECT s.user_id, s.currency, count(*) AS orders, sum(o.fiat_cents) AS fiat_cents FROM stakes s JOIN orders o ON o.id = s.order_id
	WHERE o.config_id NOT BETWEEN 121 AND 150 GROUP BY s.user_id, s.currency
) k ON k.user_id = p.user_id AND k.currency = p.currency;
