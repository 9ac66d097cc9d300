DROP INDEX "accounts_created";--> statement-breakpoint
CREATE INDEX "accounts_deleted" ON "accounts" USING btree ("deleted_at") WHERE deleted_at is not null;