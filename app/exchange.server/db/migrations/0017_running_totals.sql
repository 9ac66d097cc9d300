ALTER TABLE "ledger_accounts" ADD COLUMN "reserved" numeric(38, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "ledger_accounts" AS "treasury" SET "reserved" = "totals"."reserved"
  FROM (SELECT "asset", sum("balance") AS "reserved" FROM "ledger_accounts" WHERE "code" LIKE 'reserved:%' GROUP BY "asset") AS "totals"
  WHERE "treasury"."code" = 'treasury' AND "treasury"."asset" = "totals"."asset";--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("account_id") WHERE status in ('awaiting_deposit', 'expired');
