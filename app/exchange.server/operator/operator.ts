import type { Logger } from "pino";
import type { AssetSymbol } from "../../lib/assets";
import { toOneLine } from "../../lib/one-line";
import { StartupError } from "../../lib/startup-error";
import type { ExchangeContext } from "../context";
import { createClock } from "../db/clock";
import { openPostgres } from "../db/open";
import { checkBooks } from "../ledger/check-books";
import { holdOrder, refundOrderOnHold, releaseOrder } from "../orders/hold";
import { refundOrder } from "../orders/refund";
import { writeOffDeposit } from "../orders/reverse-deposit";
import { lockOrderRow } from "../orders/transition";
import { listReserveChecks } from "../payments/check-reserves";
import { acceptPayment } from "../payments/doubts";
import { markPaidOut } from "../payments/mark-paid-out";
import { markPlannedPaid, readdressParked, refundParkedPayout, retryParked } from "../payments/parked";
import type { RetainedRecord } from "../personal-data/retained-records";
import type { ExchangeSetup } from "../setup";
import { type SwitchName, switchOff, switchOn } from "../switches/switches";
import {
  acceptNonce,
  addFloat,
  blockAccount,
  dismissTransfer,
  readHashOf,
  readPayoutHash,
  readRecord,
  requestRescan,
  takeFees,
  toStopReason,
  unblockAccount,
} from "./actions";
import { createAttempts, toMissingOrder } from "./attempts";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";
import { type OrderReport, readOrder } from "./order-report";
import {
  type DepositReport,
  type OperatorStatus,
  type ReserveReport,
  readDeposits,
  readStatus,
  toReserveReport,
} from "./report";
import { listTransactionHashes } from "./transaction-hash";

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
  /** @returns which switches are on, what the treasury holds and what waits for an operator */
  getStatus(): Promise<OperatorStatus>;
  /** @returns what is at funding addresses of USDT, until they are known to be collected */
  listDeposits(): Promise<DepositReport[]>;
  /** @returns the last comparison of the books with each chain; one that is missing was never made */
  getReserves(): Promise<ReserveReport[]>;
  /** An order with its deposits, payments and events. It is named by its ID, or by the number that its owner sees. */
  getOrder(order: string): Promise<OrderReport>;
  /** Switches something off for another reason. What it is off for already stays. */
  turnOff(name: SwitchName, reason: string): Promise<void>;
  /** @returns the reasons for which it was off */
  turnOn(name: SwitchName): Promise<string[]>;
  /** Orders are named by their ID, or by the number that their owner sees. */
  hold(order: string, reason: string): Promise<void>;
  release(order: string): Promise<void>;
  /** Refunds an order that is on hold, waiting for a decision, or whose payout is parked and not signed. */
  refund(order: string): Promise<void>;
  /** Prepares a parked payment again. */
  retryPayment(paymentId: string): Promise<void>;
  /** Pays a parked payment to another address that its owner has saved. */
  readdressPayment(paymentId: string, address: string): Promise<void>;
  /** Books a parked payment that was made already, by our wallet or by hand. */
  markPaid(paymentId: string, hash: string): Promise<void>;
  /** Completes an order whose payout our wallet has made and this database has lost. */
  markPaidOut(order: string, hash: string): Promise<void>;
  /** Books an amount that was added to our wallet by hand, or taken from it ("-250"). */
  addFloat(asset: AssetSymbol, amount: string): Promise<void>;
  /** Moves earned fees to the treasury: an amount, or all that are final (null). */
  takeFees(asset: AssetSymbol, amount: string | null): Promise<void>;
  /** Accepts this as the next nonce of the Ethereum signer, after its transactions were checked by hand. */
  acceptNonce(nonce: number): Promise<void>;
  /** Accounts for a payment of our wallet that this database has not made. */
  acceptPayment(hash: string): Promise<void>;
  /** Ends the alert about a transfer that is older than its order, after it was dealt with by hand. */
  dismissTransfer(subject: string): Promise<void>;
  /** Books the loss of a deposit that a reorganisation removed after it was paid out. */
  writeOff(depositId: string): Promise<void>;
  /** Has the running exchange read a range of blocks again and credit the deposits that it missed. */
  rescan(asset: AssetSymbol, from: number, to: number): Promise<void>;
  /** Blocks an account, which is named by its ID, its e-mail address, or one of its orders. */
  block(account: string): Promise<void>;
  /** Ends a block, and all sessions. The running exchange then releases the orders, if their owner may swap. */
  unblock(account: string): Promise<void>;
  /** Reads what we keep about a deleted account. It is named by its ID, or by one of its orders. */
  readRecord(accountOrOrder: string, reason: string): Promise<RetainedRecord>;
  close(): Promise<void>;
};

/** @throws StartupError if there is no DATABASE_URL or its database cannot be opened */
export async function openOperator(setup: ExchangeSetup, log: Logger): Promise<Operator> {
  if (setup.databaseUrl === null) {
    throw new StartupError("The operator needs the exchange's PostgreSQL: set DATABASE_URL.");
  }
  const { db, close } = await openPostgres(setup.databaseUrl, { poolSize: 1, migrates: false });
  const clock = createClock();
  // Only the running exchange calls chains, the mail server and the KYC provider. The operator needs
  // the number of confirmations to plan payments, and nothing else of a chain.
  const chains = {
    USDT: { requiredConfirmations: setup.confirmations.USDT },
    MOB: { requiredConfirmations: setup.confirmations.MOB },
  };
  const ctx = { db, clock, log, config: setup.exchange, chains } as ExchangeContext;
  const now = () => clock.now(db);

  const { attempt, changeOrder, changePayment, changeDeposit } = createAttempts(db, log);

  return {
    checkBooks: () => attempt(() => checkBooks(db)),
    getStatus: () => attempt(() => readStatus(ctx)),
    listDeposits: () => attempt(() => readDeposits(db)),
    getReserves: () => attempt(async () => (await listReserveChecks(db)).map(toReserveReport(await now()))),
    getOrder: (named) =>
      attempt(async () => {
        const report = await readOrder(db, await toOrderId(db, named));
        if (report === null) throw new OperatorError(toMissingOrder(named));
        return report;
      }),
    turnOff: (name, reason) =>
      attempt(async () => {
        await switchOff(db, name, { reason: toStopReason(reason), at: await now() });
      }),
    turnOn: (name) => attempt(() => switchOn(db, name)),
    hold: (order, reason) =>
      changeOrder(order, "cannot be held: it has no deposit, is closed, or its payment is under way.", (orderId) =>
        db.transaction(async (tx) => {
          const held = await holdOrder(tx, ctx, orderId, { reason });
          if (held.holdReason !== toOneLine(reason))
            throw new OperatorError(`Order ${order} is on hold already: ${held.holdReason}`);
        }),
      ),
    release: (order) =>
      changeOrder(order, "is not on hold.", (orderId) => db.transaction((tx) => releaseOrder(tx, ctx, orderId))),
    refund: (named) =>
      changeOrder(
        named,
        'cannot be refunded: it is neither on hold nor waiting for a decision and has no parked payout, or our wallet may have made its payout already. See "operate status".',
        (orderId) =>
          db.transaction(async (tx) => {
            const order = await lockOrderRow(tx, orderId);
            if (order.status === "on_hold") return refundOrderOnHold(tx, ctx, order, "operator");
            if (order.status !== "needs_decision") return refundParkedPayout(tx, ctx, order);
            return refundOrder(tx, ctx, order, { by: "operator", at: await clock.now(tx) });
          }),
      ),
    retryPayment: (paymentId) =>
      changePayment(paymentId, () => db.transaction((tx) => retryParked(tx, ctx, paymentId))),
    readdressPayment: (paymentId, address) =>
      changePayment(paymentId, () => db.transaction((tx) => readdressParked(tx, ctx, { paymentId, address }))),
    markPaid: (paymentId, text) =>
      changePayment(paymentId, async () => {
        const hash = await readHashOf(db, { paymentId, text });
        await db.transaction((tx) => markPlannedPaid(tx, ctx, { paymentId, hash }));
      }),
    markPaidOut: (order, text) =>
      changeOrder(
        order,
        'cannot be completed this way: it must be waiting for a decision, on hold or being refunded, and none of its payments may have been signed. If its payout is parked, run "operate mark-paid".',
        async (orderId) => {
          const hash = await readPayoutHash(db, { orderId, text });
          await db.transaction((tx) => markPaidOut(tx, ctx, { orderId, hash }));
        },
      ),
    addFloat: (asset, amount) => attempt(async () => addFloat(db, { asset, amount, at: await now() })),
    takeFees: (asset, amount) => attempt(async () => takeFees(db, { asset, amount, at: await now() })),
    acceptNonce: (nonce) => attempt(() => acceptNonce(db, nonce)),
    acceptPayment: (hash) =>
      attempt(async () => {
        for (const known of listTransactionHashes(hash)) if (await acceptPayment(db, known, await now())) return;
        throw new OperatorError(`There is no unknown payment ${hash}: "operate status" lists them.`);
      }),
    dismissTransfer: (subject) => attempt(() => dismissTransfer(db, subject)),
    writeOff: (depositId) =>
      changeDeposit(depositId, () => db.transaction((tx) => writeOffDeposit(tx, ctx, depositId))),
    rescan: (asset, from, to) => attempt(async () => requestRescan(db, { asset, from, to, at: await now() })),
    block: (account) => attempt(async () => blockAccount(db, account, await now())),
    unblock: (account) => attempt(async () => unblockAccount(db, account, await now())),
    readRecord: (named, reason) => attempt(() => readRecord(ctx, named, reason)),
    close,
  };
}
