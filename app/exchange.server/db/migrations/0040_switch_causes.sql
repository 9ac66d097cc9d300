DELETE FROM "switches" WHERE NOT "off";--> statement-breakpoint
ALTER TABLE "switches" RENAME COLUMN "changed_at" TO "since";--> statement-breakpoint
ALTER TABLE "switches" ADD COLUMN "cause" text;--> statement-breakpoint
UPDATE "switches" SET "cause" = coalesce(replace("ends_with", 'reserves:', 'undecided:'), left("reason", 500));--> statement-breakpoint
ALTER TABLE "switches" ALTER COLUMN "cause" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "switches" DROP CONSTRAINT "switches_pkey";--> statement-breakpoint
ALTER TABLE "switches" ADD CONSTRAINT "switches_name_cause_pk" PRIMARY KEY("name","cause");--> statement-breakpoint
ALTER TABLE "switches" DROP COLUMN "off";--> statement-breakpoint
ALTER TABLE "switches" DROP COLUMN "ends_with";
