-- no transaction
CREATE INDEX CONCURRENTLY "deposits_unproven" ON "deposits" USING btree ("currency") WHERE note = 'unproven';
--> statement-breakpoint
ALTER TABLE "deposits" VALIDATE CONSTRAINT "deposits_note_known";
