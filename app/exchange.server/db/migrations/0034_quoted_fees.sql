ALTER TABLE "orders" ADD COLUMN "fee_bps" integer;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "fee_bps" integer;