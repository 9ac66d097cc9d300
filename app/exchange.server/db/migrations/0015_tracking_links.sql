ALTER TABLE "orders" ADD COLUMN "tracking_hash" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tracked_since" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_tracking_hash" ON "orders" USING btree ("tracking_hash");