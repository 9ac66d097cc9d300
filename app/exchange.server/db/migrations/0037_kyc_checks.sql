ALTER TABLE "kyc_applications" ADD COLUMN "approved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "kyc_applications" ADD COLUMN "next_check_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "kyc_applications_due" ON "kyc_applications" USING btree ("next_check_at");--> statement-breakpoint
UPDATE "kyc_applications" SET "approved_at" = "decided_at", "next_check_at" = now() + random() * interval '1 day' WHERE "status" = 'approved';--> statement-breakpoint
UPDATE "kyc_applications" SET "next_check_at" = now() WHERE "status" = 'pending';
