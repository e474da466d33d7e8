ALTER TABLE "chain_outputs" ADD COLUMN "is_older_form" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_sends" ADD COLUMN "customer" text;--> statement-breakpoint
CREATE OR REPLACE TRIGGER chain_sends_kept BEFORE UPDATE ON chain_sends FOR EACH ROW
WHEN (OLD.state <> 'signed' OR (OLD.id, OLD.chain, OLD.purpose, OLD.from_id, OLD.currency, OLD.receiver, OLD.amount, OLD.most_fee, OLD.customer)
	IS DISTINCT FROM (NEW.id, NEW.chain, NEW.purpose, NEW.from_id, NEW.currency, NEW.receiver, NEW.amount, NEW.most_fee, NEW.customer))
EXECUTE FUNCTION refuse_send_change();
