CREATE TABLE "refunded_deposits" (
	"payment_id" text NOT NULL,
	"deposit_id" text NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	CONSTRAINT "refunded_deposits_payment_id_deposit_id_pk" PRIMARY KEY("payment_id","deposit_id"),
	CONSTRAINT "refunded_deposits_positive" CHECK ("refunded_deposits"."amount" > 0)
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_deposit_id_deposits_id_fk";
--> statement-breakpoint
DROP INDEX "payments_one_refund";--> statement-breakpoint
ALTER TABLE "chain_states" ADD COLUMN "payment_cost" numeric(38, 0);--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payout_cost" numeric(38, 0);--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "payout_cost" numeric(38, 0);--> statement-breakpoint
ALTER TABLE "refunded_deposits" ADD CONSTRAINT "refunded_deposits_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunded_deposits" ADD CONSTRAINT "refunded_deposits_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunded_deposits_of_deposit" ON "refunded_deposits" USING btree ("deposit_id");--> statement-breakpoint
INSERT INTO "refunded_deposits" ("payment_id", "deposit_id", "amount") SELECT "id", "deposit_id", "gross_amount" FROM "payments" WHERE "deposit_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" DROP COLUMN "deposit_id";--> statement-breakpoint
ALTER TABLE "payments" DROP COLUMN "part";