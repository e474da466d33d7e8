CREATE TABLE "bank_files" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"digest" text,
	"content" text,
	"uploaded_by" text,
	"accepted_by" text,
	"accepted_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"added_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "bank_files_source_known" CHECK ("bank_files"."source" in ('folder', 'upload')),
	CONSTRAINT "bank_files_accepted_by_another" CHECK ("bank_files"."accepted_by" is null or "bank_files"."accepted_by" <> "bank_files"."uploaded_by")
);
--> statement-breakpoint
CREATE TABLE "bank_file_entries" (
	"file_id" bigint NOT NULL,
	"bank_entry_id" text NOT NULL,
	"payment_id" bigint NOT NULL,
	"was_known" boolean NOT NULL,
	CONSTRAINT "bank_file_entries_pk" PRIMARY KEY("file_id","bank_entry_id"),
	CONSTRAINT "bank_file_entries_file_id_bank_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."bank_files"("id"),
	CONSTRAINT "bank_file_entries_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id")
);
--> statement-breakpoint
CREATE TABLE "payment_instructions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payment_ids" bigint[] NOT NULL,
	"order_id" text,
	"creditor_name" text,
	"creditor_iban" text,
	"document" text,
	"decided_by" text NOT NULL,
	"approved_by" text,
	"why" text NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"refusal" text,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "payment_instructions_kind_known" CHECK ("payment_instructions"."kind" in ('assign', 'refund')),
	CONSTRAINT "payment_instructions_state_known" CHECK ("payment_instructions"."state" in ('waiting', 'done', 'refused')),
	CONSTRAINT "payment_instructions_by_another" CHECK ("payment_instructions"."approved_by" is null or "payment_instructions"."approved_by" <> "payment_instructions"."decided_by"),
	CONSTRAINT "payment_instructions_refund" CHECK ("payment_instructions"."kind" <> 'refund' or "payment_instructions"."approved_by" is not null),
	CONSTRAINT "payment_instructions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id")
);
--> statement-breakpoint
CREATE TABLE "payment_leaves" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"until" date NOT NULL,
	"is_top_up" boolean NOT NULL,
	"actor" text NOT NULL,
	"why" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_leaves_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id")
);
--> statement-breakpoint
CREATE TABLE "payment_recalls" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"bank_case" text NOT NULL,
	"opened_by" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"opened_why" text NOT NULL,
	"answer" text,
	"answered_by" text,
	"answered_at" timestamp (3) with time zone,
	"answer_why" text,
	CONSTRAINT "payment_recalls_reason_known" CHECK ("payment_recalls"."reason" in ('DUPL', 'TECH', 'FRAD', 'CUST', 'AC03', 'AM09', 'AGNT')),
	CONSTRAINT "payment_recalls_answer_known" CHECK ("payment_recalls"."answer" is null or "payment_recalls"."answer" in ('accepted', 'refused')),
	CONSTRAINT "payment_recalls_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id")
);
--> statement-breakpoint
CREATE TABLE "refund_files" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"message_id" text NOT NULL,
	"xml" text NOT NULL,
	"digest" text NOT NULL,
	"transfers" integer NOT NULL,
	"sum_cents" numeric(78, 0) NOT NULL,
	"made_by" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"downloaded_by" text,
	"downloaded_at" timestamp (3) with time zone,
	"sent_by" text,
	"sent_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "refund_files_message" UNIQUE("message_id"),
	CONSTRAINT "refund_files_sent_by_another" CHECK ("refund_files"."sent_by" is null or "refund_files"."sent_by" <> "refund_files"."made_by")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payment_id" bigint NOT NULL,
	"amount_cents" numeric(78, 0) NOT NULL,
	"creditor_name" text NOT NULL,
	"creditor_iban" text NOT NULL,
	"end_to_end_id" text NOT NULL,
	"document" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"file_id" bigint,
	"is_named" boolean DEFAULT false NOT NULL,
	"confirmed_by" bigint,
	"returned_by" bigint,
	"void_by" bigint,
	CONSTRAINT "refunds_payment" UNIQUE("payment_id"),
	CONSTRAINT "refunds_end_to_end" UNIQUE("end_to_end_id"),
	CONSTRAINT "refunds_amounts" CHECK ("refunds"."amount_cents" > 0),
	CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id"),
	CONSTRAINT "refunds_file_id_refund_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."refund_files"("id"),
	CONSTRAINT "refunds_confirmed_by_payments_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."payments"("id"),
	CONSTRAINT "refunds_returned_by_payments_id_fk" FOREIGN KEY ("returned_by") REFERENCES "public"."payments"("id"),
	CONSTRAINT "refunds_void_by_payments_id_fk" FOREIGN KEY ("void_by") REFERENCES "public"."payments"("id")
);
--> statement-breakpoint
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
CREATE TABLE "daily_reports" (
	"day" date PRIMARY KEY NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"sections" jsonb NOT NULL,
	"pdf" "bytea" NOT NULL,
	"csv" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "closed_on" date;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "told_on" date;
--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "shown" text;
--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "shown_limit" text;
--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "taken_by" text;
--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "taken_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "on_call_since" timestamp (3) with time zone;
--> statement-breakpoint
CREATE UNIQUE INDEX "bank_files_once" ON "bank_files" USING btree ("digest") WHERE "bank_files"."closed_at" is null;
--> statement-breakpoint
CREATE INDEX "bank_files_waiting" ON "bank_files" USING btree ("id") WHERE "bank_files"."received_at" is null and "bank_files"."closed_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "bank_files_folder" ON "bank_files" USING btree ("name") WHERE "bank_files"."source" = 'folder';
--> statement-breakpoint
CREATE INDEX "payment_instructions_waiting" ON "payment_instructions" USING btree ("id") WHERE "payment_instructions"."state" = 'waiting';
--> statement-breakpoint
CREATE INDEX "payment_instructions_of" ON "payment_instructions" USING gin ("payment_ids");
--> statement-breakpoint
CREATE INDEX "payment_leaves_payment" ON "payment_leaves" USING btree ("payment_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_recalls_open" ON "payment_recalls" USING btree ("payment_id") WHERE "payment_recalls"."answer" is null;
--> statement-breakpoint
CREATE INDEX "payment_recalls_payment" ON "payment_recalls" USING btree ("payment_id");
--> statement-breakpoint
CREATE INDEX "refunds_file" ON "refunds" USING btree ("file_id");
--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("id") WHERE "refunds"."confirmed_by" is null and "refunds"."void_by" is null;
--> statement-breakpoint
CREATE INDEX "refunds_returned" ON "refunds" USING btree ("returned_by");
--> statement-breakpoint
CREATE TRIGGER payment_leaves_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_leaves
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payment_instructions_kept BEFORE UPDATE OR DELETE ON payment_instructions
FOR EACH ROW EXECUTE FUNCTION refuse_instruction_change();
--> statement-breakpoint
CREATE TRIGGER refunds_kept BEFORE UPDATE OR DELETE ON refunds
FOR EACH ROW EXECUTE FUNCTION refuse_refund_change();
--> statement-breakpoint
CREATE TRIGGER refund_files_sent BEFORE UPDATE ON refund_files
FOR EACH ROW EXECUTE FUNCTION refuse_undo('sent_at');
--> statement-breakpoint
CREATE TRIGGER refund_files_cancelled BEFORE UPDATE ON refund_files
FOR EACH ROW EXECUTE FUNCTION refuse_undo('cancelled_at');
--> statement-breakpoint
CREATE TRIGGER bank_files_kept BEFORE UPDATE ON bank_files
FOR EACH ROW EXECUTE FUNCTION refuse_bank_file_change();
--> statement-breakpoint
CREATE TRIGGER payment_recalls_answered BEFORE UPDATE ON payment_recalls
FOR EACH ROW EXECUTE FUNCTION refuse_undo('answered_at');
--> statement-breakpoint
CREATE TRIGGER daily_reports_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON daily_reports
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
