import { and, eq, inArray, lte } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type accounts, consents, retainedRecords } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";
import { orders } from "../db/schema/orders";
import { unsealDetails } from "../kyc/details";
import { deriveKey, seal } from "../secrets";

type AccountRow = typeof accounts.$inferSelect;

/** The law counts the years from the end of the business relationship, which is the deletion. */
export function toPurgeDate(deletedAt: Date, years: number): Date {
  const date = new Date(deletedAt);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date;
}

/**
 * Whether the law requires us to keep records of who the customer is. It does from their first swap, or once they have
 * passed the identity check and could make one.
 */
export async function mustKeepRecords(db: Database, accountId: string): Promise<boolean> {
  const swaps = await db.select({ id: orders.id }).from(orders).where(eq(orders.accountId, accountId)).limit(1);
  if (swaps.length > 0) return true;
  const passed = await db
    .select({ id: kycApplications.id })
    .from(kycApplications)
    .where(and(eq(kycApplications.accountId, accountId), eq(kycApplications.status, "approved")))
    .limit(1);
  return passed.length > 0;
}

/** Stores who a customer is, apart from everything else, until the law allows us to delete it. */
export async function retainRecords(
  tx: Database,
  { config }: ExchangeContext,
  account: AccountRow,
  now: Date,
): Promise<void> {
  const applications = await tx.select().from(kycApplications).where(eq(kycApplications.accountId, account.id));
  const accepted = await tx.select().from(consents).where(eq(consents.accountId, account.id));
  const details = {
    email: account.email,
    created_at: account.createdAt,
    identity_checks: applications.map((application) => ({
      ...unsealDetails(config, application),
      status: application.status,
      reasons: application.reasons,
      reviewer: application.provider,
      reference: application.id,
      sent_at: application.createdAt,
      decided_at: application.decidedAt,
    })),
    consents: accepted.map(({ document, version, acceptedAt }) => ({ document, version, accepted_at: acceptedAt })),
  };
  await tx.insert(retainedRecords).values({
    accountId: account.id,
    details: seal(deriveKey(config.secret, "retained-records"), JSON.stringify(details), account.id),
    deletedAt: now,
    purgeAt: toPurgeDate(now, config.retentionYears),
  });
}

const batchSize = 500;

/** Job: deletes the records whose time is over. Safe to run at any time. @returns how many */
export async function purgeRetainedRecords(ctx: ExchangeContext): Promise<number> {
  const now = await ctx.clock.now(ctx.db);
  const due = ctx.db
    .select({ accountId: retainedRecords.accountId })
    .from(retainedRecords)
    .where(lte(retainedRecords.purgeAt, now))
    .limit(batchSize);
  const purged = await ctx.db
    .delete(retainedRecords)
    .where(inArray(retainedRecords.accountId, due))
    .returning({ accountId: retainedRecords.accountId });
  if (purged.length > 0) ctx.log.info({ records: purged.length }, "purged records of deleted accounts");
  return purged.length;
}
