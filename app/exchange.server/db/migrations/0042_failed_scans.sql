ALTER TABLE "chain_states" ADD COLUMN "failed_at" timestamp with time zone;--> statement-breakpoint
UPDATE "payments" SET "prepared" = jsonb_set("prepared", '{changeHash}', "prepared" #> '{raw,txProposal,change_txos,0,tx_out_public_key}')
WHERE "asset" = 'MOB' AND "prepared" #> '{raw,txProposal,change_txos,0,tx_out_public_key}' IS NOT NULL;--> statement-breakpoint
UPDATE "consolidations" SET "prepared" = jsonb_set("prepared", '{changeHash}', "prepared" #> '{raw,txProposal,change_txos,0,tx_out_public_key}')
WHERE "asset" = 'MOB' AND "prepared" #> '{raw,txProposal,change_txos,0,tx_out_public_key}' IS NOT NULL;
