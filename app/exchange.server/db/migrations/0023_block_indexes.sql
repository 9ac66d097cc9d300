CREATE INDEX "deposits_confirmed" ON "deposits" USING btree ("asset","block_number") WHERE status = 'confirmed';--> statement-breakpoint
CREATE INDEX "deposits_missing" ON "deposits" USING btree ("asset") WHERE missing_since is not null;--> statement-breakpoint
CREATE INDEX "payments_missing" ON "payments" USING btree ("asset") WHERE missing_since is not null;