-- no transaction
CREATE INDEX CONCURRENTLY "deposits_unproven" ON "deposits" USING btree ("currency") WHERE note = 'unproven';
--> statement-breakpoint
ALTER TABLE "deposits" VALIDATE CONSTRAINT "deposits_note_known";
--> statement-breakpoint
REVOKE ALL ON FUNCTION ledger_write(text, text, text, text, text, jsonb, timestamptz) FROM PUBLIC;
--> statement-breakpoint
REVOKE ALL ON FUNCTION p2p_fill(uuid, uuid, text, uuid, timestamptz, uuid, numeric, numeric, numeric, numeric, text, timestamptz) FROM PUBLIC;
--> statement-breakpoint
REVOKE ALL ON FUNCTION withdrawals_give_back(uuid, text, timestamptz) FROM PUBLIC;
