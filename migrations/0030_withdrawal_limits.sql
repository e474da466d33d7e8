-- Higher limits that customers ask for, and those that two persons raised.
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
CREATE INDEX "limit_requests_user" ON "limit_requests" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "limit_requests_one_open" ON "limit_requests" USING btree ("user_id") WHERE state = 'open';
