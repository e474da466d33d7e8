CREATE TABLE "suspense_return_seconds" (
	"return_id" uuid PRIMARY KEY NOT NULL REFERENCES "suspense_returns"("id"),
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"signature" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "suspense_returns" ADD COLUMN "suspended" text;--> statement-breakpoint
CREATE TRIGGER suspense_return_seconds_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON suspense_return_seconds
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A proposal begins open: a decision that is there from the beginning was made by nobody.
CREATE TRIGGER staff_proposals_open BEFORE INSERT ON staff_proposals FOR EACH ROW
WHEN (NEW.state <> 'open' OR NEW.decided_by IS NOT NULL OR NEW.decided_at IS NOT NULL OR NEW.outcome IS NOT NULL)
EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- No process knows this kind any more. The price is still in doubt, and can be confirmed again.
DELETE FROM jobs WHERE kind = 'confirm_price';
