CREATE TABLE "bank_day_sums" (
	"day" date NOT NULL,
	"currency" text NOT NULL,
	"in_cents" numeric(78, 0) DEFAULT 0 NOT NULL,
	"out_cents" numeric(78, 0) DEFAULT 0 NOT NULL,
	CONSTRAINT "bank_day_sums_day_currency_pk" PRIMARY KEY("day","currency")
);
--> statement-breakpoint
CREATE TRIGGER payments_summed AFTER INSERT ON payments
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_payments();
--> statement-breakpoint
INSERT INTO bank_day_sums (day, currency, in_cents, out_cents)
SELECT coalesce(told_on, booked_on), currency, coalesce(sum(amount_cents) FILTER (WHERE direction = 'credit'), 0),
	coalesce(sum(amount_cents) FILTER (WHERE direction = 'debit'), 0)
FROM payments GROUP BY 1, 2;
