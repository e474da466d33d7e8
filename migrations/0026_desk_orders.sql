-- Orders about stuck payments, signed by a passkey at the desk instead of a key in a file.
ALTER TABLE "chain_orders" ALTER COLUMN "signature" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_orders" ADD COLUMN "passkey" jsonb;--> statement-breakpoint
ALTER TABLE "chain_orders" ADD CONSTRAINT "chain_orders_signed" CHECK (("chain_orders"."signature" is null) <> ("chain_orders"."passkey" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "chain_orders" ADD CONSTRAINT "chain_orders_fee" CHECK ("chain_orders"."most_fee" >= 0 and "chain_orders"."most_fee" < 1e30) NOT VALID;
