ALTER TABLE "reserve_checks" ADD COLUMN "unexplained_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "switches" ADD COLUMN "ends_with" text;