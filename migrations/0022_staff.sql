CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"roles" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"stopped_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "staff_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"is_synced" boolean NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "staff_keys_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id")
);
--> statement-breakpoint
CREATE TABLE "staff_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"roles" text[] NOT NULL,
	"invited_by" uuid,
	"approved_by" uuid,
	"is_override" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"staff_id" uuid,
	CONSTRAINT "staff_invitations_token" UNIQUE("token_hash"),
	CONSTRAINT "staff_invitations_invited_by_staff_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."staff"("id"),
	CONSTRAINT "staff_invitations_approved_by_staff_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."staff"("id"),
	CONSTRAINT "staff_invitations_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id")
);
--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "staff_sessions_token" UNIQUE("token_hash"),
	CONSTRAINT "staff_sessions_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id")
);
--> statement-breakpoint
CREATE TABLE "staff_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"staff_id" uuid,
	"invitation_id" uuid,
	"act_hash" text,
	"once" jsonb,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_challenges_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id"),
	CONSTRAINT "staff_challenges_invitation_id_staff_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."staff_invitations"("id")
);
--> statement-breakpoint
CREATE TABLE "staff_proposals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"input" jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	"plan" jsonb NOT NULL,
	"outcome" jsonb,
	"why" text NOT NULL,
	"proposed_by" uuid NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"decision_why" text,
	CONSTRAINT "staff_proposals_state_known" CHECK ("staff_proposals"."state" in ('open', 'approved', 'rejected', 'replaced', 'lapsed', 'failed')),
	CONSTRAINT "staff_proposals_by_another" CHECK ("staff_proposals"."state" not in ('approved', 'failed') or "staff_proposals"."decided_by" <> "staff_proposals"."proposed_by"),
	CONSTRAINT "staff_proposals_decided" CHECK (("staff_proposals"."state" in ('approved', 'rejected', 'failed')) = ("staff_proposals"."decided_by" is not null and "staff_proposals"."decided_at" is not null)),
	CONSTRAINT "staff_proposals_proposed_by_staff_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."staff"("id"),
	CONSTRAINT "staff_proposals_decided_by_staff_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."staff"("id")
);
--> statement-breakpoint
CREATE TABLE "staff_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" numeric(78, 0) NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"changed_by" uuid NOT NULL,
	CONSTRAINT "staff_settings_changed_by_staff_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."staff"("id")
);
--> statement-breakpoint
CREATE TABLE "staff_audit" (
	"id" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"why" text NOT NULL,
	"details" text NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_audit_heads" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"signature" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD COLUMN "passkey" jsonb;--> statement-breakpoint
ALTER TABLE "withdrawal_decisions" ADD COLUMN "wanted" integer;--> statement-breakpoint
ALTER TABLE "withdrawal_holds" ADD COLUMN "why" text;--> statement-breakpoint
ALTER TABLE "withdrawal_holds" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_name" ON "staff" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "staff_audit_subject" ON "staff_audit" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "staff_keys_staff" ON "staff_keys" USING btree ("staff_id");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_proposals_open" ON "staff_proposals" USING btree ("act","subject") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "staff_proposals_listed" ON "staff_proposals" USING btree ("state","proposed_at");--> statement-breakpoint
CREATE INDEX "staff_sessions_staff" ON "staff_sessions" USING btree ("staff_id");--> statement-breakpoint
CREATE TRIGGER staff_audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_audit
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER staff_audit_heads_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_audit_heads
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER staff_proposals_kept BEFORE UPDATE OR DELETE ON staff_proposals
FOR EACH ROW EXECUTE FUNCTION refuse_proposal_change();--> statement-breakpoint
CREATE TRIGGER staff_ended BEFORE UPDATE ON staff
FOR EACH ROW EXECUTE FUNCTION refuse_undo('stopped_at');--> statement-breakpoint
CREATE TRIGGER staff_keys_ended BEFORE UPDATE ON staff_keys
FOR EACH ROW EXECUTE FUNCTION refuse_undo('removed_at');--> statement-breakpoint
CREATE TRIGGER staff_invitations_ended BEFORE UPDATE ON staff_invitations
FOR EACH ROW EXECUTE FUNCTION refuse_undo('accepted_at');--> statement-breakpoint
CREATE TRIGGER staff_sessions_ended BEFORE UPDATE ON staff_sessions
FOR EACH ROW EXECUTE FUNCTION refuse_undo('ended_at');
