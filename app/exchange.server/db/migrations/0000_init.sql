CREATE TABLE "access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp with time zone,
	"is_active" boolean DEFAULT true NOT NULL,
	"blocked_at" timestamp with time zone,
	"kyc_status" text DEFAULT 'not_started' NOT NULL,
	"payouts_wait_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"account_id" text,
	"code_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "limit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"challenge" text NOT NULL,
	"email" text,
	"account_id" text,
	"session_id" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"backed_up" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"method" text NOT NULL,
	"passkey_at" timestamp with time zone,
	"passkey_id" text,
	"generation" integer NOT NULL,
	"rotated_at" timestamp with time zone NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "delivery_addresses" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"type" text NOT NULL,
	"address" text NOT NULL,
	"canonical" text NOT NULL,
	"label" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "kyc_applications" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"reasons" jsonb NOT NULL,
	"details" text NOT NULL,
	"provider" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kyc_webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"asset" text NOT NULL,
	"code" text NOT NULL,
	"balance" numeric(38, 0) NOT NULL,
	CONSTRAINT "ledger_accounts_asset_code_pk" PRIMARY KEY("asset","code"),
	CONSTRAINT "ledger_accounts_not_negative" CHECK ("ledger_accounts"."code" = 'world' or "ledger_accounts"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"asset" text NOT NULL,
	"from_code" text NOT NULL,
	"to_code" text NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	"kind" text NOT NULL,
	"order_id" text,
	"link_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_transfers_positive" CHECK ("ledger_transfers"."amount" > 0),
	CONSTRAINT "ledger_transfers_differ" CHECK ("ledger_transfers"."from_code" <> "ledger_transfers"."to_code")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_states" (
	"asset" text PRIMARY KEY NOT NULL,
	"cursor" jsonb,
	"height" bigint,
	"synced" integer DEFAULT 0 NOT NULL,
	"scanned_through" timestamp with time zone,
	"spendable" numeric(38, 0),
	"chain_id" text,
	"obstacle" text,
	"baseline_nonce" integer,
	"checked_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"asset" text NOT NULL,
	"tx_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"display_hash" text NOT NULL,
	"block_hash" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	"confirmations" integer NOT NULL,
	"required_confirmations" integer NOT NULL,
	"status" text NOT NULL,
	"credited_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "deposits_positive" CHECK ("deposits"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"order_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"from_status" text,
	"to_status" text,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"number" serial NOT NULL,
	"account_id" text NOT NULL,
	"quote_id" bigint NOT NULL,
	"status" text NOT NULL,
	"source_asset" text NOT NULL,
	"target_asset" text NOT NULL,
	"source_amount" numeric(38, 0) NOT NULL,
	"target_amount" numeric(38, 0) NOT NULL,
	"fee_amount" numeric(38, 0) NOT NULL,
	"rate" numeric(38, 0) NOT NULL,
	"filled_source" numeric(38, 0),
	"filled_target" numeric(38, 0),
	"filled_fee" numeric(38, 0),
	"filled_rate" numeric(38, 0),
	"delivery_address" text NOT NULL,
	"refund_address" text NOT NULL,
	"funding_address" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"grace_ms" integer NOT NULL,
	"decision_reason" text,
	"decision_deadline" timestamp with time zone,
	"decision_choice" text,
	"decided_by" text,
	"offer_quote_id" bigint,
	"hold_reason" text,
	"held_from" text,
	"hold_deadline" timestamp with time zone,
	"payout_not_before" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "orders_number_unique" UNIQUE("number"),
	CONSTRAINT "orders_quoteId_unique" UNIQUE("quote_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"purpose" text NOT NULL,
	"deposit_id" text,
	"part" text NOT NULL,
	"asset" text NOT NULL,
	"gross_amount" numeric(38, 0) NOT NULL,
	"amount" numeric(38, 0) NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"signer" text,
	"nonce" integer,
	"hash" text,
	"prepared" jsonb,
	"superseded" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"confirmations" integer DEFAULT 0 NOT NULL,
	"required_confirmations" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"not_before" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "payments_positive" CHECK ("payments"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "switches" (
	"name" text PRIMARY KEY NOT NULL,
	"off" integer NOT NULL,
	"reason" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" bigint PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"source_asset" text NOT NULL,
	"target_asset" text NOT NULL,
	"source_amount" numeric(38, 0) NOT NULL,
	"target_amount" numeric(38, 0) NOT NULL,
	"fee_amount" numeric(38, 0) NOT NULL,
	"rate" numeric(38, 0) NOT NULL,
	"offer_for_order_id" text,
	"expires_at" timestamp with time zone NOT NULL,
	"locked_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quotes_assets_differ" CHECK ("quotes"."source_asset" <> "quotes"."target_asset"),
	CONSTRAINT "quotes_amounts_positive" CHECK ("quotes"."source_amount" > 0 and "quotes"."target_amount" > 0 and "quotes"."fee_amount" >= 0 and "quotes"."rate" > 0)
);
--> statement-breakpoint
CREATE TABLE "rate_points" (
	"id" serial PRIMARY KEY NOT NULL,
	"rate" numeric(38, 0) NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_mails" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"to" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"code" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_reviews" (
	"reference" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"reasons" jsonb NOT NULL,
	"decide_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_addresses" ADD CONSTRAINT "delivery_addresses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kyc_applications" ADD CONSTRAINT "kyc_applications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_expiry" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "access_tokens_of_session" ON "access_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "accounts_created" ON "accounts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "email_challenges_of_email" ON "email_challenges" USING btree ("email");--> statement-breakpoint
CREATE INDEX "email_challenges_expiry" ON "email_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "limit_events_key" ON "limit_events" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "limit_events_at" ON "limit_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_of_account" ON "passkeys" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_of_account" ON "sessions" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_addresses_once" ON "delivery_addresses" USING btree ("account_id","type","canonical") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "delivery_addresses_of_account" ON "delivery_addresses" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "kyc_applications_of_account" ON "kyc_applications" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "kyc_applications_open" ON "kyc_applications" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "ledger_transfers_of_order" ON "ledger_transfers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_key" ON "deposits" USING btree ("asset","tx_hash","log_index");--> statement-breakpoint
CREATE INDEX "deposits_of_order" ON "deposits" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "deposits_pending" ON "deposits" USING btree ("asset") WHERE status = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_key" ON "idempotency_keys" USING btree ("account_id","key");--> statement-breakpoint
CREATE INDEX "order_events_of_order" ON "order_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "orders_of_account" ON "orders" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_status" ON "orders" USING btree ("status","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_funding_address" ON "orders" USING btree ("source_asset","funding_address");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_payout" ON "payments" USING btree ("order_id") WHERE purpose = 'payout' and status <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_refund" ON "payments" USING btree ("deposit_id","part") WHERE purpose = 'refund' and status <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_nonce" ON "payments" USING btree ("signer","nonce") WHERE nonce is not null;--> statement-breakpoint
CREATE INDEX "payments_of_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_open" ON "payments" USING btree ("asset","created_at") WHERE status in ('planned', 'prepared', 'sent');--> statement-breakpoint
CREATE INDEX "quotes_active" ON "quotes" USING btree ("account_id","created_at") WHERE status in ('open', 'locked');--> statement-breakpoint
CREATE INDEX "quotes_open_expiry" ON "quotes" USING btree ("expires_at") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "rate_points_at" ON "rate_points" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sandbox_mails_to" ON "sandbox_mails" USING btree ("to","id");