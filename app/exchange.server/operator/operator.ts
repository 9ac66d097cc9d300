import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import type { AssetSymbol } from "../../lib/assets";
import { AmountError, formatAmount, parseAmount } from "../../lib/money";
import { parseOrderNumber } from "../../lib/order-number";
import { StartupError } from "../../lib/startup-error";
import type { ExchangeContext } from "../context";
import { createClock } from "../db/clock";
import type { Database } from "../db/database";
import { openPostgres } from "../db/open";
import { accounts } from "../db/schema/accounts";
import { chainStates, rescans } from "../db/schema/chains";
import { orders } from "../db/schema/orders";
import { describeError } from "../describe-error";
import { type ErrorCode, ExchangeError } from "../errors";
import { checkBooks } from "../ledger/check-books";
import { external, InsufficientBalanceError, post, treasury } from "../ledger/ledger";
import { holdOrder, refundHeldOrder, releaseOrder } from "../orders/hold";
import { refundOrder } from "../orders/refund";
import { lockOrder } from "../orders/transition";
import { acceptPayment } from "../payments/check-history";
import { listReserveChecks } from "../payments/check-reserves";
import { markParkedPaid, readdressParked, refundParkedPayout, retryParked } from "../payments/parked";
import { type RetainedRecord, readRetainedRecord } from "../personal-data/retained-records";
import type { ExchangeSetup } from "../setup";
import { clearAlert, listAlerts } from "../switches/alerts";
import { type SwitchName, switchOff, switchOn } from "../switches/switches";
import { OperatorError } from "./operator-error";
import { describeStatus, type OperatorStatus, type ReserveReport, readStatus, toReserveReport } from "./report";

/**
 * What an operator can do to a running exchange, through its PostgreSQL. Each step is one
 * transaction, which the running processes see. There is no operator for an embedded database,
 * because only one process can open it.
 *
 * Every method rejects with an `OperatorError` if it cannot be done.
 */
export type Operator = {
  /** @returns the faults found in the ledger, one line each; empty if it balances */
  checkBooks(): Promise<string[]>;
  /** @returns the same as `describe`, for programs */
  getStatus(): Promise<OperatorStatus>;
  /** @returns the last comparison of the books with each chain; one that is missing was never made */
  getReserves(): Promise<ReserveReport[]>;
  /** @returns which switches are on, what the treasury holds and what waits for an operator, one line each */
  describe(): Promise<string[]>;
  turnOff(name: SwitchName, reason: string): Promise<void>;
  turnOn(name: SwitchName): Promise<void>;
  /** Orders are named by their ID, or by the number that their owner sees. */
  hold(order: string, reason: string): Promise<void>;
  release(order: string): Promise<void>;
  /** Refunds an order that is on hold, waiting for a decision, or whose payout is parked and not signed. */
  refund(order: string): Promise<void>;
  /** Prepares a parked payment again. */
  retryPayment(paymentId: string): Promise<void>;
  /** Pays a parked payment to another address that its owner has saved. */
  readdressPayment(paymentId: string, address: string): Promise<void>;
  /** Books a parked payment that was made by hand. */
  markPaid(paymentId: string, hash: string): Promise<void>;
  /** Books an amount that was added to our wallet by hand, or taken from it ("-250"). */
  addFloat(asset: AssetSymbol, amount: string): Promise<void>;
  /** Continues paying at this nonce of the Ethereum signer, after its transactions were checked by hand. */
  acceptNonce(nonce: number): Promise<void>;
  /** Accounts for a payment of our wallet that this database has not made. */
  acceptPayment(hash: string): Promise<void>;
  /** Ends the alert about a transfer that was set aside, after it was dealt with by hand. */
  dismissTransfer(subject: string): Promise<void>;
  /** Has the running exchange read a range of blocks again and credit the deposits that it missed. */
  rescan(asset: AssetSymbol, from: number, to: number): Promise<void>;
  /** Reads what we keep about a deleted account. It is named by its ID, or by one of its orders. */
  readRecord(accountOrOrder: string, reason: string): Promise<RetainedRecord>;
  close(): Promise<void>;
};

/** @throws StartupError if there is no DATABASE_URL or its database cannot be opened */
export async function openOperator(setup: ExchangeSetup, log: Logger): Promise<Operator> {
  if (setup.databaseUrl === null) {
    throw new StartupError("The operator needs the exchange's PostgreSQL: set DATABASE_URL.");
  }
  const { db, close } = await openPostgres(setup.databaseUrl, { poolSize: 1 });
  const clock = createClock();
  // Only the running exchange calls chains, the mail server and the KYC provider. The operator needs
  // the number of confirmations to plan payments, and nothing else of a chain.
  const chains = {
    USDT: { requiredConfirmations: setup.confirmations.USDT },
    MOB: { requiredConfirmations: setup.confirmations.MOB },
  };
  const ctx = { db, clock, log, config: setup.exchange, chains } as ExchangeContext;
  const now = () => clock.now(db);

  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      log.debug({ error: describeError(error) }, "an operator command failed");
      throw new OperatorError("The command failed unexpectedly: set LOG_LEVEL=debug and run it again for details.", {
        cause: error,
      });
    }
  };
  const changeOrder = (named: string, conflict: string, action: (orderId: string) => Promise<unknown>) =>
    attempt(async () => {
      try {
        await action(await toOrderId(db, named));
      } catch (error) {
        if (error instanceof InsufficientBalanceError) {
          throw new OperatorError(`${error.message}: add funds and book them with "operate float".`, { cause: error });
        }
        if (!(error instanceof ExchangeError)) throw error;
        if (error.code === "not_found") {
          throw new OperatorError(`There is no order ${named}: check ORDER and DATABASE_URL.`, { cause: error });
        }
        if (error.code === "conflict") throw new OperatorError(`Order ${named} ${conflict}`, { cause: error });
        throw new OperatorError(error.message, { cause: error });
      }
    });

  const changePayment = (paymentId: string, action: () => Promise<unknown>) =>
    attempt(async () => {
      try {
        await action();
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        const messages: Partial<Record<ErrorCode, string>> = {
          not_found: `There is no payment ${paymentId}: check PAYMENT and DATABASE_URL.`,
          conflict: `Payment ${paymentId} is not parked, or what was signed for it may still be accepted by the chain: wait. If an unknown payment may be it, account for that first: "operate status" lists them.`,
          address_invalid:
            "The owner of the payment has not saved this address: they confirm it by adding it to their account.",
        };
        throw new OperatorError(messages[error.code] ?? error.message, { cause: error });
      }
    });

  return {
    checkBooks: () => attempt(() => checkBooks(db)),
    describe: () => attempt(() => describeStatus(db)),
    getStatus: () => attempt(() => readStatus(db)),
    getReserves: () => attempt(async () => (await listReserveChecks(db)).map(toReserveReport(await now()))),
    turnOff: (name, reason) =>
      attempt(async () => {
        await switchOff(db, name, reason, await now());
      }),
    turnOn: (name) => attempt(async () => switchOn(db, name, await now())),
    hold: (order, reason) =>
      changeOrder(order, "cannot be held: it has no deposit, is closed, or its payment is under way.", (orderId) =>
        db.transaction((tx) => holdOrder(tx, ctx, orderId, reason)),
      ),
    release: (order) =>
      changeOrder(order, "is not on hold.", (orderId) => db.transaction((tx) => releaseOrder(tx, ctx, orderId))),
    refund: (named) =>
      changeOrder(
        named,
        'cannot be refunded: it is neither on hold nor waiting for a decision and has no parked payout, or our wallet may have made its payout already. See "operate status".',
        (orderId) =>
          db.transaction(async (tx) => {
            const order = await lockOrder(tx, orderId);
            if (order.status === "on_hold") return refundHeldOrder(tx, ctx, order, "operator");
            if (order.status !== "needs_decision") return refundParkedPayout(tx, ctx, order);
            return refundOrder(tx, ctx, order, { by: "operator", at: await clock.now(tx) });
          }),
      ),
    retryPayment: (paymentId) =>
      changePayment(paymentId, () => db.transaction((tx) => retryParked(tx, ctx, paymentId))),
    readdressPayment: (paymentId, address) =>
      changePayment(paymentId, () => db.transaction((tx) => readdressParked(tx, ctx, { paymentId, address }))),
    markPaid: (paymentId, hash) =>
      changePayment(paymentId, () => db.transaction((tx) => markParkedPaid(tx, ctx, { paymentId, hash }))),
    addFloat: (asset, amount) =>
      attempt(async () => {
        const isTaken = amount.startsWith("-");
        const units = parseFloatAmount(isTaken ? amount.slice(1) : amount, asset);
        const [from, to] = isTaken ? [treasury, external] : [external, treasury];
        const at = await now();
        const transfers = [{ asset, from, to, amount: units, kind: "float" as const }];
        try {
          await db.transaction((tx) => post(tx, { transfers, orderId: null, at }));
        } catch (error) {
          if (!(error instanceof InsufficientBalanceError)) throw error;
          throw new OperatorError(
            `The treasury holds less than ${formatAmount(units, asset)} ${asset}: lower AMOUNT.`,
            {
              cause: error,
            },
          );
        }
      }),
    acceptNonce: (nonce) =>
      attempt(async () => {
        const changed = await db
          .update(chainStates)
          .set({ baselineNonce: nonce })
          .where(eq(chainStates.asset, "USDT"))
          .returning({ asset: chainStates.asset });
        if (changed.length === 0) {
          throw new OperatorError("This exchange has not scanned Ethereum yet: check DATABASE_URL.");
        }
      }),
    acceptPayment: (hash) =>
      attempt(async () => {
        if (await acceptPayment(db, hash, await now())) return;
        throw new OperatorError(`There is no unknown payment ${hash}: "operate status" lists them.`);
      }),
    dismissTransfer: (subject) =>
      attempt(async () => {
        const alerts = await listAlerts(db);
        // Every other alert ends when its cause does.
        if (!subject.startsWith("transfer:") || !alerts.some((alert) => alert.subject === subject)) {
          throw new OperatorError(`There is no transfer ${subject}: "operate status" lists them.`);
        }
        await clearAlert(db, subject);
      }),
    rescan: (asset, from, to) =>
      attempt(async () => {
        const [chain] = await db.select().from(chainStates).where(eq(chainStates.asset, asset));
        const height = chain?.height ?? null;
        if (from > to) throw new OperatorError("FROM is above TO: swap them.");
        if (height === null || to > height) {
          throw new OperatorError(
            `The exchange has read the ${asset} chain up to block ${height ?? "none"}: lower TO. It reads newer blocks anyway.`,
          );
        }
        const requestedAt = await now();
        await db.insert(rescans).values({ asset, fromBlock: from, toBlock: to, nextBlock: from, requestedAt });
      }),
    readRecord: (named, reason) =>
      attempt(async () => {
        const accountId = await toAccountId(db, named);
        try {
          return await readRetainedRecord(ctx, { accountId, reason });
        } catch (error) {
          if (!(error instanceof ExchangeError)) throw error;
          const message =
            error.code === "not_found"
              ? await describeMissingRecord(db, accountId)
              : "The record was encrypted with another secret: set SESSION_SECRET to the one it was stored with.";
          throw new OperatorError(message, { cause: error });
        }
      }),
    close,
  };
}

/** The ID of an order that is named by its ID or by its number. */
async function toOrderId(db: Database, named: string): Promise<string> {
  const quoteId = parseOrderNumber(named);
  if (quoteId === null) return named;
  const [order] = await db.select({ id: orders.id }).from(orders).where(eq(orders.quoteId, quoteId));
  return order?.id ?? named;
}

/** The ID of the account that is named by its ID, or by the ID or the number of one of its orders. */
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
  return `Nothing is kept about account ${accountId}: the law did not require it, or the record's time is over.`;
}

function parseFloatAmount(text: string, asset: AssetSymbol): bigint {
  try {
    const units = parseAmount(text, asset);
    if (units > 0n) return units;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
  }
  throw new OperatorError(`AMOUNT is not an amount of ${asset}: write it such as 250 or -250.5.`);
}
