ALTER TABLE "outbox" ADD COLUMN "topic_hash" text;--> statement-breakpoint
CREATE INDEX "outbox_topic" ON "outbox" USING btree ("topic_hash");