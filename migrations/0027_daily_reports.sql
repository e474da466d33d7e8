CREATE TABLE "daily_reports" (
	"day" date PRIMARY KEY NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"sections" jsonb NOT NULL,
	"pdf" "bytea" NOT NULL,
	"csv" text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER daily_reports_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON daily_reports
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
