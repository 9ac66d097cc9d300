ALTER TABLE "deposits" ADD COLUMN "empty_at_height" bigint;--> statement-breakpoint
UPDATE "deposits" SET "empty_at_height" = "collected"."height"
  FROM "orders", "collected_addresses" AS "collected"
  WHERE "orders"."id" = "deposits"."order_id" AND "collected"."asset" = "deposits"."asset"
    AND "collected"."address" = "orders"."funding_address";--> statement-breakpoint
DROP TABLE "collected_addresses";--> statement-breakpoint
CREATE INDEX "deposits_uncollected" ON "deposits" USING btree ("asset") WHERE status <> 'failed' and (empty_at_height is null or empty_at_height < block_number);
