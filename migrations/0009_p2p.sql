CREATE TABLE "p2p_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"maker_id" uuid NOT NULL,
	"asset_currency" text NOT NULL,
	"settlement_currency" text NOT NULL,
	"listed_amount" numeric(78, 0) NOT NULL,
	"filled_amount" numeric(78, 0) NOT NULL,
	"smallest_fill" numeric(78, 0) NOT NULL,
	"price_per_coin" numeric NOT NULL,
	"fee_basis_points" integer NOT NULL,
	"difference" numeric(78, 0) NOT NULL,
	"gross_settled" numeric(78, 0) NOT NULL,
	"fee_settled" numeric(78, 0) NOT NULL,
	"status" text NOT NULL,
	"end_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"noticed_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "p2p_orders_of_maker" UNIQUE("id","maker_id")
);
--> statement-breakpoint
CREATE TABLE "p2p_traders" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"public_id" uuid NOT NULL,
	"nickname" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "p2p_traders_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "p2p_traders_nickname_unique" UNIQUE("nickname")
);
--> statement-breakpoint
CREATE TABLE "p2p_trades" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"maker_id" uuid NOT NULL,
	"taker_id" uuid NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"gross" numeric(78, 0) NOT NULL,
	"fee" numeric(78, 0) NOT NULL,
	"difference" numeric(78, 0) NOT NULL,
	"traded_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "p2p_orders" ADD CONSTRAINT "p2p_orders_maker_id_p2p_traders_user_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."p2p_traders"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "p2p_traders" ADD CONSTRAINT "p2p_traders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "p2p_trades" ADD CONSTRAINT "p2p_trades_taker_id_p2p_traders_user_id_fk" FOREIGN KEY ("taker_id") REFERENCES "public"."p2p_traders"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "p2p_trades" ADD CONSTRAINT "p2p_trades_of_order" FOREIGN KEY ("order_id","maker_id") REFERENCES "public"."p2p_orders"("id","maker_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "p2p_orders_book" ON "p2p_orders" USING btree ("asset_currency","settlement_currency","price_per_coin","created_at","id") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "p2p_orders_expiry" ON "p2p_orders" USING btree ("expires_at") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "p2p_orders_maker" ON "p2p_orders" USING btree ("maker_id","created_at");--> statement-breakpoint
CREATE INDEX "p2p_trades_order" ON "p2p_trades" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "p2p_trades_maker" ON "p2p_trades" USING btree ("maker_id","traded_at");--> statement-breakpoint
CREATE INDEX "p2p_trades_taker" ON "p2p_trades" USING btree ("taker_id","traded_at");--> statement-breakpoint
ALTER TABLE p2p_orders ADD CONSTRAINT p2p_orders_amounts CHECK (
	listed_amount > 0 AND filled_amount BETWEEN 0 AND listed_amount AND smallest_fill BETWEEN 1 AND listed_amount
	AND price_per_coin > 0 AND difference >= 0 AND fee_basis_points BETWEEN 0 AND 10000 AND fee_settled BETWEEN 0 AND gross_settled);
--> statement-breakpoint
ALTER TABLE p2p_trades ADD CONSTRAINT p2p_trades_amounts CHECK (
	amount > 0 AND gross > 0 AND fee BETWEEN 0 AND gross AND difference >= 0 AND maker_id <> taker_id);
--> statement-breakpoint
CREATE TRIGGER p2p_orders_kept BEFORE UPDATE ON p2p_orders FOR EACH ROW
WHEN (OLD.status <> 'PENDING' OR NEW.filled_amount < OLD.filled_amount
	OR (OLD.id, OLD.maker_id, OLD.asset_currency, OLD.settlement_currency, OLD.listed_amount, OLD.smallest_fill, OLD.price_per_coin, OLD.fee_basis_points, OLD.difference, OLD.created_at, OLD.expires_at)
	IS DISTINCT FROM (NEW.id, NEW.maker_id, NEW.asset_currency, NEW.settlement_currency, NEW.listed_amount, NEW.smallest_fill, NEW.price_per_coin, NEW.fee_basis_points, NEW.difference, NEW.created_at, NEW.expires_at))
EXECUTE FUNCTION refuse_order_change();
--> statement-breakpoint
CREATE TRIGGER p2p_orders_never_deleted BEFORE DELETE OR TRUNCATE ON p2p_orders
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER p2p_trades_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON p2p_trades
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
