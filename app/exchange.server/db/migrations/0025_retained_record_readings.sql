CREATE TABLE "retained_record_readings" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"reason" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "retained_record_readings" ADD CONSTRAINT "retained_record_readings_account_id_retained_records_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."retained_records"("account_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "retained_record_readings_of_account" ON "retained_record_readings" USING btree ("account_id","read_at","id");