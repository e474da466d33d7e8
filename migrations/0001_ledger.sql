
CREATE TRIGGER postings_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payments_kept BEFORE DELETE OR TRUNCATE ON payments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
