CREATE TABLE "unknown_payments" (
	"asset" text NOT NULL,
	"hash" text NOT NULL,
	"address" text NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "unknown_payments_asset_hash_pk" PRIMARY KEY("asset","hash")
);
--> statement-breakpoint
CREATE TABLE "wallet_histories" (
	"asset" text PRIMARY KEY NOT NULL,
	"baseline" bigint NOT NULL,
	"read_through" bigint NOT NULL,
	"database_id" text
);
