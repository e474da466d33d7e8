-- no transaction
-- Foreign keys of tables with many rows.
CREATE INDEX CONCURRENTLY "deposits_address" ON "deposits" USING btree ("address_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payment_decisions_order" ON "payment_decisions" USING btree ("order_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "withdrawals_address" ON "withdrawals" USING btree ("address_id");
