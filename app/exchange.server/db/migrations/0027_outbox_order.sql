ALTER TABLE "outbox" ADD COLUMN "is_urgent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "sender_hash" text DEFAULT '' NOT NULL;