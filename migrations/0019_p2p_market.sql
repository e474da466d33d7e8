-- no transaction
REVOKE ALL ON FUNCTION p2p_buy(uuid, uuid, text, uuid, timestamptz, uuid, numeric, numeric, numeric, numeric, text, timestamptz, uuid[]) FROM PUBLIC;
--> statement-breakpoint
REVOKE ALL ON FUNCTION p2p_sweep(uuid[], uuid, text, uuid, timestamptz, numeric, numeric, numeric, numeric, numeric, numeric, text, timestamptz) FROM PUBLIC;
--> statement-breakpoint
REVOKE ALL ON FUNCTION ledger_lock_all(jsonb) FROM PUBLIC;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "p2p_trades_traded" ON "p2p_trades" USING btree ("traded_at","id");
