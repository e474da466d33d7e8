-- Messages to support are cases that staff answer.
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
CREATE INDEX "support_cases_user" ON "support_cases" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "support_cases_open" ON "support_cases" USING btree ("waits_since") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "support_messages_case" ON "support_messages" USING btree ("number","id");
