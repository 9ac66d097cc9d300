CREATE TABLE "mail_failures" (
	"subject" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"since" timestamp with time zone NOT NULL
);
