import { and, asc, eq, inArray, isNotNull, lte } from "drizzle-orm";
import type { ExchangeConfig, ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type AccountRow, consents, retainedRecordReadings, retainedRecords } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { tryUnsealDetails } from "../kyc/details";
import { deriveKey, seal, unseal } from "../secrets";

const toKey = ({ secret }: ExchangeConfig) => deriveKey(secret, "retained-records");

/** The law counts the years from the end of the business relationship, which is the deletion. */
export function toPurgeDate(deletedAt: Date, years: number): Date {
  const date = new Date(deletedAt);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date;
}

/**
 * Whether the law requires us to keep records of who the customer is. This is the case from their first swap on, or
 * after they have passed the identity check and could make a swap, even if the approval was withdrawn since.
 */
export async function mustKeepRecords(db: Database, accountId: string): Promise<boolean> {
  const swaps = await db.select({ id: orders.id }).from(orders).where(eq(orders.accountId, accountId)).limit(1);
  if (swaps.length > 0) return true;
  const passed = await db
    .select({ id: kycApplications.id })
    .from(kycApplications)
    .where(and(eq(kycApplications.accountId, accountId), isNotNull(kycApplications.approvedAt)))
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
      // Details that cannot be read now are kept as they are, because an operator may still have the secret.
      ...(tryUnsealDetails(config, application) ?? { encrypted_details: application.details }),
      status: application.status,
      reasons: application.reasons,
      reviewer: application.provider,
      reference: application.id,
      sent_at: application.createdAt,
      decided_at: application.decidedAt,
      approved_at: application.approvedAt,
    })),
    consents: accepted.map(({ document, version, acceptedAt }) => ({ document, version, accepted_at: acceptedAt })),
  };
  await tx.insert(retainedRecords).values({
    accountId: account.id,
    details: seal(toKey(config), JSON.stringify(details), account.id),
    deletedAt: now,
    purgeAt: toPurgeDate(now, config.retentionYears),
  });
}

/** What we keep about a deleted account. Times are ISO 8601. */
export type RetainedRecord = {
  account: string;
  deleted_at: string;
  /** When it is deleted too. */
  kept_until: string;
  /** As `retainRecords` has stored them. */
  details: Record<string, unknown>;
  /** Every time that an operator has read it, ending with this reading. Older readings may not name the operator. */
  readings: { at: string; operator: string | null; reason: string }[];
};

/**
 * Reads what we keep about a deleted account, and records who reads it, when and why, in the same transaction, so
 * that no reading goes unrecorded.
 * @throws not_found if nothing is kept about the account
 * @throws conflict if it was stored with another secret
 */
export function readRetainedRecord(
  { db, clock, config, log }: ExchangeContext,
  { accountId, operator, reason }: { accountId: string; operator: string; reason: string },
): Promise<RetainedRecord> {
  return db.transaction(async (tx) => {
    // The lock blocks the job that deletes records.
    const [record] = await tx
      .select()
      .from(retainedRecords)
      .where(eq(retainedRecords.accountId, accountId))
      .for("key share");
    if (!record) throw new ExchangeError("not_found");
    const details = openDetails(config, record);
    const readAt = await clock.now(tx);
    await tx.insert(retainedRecordReadings).values({ id: newId(), accountId, operator, reason, readAt });
    const readings = await tx
      .select()
      .from(retainedRecordReadings)
      .where(eq(retainedRecordReadings.accountId, accountId))
      .orderBy(asc(retainedRecordReadings.readAt), asc(retainedRecordReadings.id));
    log.info({ account: accountId, operator }, "an operator reads the record of a deleted account");
    return {
      account: accountId,
      deleted_at: record.deletedAt.toISOString(),
      kept_until: record.purgeAt.toISOString(),
      details,
      readings: readings.map(({ readAt, operator, reason }) => ({ at: readAt.toISOString(), operator, reason })),
    };
  });
}

function openDetails(
  config: ExchangeConfig,
  { accountId, details }: typeof retainedRecords.$inferSelect,
): RetainedRecord["details"] {
  try {
    return JSON.parse(unseal(toKey(config), details, accountId)) as RetainedRecord["details"];
  } catch (cause) {
    throw new ExchangeError("conflict", { cause });
  }
}

const batchSize = 500;

/** Job: deletes the records whose retention period has ended. Safe to run at any time. @returns how many */
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
