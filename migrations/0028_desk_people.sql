-- Names that are screened, messages to support, and higher limits that customers ask for.
CREATE TABLE "support_cases" (
	"number" text PRIMARY KEY NOT NULL,
	"user_id" uuid REFERENCES "users"("id"),
	"email" text NOT NULL,
	"context" jsonb NOT NULL,
	"state" text NOT NULL,
	"assigned_to" uuid,
	"snoozed_until" timestamp (3) with time zone,
	"snooze_why" text,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"waits_since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "support_cases_state_known" CHECK ("support_cases"."state" in ('open', 'answered', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "support_messages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"number" text NOT NULL REFERENCES "support_cases"("number"),
	"from" text NOT NULL,
	"actor" text,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "screened_names" (
	"user_id" uuid PRIMARY KEY NOT NULL REFERENCES "users"("id"),
	"digest" text NOT NULL,
	"version" text NOT NULL,
	"screened_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "screened_payers" (
	"who" text PRIMARY KEY NOT NULL,
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
	"user_id" uuid REFERENCES "users"("id"),
	"of" text NOT NULL,
	"name" text NOT NULL,
	"birth_date" text,
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
	CONSTRAINT "screening_hits_once" UNIQUE("who","source","entry_id"),
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
CREATE TABLE "limit_requests" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users"("id"),
	"asked_cents" bigint NOT NULL,
	"why" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	"approved_by" text,
	"answer" text,
	CONSTRAINT "limit_requests_state_known" CHECK ("limit_requests"."state" in ('open', 'raised', 'refused')),
	CONSTRAINT "limit_requests_two" CHECK ("limit_requests"."state" <> 'raised' or ("limit_requests"."approved_by" is not null and "limit_requests"."approved_by" <> "limit_requests"."decided_by"))
);
--> statement-breakpoint
CREATE TABLE "withdrawal_limits" (
	"user_id" uuid PRIMARY KEY NOT NULL REFERENCES "users"("id"),
	"day_cents" bigint NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"request_id" bigint NOT NULL REFERENCES "limit_requests"("id"),
	"set_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawal_limits_amount" CHECK ("withdrawal_limits"."day_cents" > 0)
);
--> statement-breakpoint
-- reason: the new word is written only where a list of names is set, which processes of the last release do not know of
ALTER TABLE "payments" DROP CONSTRAINT "payments_outcome_known";--> statement-breakpoint
CREATE INDEX "support_cases_user" ON "support_cases" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "support_cases_open" ON "support_cases" USING btree ("waits_since") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "support_messages_case" ON "support_messages" USING btree ("number","id");--> statement-breakpoint
CREATE INDEX "screened_names_version" ON "screened_names" USING btree ("version");--> statement-breakpoint
CREATE INDEX "screening_hits_user" ON "screening_hits" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "screening_hits_open" ON "screening_hits" USING btree ("found_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "limit_requests_user" ON "limit_requests" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "limit_requests_one_open" ON "limit_requests" USING btree ("user_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "identity_checks_updated" ON "identity_checks" USING btree ("updated_at");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_outcome_known" CHECK ("payments"."outcome" in ('matched', 'returned', 'debit', 'refund', 'unknown_reference', 'wrong_currency', 'order_already_paid', 'quote_expired', 'amount_too_low', 'amount_too_high', 'not_verified', 'entry_changed', 'in_review')) NOT VALID;--> statement-breakpoint
CREATE TRIGGER "screening_hits_kept" BEFORE UPDATE ON "screening_hits" FOR EACH ROW
WHEN (OLD.state <> 'open' AND (NEW.state, NEW.decided_by, NEW.why) IS DISTINCT FROM (OLD.state, OLD.decided_by, OLD.why)) EXECUTE FUNCTION refuse_change();
