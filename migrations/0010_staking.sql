-- First what completing an order locks first, so that neither waits for the other.
LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "payouts" (
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"number" smallint NOT NULL,
	"user_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_order_id_kind_number_pk" PRIMARY KEY("order_id","kind","number")
);
--> statement-breakpoint
ALTER TABLE "accounts" DROP CONSTRAINT "accounts_balance_not_negative";--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("currency","kind","due_at","order_id","number") WHERE paid_at is null and cancelled_at is null;--> statement-breakpoint
CREATE INDEX "payouts_user" ON "payouts" USING btree ("user_id","due_at");--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_balance_not_negative" CHECK ("accounts"."balance" >= 0 or ("accounts"."owner_id" = '00000000-0000-0000-0000-000000000000' and "accounts"."kind" <> 'staking_rewards'));
--> statement-breakpoint
ALTER TABLE payouts ADD CONSTRAINT payouts_amounts CHECK (units > 0 AND number > 0 AND kind IN ('reward', 'principal', 'bonus'));
--> statement-breakpoint
CREATE TRIGGER payouts_kept BEFORE UPDATE ON payouts FOR EACH ROW
WHEN (OLD.paid_at IS NOT NULL OR OLD.cancelled_at IS NOT NULL OR (NEW.paid_at IS NULL) = (NEW.cancelled_at IS NULL) OR (OLD.order_id, OLD.kind, OLD.number, OLD.user_id, OLD.currency, OLD.units, OLD.due_at)
	IS DISTINCT FROM (NEW.order_id, NEW.kind, NEW.number, NEW.user_id, NEW.currency, NEW.units, NEW.due_at))
EXECUTE FUNCTION refuse_payout_change();
--> statement-breakpoint
CREATE TRIGGER payouts_never_deleted BEFORE DELETE OR TRUNCATE ON payouts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Stakes of orders that completed before this table: by the rules of src/lib/domain/staking/schedule.ts.
INSERT INTO payouts (order_id, kind, number, user_id, currency, units, due_at)
SELECT order_id, kind, number, user_id, currency, units, due_at FROM (
	SELECT s.order_id, 'reward' AS kind, n AS number, s.user_id, s.currency,
		CASE WHEN n < s.months / 3 THEN div(r.total, s.months / 3) ELSE r.total - div(r.total, s.months / 3) * (s.months / 3 - 1) END AS units,
		((s.starts_at AT TIME ZONE 'UTC') + n * interval '3 months') AT TIME ZONE 'UTC' AS due_at
	FROM stakes s
	CROSS JOIN LATERAL (SELECT div(s.units * s.rate_hundredths * s.months, 120000) AS total) r
	CROSS JOIN LATERAL generate_series(1, s.months / 3) n
	UNION ALL
	SELECT order_id, 'principal', 1, user_id, currency, units, ends_at FROM stakes
) planned WHERE units > 0;
