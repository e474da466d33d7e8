-- Screening of names: the list as it was read, whom we have looked at, and what was found.
CREATE TABLE "screened_names" (
	"user_id" uuid PRIMARY KEY NOT NULL REFERENCES "users"("id"),
	"digest" text NOT NULL,
	"version" text NOT NULL,
	"screened_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "screening_entries" (
	"source" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"names" jsonb NOT NULL,
	"births" jsonb NOT NULL,
	"about" text NOT NULL,
	CONSTRAINT "screening_entries_source_id_pk" PRIMARY KEY("source","id")
);
--> statement-breakpoint
CREATE TABLE "screening_hits" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users"("id"),
	"of" text NOT NULL,
	"name" text NOT NULL,
	"who" text NOT NULL,
	"source" text NOT NULL,
	"entry_id" text NOT NULL,
	"listed" text NOT NULL,
	"about" text NOT NULL,
	"births" jsonb NOT NULL,
	"score" double precision NOT NULL,
	"birth" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"decided_by" text,
	"approved_by" text,
	"decided_at" timestamp (3) with time zone,
	"why" text,
	CONSTRAINT "screening_hits_once" UNIQUE("user_id","who","source","entry_id"),
	CONSTRAINT "screening_hits_state_known" CHECK ("screening_hits"."state" in ('open', 'other_person', 'same_person')),
	CONSTRAINT "screening_hits_two" CHECK ("screening_hits"."state" <> 'other_person' or ("screening_hits"."approved_by" is not null and "screening_hits"."approved_by" <> "screening_hits"."decided_by"))
);
--> statement-breakpoint
CREATE TABLE "screening_lists" (
	"source" text PRIMARY KEY NOT NULL,
	"version" text,
	"entries" integer NOT NULL,
	"read_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
-- reason: the new word is written only where a list of names is set, which processes of the last release do not know of
ALTER TABLE "payments" DROP CONSTRAINT "payments_outcome_known";--> statement-breakpoint
CREATE INDEX "screened_names_version" ON "screened_names" USING btree ("version");--> statement-breakpoint
CREATE INDEX "screening_hits_open" ON "screening_hits" USING btree ("found_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "identity_checks_updated" ON "identity_checks" USING btree ("updated_at");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_outcome_known" CHECK ("payments"."outcome" in ('matched', 'returned', 'debit', 'refund', 'unknown_reference', 'wrong_currency', 'order_already_paid', 'quote_expired', 'amount_too_low', 'amount_too_high', 'not_verified', 'entry_changed', 'screening')) NOT VALID;
