ALTER TABLE "passkeys" ADD COLUMN "added_by_passkey" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "paused_until" timestamp with time zone;