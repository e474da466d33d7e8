ALTER TABLE "users" ADD COLUMN "former_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_changed_at" timestamp (3) with time zone;