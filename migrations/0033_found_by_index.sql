-- no transaction
-- What is asked for every few seconds or with every block: attempts that no block has, attempts with the same nonce, coins that may be spent. And
-- the payments that a debit may send back.
CREATE INDEX CONCURRENTLY "chain_attempts_pending" ON "chain_attempts" USING btree ("chain","id") WHERE height is null and conflict_height is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "chain_attempts_nonce" ON "chain_attempts" USING btree ("chain","nonce") WHERE nonce is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "chain_outputs_unspent" ON "chain_outputs" USING btree ("chain","amount") WHERE spent_height is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_amount" ON "payments" USING btree ("currency","amount_cents");
