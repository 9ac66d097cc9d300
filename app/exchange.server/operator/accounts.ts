import { and, eq, inArray, isNull, or } from "drizzle-orm";
import { toOrderNumber } from "../../lib/order-number";
import { openStatuses } from "../../lib/order-states";
import { revokeAccountSessions } from "../accounts/sessions";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { type RetainedRecord, readRetainedRecord } from "../personal-data/retained-records";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";

/**
 * Unblocks an account. A job releases its orders (orders/holds/owner-eligibility.ts). Its sessions end, because a stolen session
 * may be the reason for the block.
 */
export async function unblockAccount(tx: Database, accountId: string, now: Date): Promise<string[]> {
  await tx.update(accounts).set({ blockedAt: null }).where(eq(accounts.id, accountId));
  await revokeAccountSessions(tx, accountId, now);
  return [`unblocked: account ${accountId}`];
}

/**
 * Blocks an account. While it is blocked, its owner cannot use the API, and its orders are held instead of paid out.
 * Their refunds continue, because they return the owner's own money.
 * @returns its open orders, which an operator may want to hold
 */
export async function blockAccount(tx: Database, accountId: string, blockedAt: Date): Promise<string[]> {
  await tx.update(accounts).set({ blockedAt }).where(eq(accounts.id, accountId));
  const open = await tx
    .select({ id: orders.id, quoteId: orders.quoteId, status: orders.status })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(orders.status, openStatuses)))
    .orderBy(orders.id);
  const list = open.map(({ id, quoteId, status }) => `order ${toOrderNumber(quoteId)} (${id}): ${status}`);
  const advice =
    'These orders are not paid out while the account is blocked. Refunds are still sent: to stop those of an order, run "operate hold ORDER REASON".';
  return [`blocked: account ${accountId}`, ...list, ...(list.length > 0 ? [advice] : [])];
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
