CREATE TABLE "acceptance_periods" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"reason" text,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "acceptance_periods_ended" ON "acceptance_periods" USING btree ("ended_at");