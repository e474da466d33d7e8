-- no transaction
-- Lists of the desk: payments that fit no order, other payments of an account, what was told after a day, and orders by what they cost.
CREATE INDEX CONCURRENTLY "orders_open_price" ON "orders" USING btree ("euro_cents_to_pay") WHERE status < 2;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_apart" ON "payments" USING btree ("id") WHERE "payments"."outcome" <> 'matched';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_account" ON "payments" USING btree ("payer_iban");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_told" ON "payments" USING btree (coalesce("told_on", "booked_on"));
