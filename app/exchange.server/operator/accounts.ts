import { and, desc, eq, inArray, isNotNull, isNull, or } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import { toOneLine } from "../../lib/one-line";
import { toOrderNumber } from "../../lib/order-number";
import { openStatuses } from "../../lib/order-states";
import { revokeAccountSessions } from "../accounts/end-sessions";
import { getPause } from "../accounts/passkey-pause";
import { deletePasskey } from "../accounts/passkeys";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts, passkeys } from "../db/schema/accounts";
import { orders } from "../db/schema/orders";
import { isSignedPayment, payments } from "../db/schema/payments";
import { pushSubscriptions } from "../db/schema/push";
import { ExchangeError } from "../errors";
import { eraseAccount, lockAccount } from "../personal-data/delete-account";
import { findDeletionBlockers } from "../personal-data/deletion-blockers";
import { type RetainedRecord, readRetainedRecord } from "../personal-data/retained-records";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";
import { toPaymentLine } from "./order-report";

/**
 * Unblocks an account. A job releases its orders (orders/holds/owner-eligibility.ts). Its sessions end, because a
 * stolen session may be the reason for the block. @throws OperatorError if it is not blocked
 */
export async function unblockAccount(tx: Database, accountId: string, now: Date): Promise<string[]> {
  const unblocked = await tx
    .update(accounts)
    .set({ blockedAt: null })
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.blockedAt)))
    .returning({ id: accounts.id });
  if (unblocked.length === 0) throw new OperatorError(`Account ${accountId} is not blocked.`);
  await revokeAccountSessions(tx, accountId, now);
  return [`unblocked: account ${accountId}`];
}

/**
 * Blocks an account. While it is blocked, its owner cannot use the API, and its orders are put on hold instead of being
 * paid out. Their refunds continue, because they return the owner's own money. Its browsers no longer get
 * notifications.
 * @returns its open orders, which an operator may want to put on hold
 */
export async function blockAccount(tx: Database, accountId: string, blockedAt: Date): Promise<string[]> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const since = account?.blockedAt ?? null;
  if (since === null) await tx.update(accounts).set({ blockedAt }).where(eq(accounts.id, accountId));
  // Otherwise, their browsers would still get notifications. Sessions stay until the block ends, so that the API says
  // that the account is blocked.
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.accountId, accountId));
  const open = await tx
    .select({ id: orders.id, quoteId: orders.quoteId, status: orders.status })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(orders.status, openStatuses)))
    .orderBy(orders.id);
  const list = open.map(({ id, quoteId, status }) => `order ${toOrderNumber(quoteId)} (${id}): ${status}`);
  const advice = [
    "These orders are not paid out while the account is blocked.",
    'Refunds are still sent: to stop those of an order, run "operate hold ORDER REASON".',
  ].join(" ");
  const signed = await listSignedPayouts(tx, accountId);
  return [
    `blocked: account ${accountId}`,
    ...(since === null ? [] : [`It was blocked already, since ${since.toISOString()}.`]),
    ...list,
    ...signed.map(
      (payment) => `${toPaymentLine(payment)}: this payment is under way, and blocking the account does not stop it`,
    ),
    ...(list.length > 0 ? [advice] : []),
  ];
}

/** The signed payouts. Even if the account is blocked, the chain may accept them. */
async function listSignedPayouts(tx: Database, accountId: string) {
  const rows = await tx
    .select({ payment: payments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(orders.accountId, accountId), eq(payments.purpose, "payout"), isSignedPayment))
    .orderBy(payments.id);
  return rows.map(({ payment }) => ({ ...payment, amount: formatAmount(payment.amount, payment.asset) }));
}

/**
 * The owner's e-mail address, which an operator compares with the customer's. Printed and not recorded: records have
 * no e-mail addresses.
 */
export async function describeOwner(db: Database, accountId: string): Promise<string[]> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  return account?.emailVerifiedAt ? [`owner: ${account.email}`] : [];
}

/** A passkey as `operate passkeys` shows it. */
export type PasskeyReport = {
  id: string;
  name: string;
  addedAt: string;
  addedByPasskey: boolean;
  lastUsedAt: string | null;
  pausedUntil: string | null;
};

/** The passkeys of an account, newest first. */
export async function listPasskeysOf(db: Database, accountId: string, now: Date): Promise<PasskeyReport[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id));
  return rows.map((row) => ({
    id: row.id,
    name: toOneLine(row.name),
    addedAt: row.createdAt.toISOString(),
    addedByPasskey: row.addedByPasskey,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    pausedUntil: getPause(row, now)?.toISOString() ?? null,
  }));
}

/**
 * Removes a passkey of a blocked account, and tells the owner. The account cannot be used while it is blocked, so a
 * thief can neither add another passkey nor remove the owner's. @throws OperatorError
 */
export async function removePasskeyOf(
  tx: Database,
  ctx: ExchangeContext,
  { accountId, passkeyId, now }: { accountId: string; passkeyId: string; now: Date },
): Promise<string[]> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  if (!account?.blockedAt)
    throw new OperatorError(`Account ${accountId} is not blocked: run "operate block ${accountId}" first.`);
  const [passkey] = await tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.accountId, accountId), eq(passkeys.id, passkeyId)));
  if (!passkey)
    throw new OperatorError(`Account ${accountId} has no passkey ${passkeyId}: see "operate passkeys ${accountId}".`);
  await deletePasskey(tx, ctx, { account, passkey, now });
  return [`removed: passkey ${passkeyId} of account ${accountId}`];
}

/**
 * Deletes an account that a restored backup has brought back. Its owner was told when they deleted it, so this does not
 * send an e-mail.
 * @throws OperatorError
 */
export async function deleteAccountAgain(tx: Database, ctx: ExchangeContext, accountId: string): Promise<string[]> {
  const blockers = await findDeletionBlockers(tx, ctx, accountId);
  const list = blockers.map((blocker) =>
    blocker.reason === "open_swap"
      ? `order ${blocker.order_number} is not finished`
      : `it was recovered, so it cannot be deleted before ${blocker.until}`,
  );
  if (list.length > 0) throw new OperatorError(`Account ${accountId} cannot be deleted yet: ${list.join("; ")}.`);
  await eraseAccount(tx, ctx, await lockAccount(tx, accountId));
  return [`deleted: account ${accountId}`];
}

/** Finds an account by its ID, its e-mail address or one of its orders. @returns its ID. @throws OperatorError */
export async function findAccount(db: Database, named: string): Promise<string> {
  const isNamed = or(eq(accounts.id, await toAccountId(db, named)), eq(accounts.email, named.toLowerCase()));
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNamed, isNull(accounts.deletedAt)));
  if (!account) throw new OperatorError(`There is no account ${named}: check ACCOUNT and DATABASE_URL.`);
  return account.id;
}

/**
 * Finds a deleted account by its ID, or by the ID or number of one of its orders, and reads what we keep about it.
 * @throws OperatorError
 */
export async function readRecord(
  ctx: ExchangeContext,
  { named, operator, reason }: { named: string; operator: string; reason: string },
): Promise<RetainedRecord> {
  const accountId = await toAccountId(ctx.db, named);
  try {
    return await readRetainedRecord(ctx, { accountId, operator, reason });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const message =
      error.code === "not_found"
        ? await describeMissingRecord(ctx.db, accountId)
        : "The record was encrypted with another secret: set SESSION_SECRET to the one it was stored with.";
    throw new OperatorError(message, { cause: error });
  }
}

async function toAccountId(db: Database, named: string): Promise<string> {
  const [order] = await db
    .select({ accountId: orders.accountId })
    .from(orders)
    .where(eq(orders.id, await toOrderId(db, named)));
  return order?.accountId ?? named;
}

/** Why there is no retained record of an account. */
async function describeMissingRecord(db: Database, accountId: string): Promise<string> {
  const [account] = await db.select({ deletedAt: accounts.deletedAt }).from(accounts).where(eq(accounts.id, accountId));
  if (!account) return `There is no account or order ${accountId}: check ACCOUNT and DATABASE_URL.`;
  if (account.deletedAt === null) return `Account ${accountId} is not deleted, so there is no retained record of it.`;
  return `Nothing is kept about account ${accountId}: the law did not require it, or the retention period has ended.`;
}
