ALTER TABLE "orders" ADD COLUMN "hold_problem" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "doubted_by" text;--> statement-breakpoint
UPDATE "orders" SET "hold_problem" = 'unverified' WHERE "status" = 'on_hold' AND "hold_reason" = 'Your identity verification was withdrawn.';--> statement-breakpoint
UPDATE "orders" SET "hold_problem" = 'blocked' WHERE "status" = 'on_hold' AND "hold_reason" = 'Your account can''t be used for swaps at the moment.';--> statement-breakpoint
UPDATE "payments" SET "doubted_by" = (
  SELECT "hash" FROM "unknown_payments" WHERE position('may have' in "last_error") > 0 AND position('(' || "hash" || ')' in "last_error") > 0 LIMIT 1
) WHERE "status" = 'planned' AND "parked_at" IS NOT NULL;
