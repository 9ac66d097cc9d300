CREATE TABLE "rescans" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"asset" text NOT NULL,
	"from_block" bigint NOT NULL,
	"to_block" bigint NOT NULL,
	"next_block" bigint NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "chain_states" ADD COLUMN "finalized_height" bigint;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "block_log_index" integer;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "missing_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "rescans_open" ON "rescans" USING btree ("asset","id") WHERE finished_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_log" ON "deposits" USING btree ("asset","block_hash","tx_hash","block_log_index") WHERE status <> 'failed';