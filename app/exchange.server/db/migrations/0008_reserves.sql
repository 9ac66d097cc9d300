CREATE TABLE "collected_addresses" (
	"asset" text NOT NULL,
	"address" text NOT NULL,
	"height" bigint NOT NULL,
	CONSTRAINT "collected_addresses_asset_address_pk" PRIMARY KEY("asset","address")
);
--> statement-breakpoint
CREATE TABLE "reserve_checks" (
	"asset" text PRIMARY KEY NOT NULL,
	"height" bigint NOT NULL,
	"owed" numeric(38, 0) NOT NULL,
	"uncredited" numeric(38, 0) NOT NULL,
	"in_wallet" numeric(38, 0) NOT NULL,
	"uncollected" numeric(38, 0) NOT NULL,
	"short_since" timestamp with time zone,
	"surplus_since" timestamp with time zone,
	"checked_at" timestamp with time zone NOT NULL
);
