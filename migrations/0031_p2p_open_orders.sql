-- no transaction
-- What a customer's open orders may still trade away from the reference price: each purchase adds it up.
CREATE INDEX CONCURRENTLY "p2p_orders_open" ON "p2p_orders" USING btree ("maker_id","created_at") WHERE status = 'PENDING';
