CREATE TABLE "known_networks" (
	"email" text NOT NULL,
	"network_hash" text NOT NULL,
	"last_sign_in_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_networks_email_network_hash_pk" PRIMARY KEY("email","network_hash")
);
--> statement-breakpoint
DROP INDEX "email_challenges_of_email";--> statement-breakpoint
ALTER TABLE "email_challenges" ADD COLUMN "budget" text;--> statement-breakpoint
CREATE INDEX "known_networks_last_sign_in" ON "known_networks" USING btree ("last_sign_in_at");