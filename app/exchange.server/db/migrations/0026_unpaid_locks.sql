DROP INDEX "orders_unpaid";--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("account_id") WHERE status in ('awaiting_deposit', 'expired', 'needs_decision');