CREATE TABLE "weekly_mails" (
	"user_id" uuid NOT NULL,
	"week" date NOT NULL,
	CONSTRAINT "weekly_mails_week_user_id_pk" PRIMARY KEY("week","user_id"),
	CONSTRAINT "weekly_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id")
);
