CREATE INDEX "payments_by_change" ON "payments" USING btree ((prepared->>'changeHash'));--> statement-breakpoint
UPDATE "payments" SET "prepared" = "prepared" - 'raw' WHERE "nonce" IS NULL AND "settled_at" IS NOT NULL AND "prepared" IS NOT NULL;--> statement-breakpoint
UPDATE "consolidations" SET "prepared" = "prepared" - 'raw' WHERE "status" = 'confirmed';
