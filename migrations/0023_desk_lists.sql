-- no transaction
-- Lists of the desk: a customer by the address they withdraw to, and all withdrawals, the newest first.
CREATE INDEX CONCURRENTLY "withdrawal_addresses_address" ON "withdrawal_addresses" USING btree ("address","chain");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "withdrawals_newest" ON "withdrawals" USING btree ("requested_at");
