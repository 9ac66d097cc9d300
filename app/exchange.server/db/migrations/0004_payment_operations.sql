CREATE TABLE "alerts" (
	"subject" text PRIMARY KEY NOT NULL,
	"order_id" text,
	"reason" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"retry_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "consolidations" (
	"id" text PRIMARY KEY NOT NULL,
	"asset" text NOT NULL,
	"status" text NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	"network_fee" numeric(38, 0) NOT NULL,
	"hash" text NOT NULL,
	"prepared" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chain_states" ADD COLUMN "max_payment" numeric(38, 0);--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "parked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "cancellation" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "cancellation_sent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "missing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "followed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "settled_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "consolidations_one_open" ON "consolidations" USING btree ("asset") WHERE status in ('prepared', 'sent');--> statement-breakpoint
CREATE UNIQUE INDEX "consolidations_hash" ON "consolidations" USING btree ("asset","hash");--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("asset","followed_at") WHERE status = 'confirmed' and settled_at is null;--> statement-breakpoint
UPDATE "payments" SET "settled_at" = "confirmed_at" WHERE "status" = 'confirmed';
