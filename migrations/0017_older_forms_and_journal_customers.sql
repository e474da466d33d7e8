CREATE TABLE "suspense_returns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"receiver" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"fee" numeric(78, 0) NOT NULL,
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"signature" text NOT NULL,
	"ordered_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- reason: only a new worker writes the new word, and a page of the last release shows no sentence for it
ALTER TABLE "deposits" DROP CONSTRAINT "deposits_note_known";--> statement-breakpoint
ALTER TABLE "chain_outputs" ADD COLUMN "is_older_form" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_sends" ADD COLUMN "customer" text;--> statement-breakpoint
ALTER TABLE "coin_surpluses" ADD COLUMN "decided" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint

-- reason: as above
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_note_known" CHECK ("deposits"."note" in ('small', 'unsupported', 'unproven', 'unassigned', 'decided', 'reorganised')) NOT VALID;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER chain_sends_kept BEFORE UPDATE ON chain_sends FOR EACH ROW
WHEN (OLD.state <> 'signed' OR (OLD.id, OLD.chain, OLD.purpose, OLD.from_id, OLD.currency, OLD.receiver, OLD.amount, OLD.most_fee, OLD.customer)
	IS DISTINCT FROM (NEW.id, NEW.chain, NEW.purpose, NEW.from_id, NEW.currency, NEW.receiver, NEW.amount, NEW.most_fee, NEW.customer))
EXECUTE FUNCTION refuse_send_change();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER chain_addresses_kept BEFORE UPDATE ON chain_addresses FOR EACH ROW
WHEN (OLD.user_id IS NOT NULL OR (OLD.purpose <> 'deposit' AND NEW.user_id IS NOT NULL)
	OR (OLD.chain, OLD.purpose, OLD.position, OLD.address, OLD.account_id, OLD.public_key, OLD.signature)
	IS DISTINCT FROM (NEW.chain, NEW.purpose, NEW.position, NEW.address, NEW.account_id, NEW.public_key, NEW.signature))
EXECUTE FUNCTION refuse_address_change();
--> statement-breakpoint
CREATE TRIGGER suspense_returns_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON suspense_returns
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
