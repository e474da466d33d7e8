CREATE TABLE "terms_acceptances" (
	"user_id" uuid NOT NULL,
	"document" text NOT NULL,
	"version" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "terms_acceptances_user_id_document_version_pk" PRIMARY KEY("user_id","document","version")
);
--> statement-breakpoint
CREATE TABLE "news_assets" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"generation" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"short_description" text NOT NULL,
	"thumbnail_id" text,
	"main_content" jsonb,
	"date" timestamp (3) with time zone NOT NULL,
	"generation" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news_entry_assets" (
	"entry_id" text NOT NULL,
	"asset_id" text NOT NULL,
	CONSTRAINT "news_entry_assets_entry_id_asset_id_pk" PRIMARY KEY("entry_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "news_events" (
	"signature" text PRIMARY KEY NOT NULL,
	"topic" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news_image_files" (
	"hash" text NOT NULL,
	"width" integer NOT NULL,
	"format" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "news_image_files_hash_width_format_pk" PRIMARY KEY("hash","width","format")
);
--> statement-breakpoint
CREATE TABLE "news_images" (
	"url" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"hash" text,
	"width" integer,
	"height" integer,
	"unused_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news_sync" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"source" text NOT NULL,
	"token" text,
	"is_initial" boolean NOT NULL,
	"generation" integer NOT NULL,
	"total" integer NOT NULL,
	"synced_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_contents" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"draft" jsonb NOT NULL,
	"published" jsonb,
	"markdown" text DEFAULT '' NOT NULL,
	"version" integer NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"position" bigint
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "accepted_terms" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "terms_accepted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "news_entries_date" ON "news_entries" USING btree ("date","id");--> statement-breakpoint
CREATE INDEX "news_entry_assets_asset" ON "news_entry_assets" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "sandbox_contents_position" ON "sandbox_contents" USING btree ("position") WHERE "sandbox_contents"."position" is not null;--> statement-breakpoint
-- What a customer accepted, and when, is never changed.
CREATE TRIGGER terms_acceptances_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON terms_acceptances
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
