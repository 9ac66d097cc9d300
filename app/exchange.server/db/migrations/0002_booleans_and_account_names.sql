-- Flags stored as 0 and 1 become booleans; the ledger accounts get the names the code uses.
-- Stop every process of the previous version first: it does not understand either change.
ALTER TABLE "chain_states" RENAME COLUMN "obstacle" TO "payment_block_reason";--> statement-breakpoint
ALTER TABLE "chain_states" ALTER COLUMN "synced" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "chain_states" ALTER COLUMN "synced" SET DATA TYPE boolean USING "synced" <> 0;--> statement-breakpoint
ALTER TABLE "chain_states" ALTER COLUMN "synced" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "switches" ALTER COLUMN "off" SET DATA TYPE boolean USING "off" <> 0;--> statement-breakpoint
ALTER TABLE "ledger_accounts" DROP CONSTRAINT "ledger_accounts_not_negative";--> statement-breakpoint
UPDATE "ledger_accounts" SET "code" = CASE "code" WHEN 'world' THEN 'external' ELSE 'treasury' END
 WHERE "code" IN ('world', 'house');--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_not_negative" CHECK ("ledger_accounts"."code" = 'external' or "ledger_accounts"."balance" >= 0);--> statement-breakpoint
-- Only the two names change, never an amount; the append-only triggers are off for this one statement.
ALTER TABLE "ledger_transfers" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "ledger_transfers" SET
  "from_code" = CASE "from_code" WHEN 'world' THEN 'external' WHEN 'house' THEN 'treasury' ELSE "from_code" END,
  "to_code" = CASE "to_code" WHEN 'world' THEN 'external' WHEN 'house' THEN 'treasury' ELSE "to_code" END
 WHERE "from_code" IN ('world', 'house') OR "to_code" IN ('world', 'house');--> statement-breakpoint
ALTER TABLE "ledger_transfers" ENABLE TRIGGER USER;
