import { and, desc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { addMs } from "../../lib/durations";
import { joinSentences } from "../../lib/join-sentences";
import { AmountError, formatAmount, parseAmount } from "../../lib/money";
import { toOneLine } from "../../lib/one-line";
import { toOrderNumber } from "../../lib/order-number";
import { openStatuses } from "../../lib/order-states";
import { revokeSessionsOf } from "../accounts/sessions";
import { clearAlert, listAlerts } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { getChainState } from "../db/chain-state";
import { type Database, lockFor } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { chainStates, rescans } from "../db/schema/chains";
import { ledgerTransfers } from "../db/schema/ledger";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { external, fees, getBalance, InsufficientBalanceError, post, type Transfer, treasury } from "../ledger/ledger";
import { bookFeeByHand, bookLargeLoss } from "../operator-advice";
import { acceptPayment } from "../payments/doubts";
import { findReasonToKeep, findUnresolved, type UnknownPayment } from "../payments/unknown-payments";
import { type RetainedRecord, readRetainedRecord } from "../personal-data/retained-records";
import { readEarnedFees } from "./earned-fees";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";
import { describeTransactionHash, listTransactionHashes, toTransactionHash } from "./transaction-hash";

/** The reason an operator gives for switching something off, as one line. @throws OperatorError */
export function toStopReason(text: string): string {
  const reason = toOneLine(text);
  if (reason.length >= 1 && reason.length <= 500) return reason;
  throw new OperatorError("REASON must have 1 to 500 characters.");
}

/** The same amount again so soon may be a command that was run twice because its result was not seen. */
const repeatedFloatMs = 3_600_000;

/**
 * Books an amount that was added to our wallet by hand, or taken from it ("-250").
 * @returns the treasury before and after
 * @throws OperatorError, also if the same was booked within the last hour and this is not `isAgain`
 */
export async function addFloat(
  tx: Database,
  { asset, amount, isAgain, at }: { asset: AssetSymbol; amount: string; isAgain: boolean; at: Date },
): Promise<string[]> {
  const isTaken = amount.startsWith("-");
  const units = parsePositive(isTaken ? amount.slice(1) : amount, asset, "250 or -250.5");
  const [from, to] = isTaken ? [treasury, external] : [external, treasury];
  const transfer = { asset, from, to, amount: units, kind: "float" as const };
  await lockFor(tx, "float");
  const last = await findTransferSince(tx, transfer, addMs(at, -repeatedFloatMs));
  if (last !== null && !isAgain) {
    throw new OperatorError(
      `The same amount was booked at ${last.toISOString()} (see "operate actions"). If this is another one, add --again.`,
    );
  }
  try {
    await post(tx, { transfers: [transfer], orderId: null, at });
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    const message = `The treasury holds less than ${formatAmount(units, asset)} ${asset}: lower AMOUNT. ${bookLargeLoss}`;
    throw new OperatorError(message, { cause: error });
  }
  const after = await getBalance(tx, asset, treasury);
  const before = isTaken ? after + units : after - units;
  return [`treasury: ${formatAmount(before, asset)} ${asset} before, ${formatAmount(after, asset)} after`];
}

/** When a transfer that belongs to no order was last posted since a time. */
async function findTransferSince(tx: Database, transfer: Transfer, since: Date): Promise<Date | null> {
  const { asset, kind, from, to, amount } = transfer;
  const t = ledgerTransfers;
  const isSame = and(eq(t.asset, asset), eq(t.fromCode, from), eq(t.toCode, to), eq(t.amount, amount));
  const [last] = await tx
    .select({ at: t.at })
    .from(t)
    .where(and(isNull(t.orderId), eq(t.kind, kind), isSame, gt(t.at, since)))
    .orderBy(desc(t.id))
    .limit(1);
  return last?.at ?? null;
}

/**
 * Moves earned fees to the treasury: this amount, or all that no order can need back (null).
 * @throws OperatorError if there is less
 */
export async function takeFees(
  tx: Database,
  { asset, amount, at }: { asset: AssetSymbol; amount: string | null; at: Date },
): Promise<string[]> {
  const wanted = amount === null ? null : parsePositive(amount, asset, "250 or 250.5");
  await lockFor(tx, `fees:${asset}`);
  const { final } = await readEarnedFees(tx, asset);
  const units = wanted ?? final;
  if (units === 0n || units > final) {
    const most = `${formatAmount(final, asset)} ${asset}`;
    throw new OperatorError(
      `Only ${most} of fees can be taken: the others come from swaps and refunds that are not final.`,
    );
  }
  const transfers = [{ asset, from: fees, to: treasury, amount: units, kind: "fees_taken" as const }];
  await post(tx, { transfers, orderId: null, at });
  return [`taken: ${formatAmount(units, asset)} ${asset}`];
}

function parsePositive(text: string, asset: AssetSymbol, example: string): bigint {
  try {
    const units = parseAmount(text, asset);
    if (units > 0n) return units;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
  }
  throw new OperatorError(`AMOUNT is not an amount of ${asset}: write it like ${example}.`);
}

/** Accepts this as the next nonce of the Ethereum signer. @throws OperatorError before the first scan */
export async function acceptNonce(db: Database, nonce: number): Promise<string[]> {
  const changed = await db
    .update(chainStates)
    .set({ baselineNonce: nonce })
    .where(eq(chainStates.asset, "USDT"))
    .returning({ asset: chainStates.asset });
  if (changed.length === 0) throw new OperatorError("This exchange has not scanned Ethereum yet: check DATABASE_URL.");
  return [];
}

/**
 * Accounts for a payment of our wallet that is for no order of this database. Unless it is forced, it is refused while
 * the payment may be for one: nothing would keep that order from being paid or refunded once more.
 * @returns what was accepted, and how to book it
 * @throws OperatorError
 */
export async function acceptUnknown(
  db: Database,
  { text, isForced, at }: { text: string; isForced: boolean; at: Date },
): Promise<string[]> {
  const unknown = await findUnresolved(db, listTransactionHashes(text));
  if (!unknown) throw new OperatorError(`There is no unknown payment ${text}: "operate status" lists them.`);
  const reason = isForced ? null : await findReasonToKeep(db, unknown);
  if (reason !== null)
    throw new OperatorError(`${reason} If you know that it was for no order of this database, add --force.`);
  await acceptPayment(db, unknown.hash, at);
  return [describeAccepted(unknown)];
}

/**
 * The hash of the transaction that has made a payment, in the form that the exchange stores, so that one transaction
 * cannot be booked twice. @throws ExchangeError not_found; OperatorError if the text is not a hash
 */
export async function readHashOf(
  db: Database,
  { paymentId, text }: { paymentId: string; text: string },
): Promise<string> {
  const [payment] = await db.select({ asset: payments.asset }).from(payments).where(eq(payments.id, paymentId));
  if (!payment) throw new ExchangeError("not_found");
  return parseHash(payment.asset, text);
}

/** The same for the payout of an order. @throws ExchangeError not_found; OperatorError if the text is not a hash */
export async function readPayoutHash(
  db: Database,
  { orderId, text }: { orderId: string; text: string },
): Promise<string> {
  const [order] = await db.select({ asset: orders.targetAsset }).from(orders).where(eq(orders.id, orderId));
  if (!order) throw new ExchangeError("not_found");
  return parseHash(order.asset, text);
}

function parseHash(asset: AssetSymbol, text: string): string {
  const hash = toTransactionHash(asset, text);
  if (hash !== null) return hash;
  throw new OperatorError(`HASH is not ${describeTransactionHash(asset)}.`);
}

/**
 * Ends the alert about a transfer that is older than its order. Every other alert ends when its cause does.
 * @throws OperatorError
 */
export async function dismissTransfer(db: Database, subject: string): Promise<string[]> {
  const alert = (await listAlerts(db)).find((one) => one.subject === subject);
  if (!alert || !subject.startsWith("transfer:")) {
    throw new OperatorError(`There is no transfer ${subject}: "operate status" lists them.`);
  }
  await clearAlert(db, subject);
  return [`dismissed: ${joinSentences(alert.reason, alert.action)}`];
}

/** What was accepted and how to book it. The alert that said so is gone. */
function describeAccepted({ asset, amount: units, address }: UnknownPayment): string {
  if (units === 0n)
    return `accepted: an unknown amount of ${asset} to ${address}. Find the amount with "operate reserves", and book it with "operate float ${asset} -AMOUNT".`;
  const amount = formatAmount(units, asset);
  return joinSentences(
    `accepted: ${amount} ${asset} to ${address}.`,
    `Unless it is booked already, or was a merge of our own outputs, run "operate float ${asset} -${amount}".`,
    bookFeeByHand(asset),
  );
}

/** Has the running exchange read a range of blocks again. @throws OperatorError */
export async function requestRescan(
  db: Database,
  { asset, from, to, at }: { asset: AssetSymbol; from: number; to: number; at: Date },
): Promise<string[]> {
  const chain = await getChainState(db, asset);
  const height = chain?.height ?? null;
  if (from > to) throw new OperatorError("FROM is above TO: swap them.");
  if (height === null || to > height) {
    throw new OperatorError(
      `The exchange has read the ${asset} chain up to block ${height ?? "none"}: lower TO. It reads newer blocks anyway.`,
    );
  }
  await db.insert(rescans).values({ asset, fromBlock: from, toBlock: to, nextBlock: from, requestedAt: at });
  return [`rescan: ${asset} blocks ${from} to ${to}`];
}

/** Ends the rescans of an asset that are not finished. @throws OperatorError if there is none */
export async function cancelRescans(tx: Database, { asset, at }: { asset: AssetSymbol; at: Date }): Promise<string[]> {
  const ended = await tx
    .update(rescans)
    .set({ finishedAt: at })
    .where(and(eq(rescans.asset, asset), isNull(rescans.finishedAt)))
    .returning();
  if (ended.length === 0) throw new OperatorError(`There is no rescan of ${asset} to cancel.`);
  return ended.map(
    ({ fromBlock, toBlock, nextBlock }) => `cancelled: ${asset} blocks ${fromBlock} to ${toBlock}, at ${nextBlock}`,
  );
}

/**
 * Ends the block of an account. A job releases its orders (orders/barred-owners.ts). Its sessions end, because a stolen
 * one may be the reason for the block.
 */
export async function unblockAccount(tx: Database, accountId: string, now: Date): Promise<string[]> {
  await tx.update(accounts).set({ blockedAt: null }).where(eq(accounts.id, accountId));
  await revokeSessionsOf(tx, accountId, now);
  return [`unblocked: account ${accountId}`];
}

/**
 * Blocks an account. While it is blocked, its owner cannot use the API, and its orders are held instead of paid out.
 * Their refunds go on: they return the owner's own money. @returns its open orders, which an operator may want to hold
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

/** The ID of the account that is named by its ID, its e-mail address, or one of its orders. @throws OperatorError */
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
 * Reads what we keep about a deleted account, which is named by its ID, or by the ID or the number of one of its
 * orders. @throws OperatorError
 */
export async function readRecord(ctx: ExchangeContext, named: string, reason: string): Promise<RetainedRecord> {
  const accountId = await toAccountId(ctx.db, named);
  try {
    return await readRetainedRecord(ctx, { accountId, reason });
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
