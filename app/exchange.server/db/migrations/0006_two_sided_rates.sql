ALTER TABLE "rate_points" ADD COLUMN "bid" numeric(38, 0);--> statement-breakpoint
ALTER TABLE "rate_points" ADD COLUMN "ask" numeric(38, 0);