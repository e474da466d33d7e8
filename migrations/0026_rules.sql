CREATE TABLE "rule_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"rule" text NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"says" text NOT NULL,
	"shown" text NOT NULL,
	"shown_limit" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "shown" text;--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "shown_limit" text;--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "taken_by" text;--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "on_call_since" timestamp (3) with time zone;