import type { Logger } from "pino";
import type { AssetSymbol } from "../../lib/assets";
import { toOneLine } from "../../lib/one-line";
import { StartupError } from "../../lib/startup-error";
import type { ExchangeContext } from "../context";
import { createClock } from "../db/clock";
import type { Database } from "../db/database";
import { openPostgres } from "../db/open";
import { writeOffDeposit } from "../deposits/rechecks/reverse-deposit";
import { checkBooks } from "../ledger/check-books";
import { extendHold, holdOrder, releaseOrder } from "../orders/holds/hold";
import { refundOrder } from "../orders/payouts-and-refunds/refund";
import { lockOrderRow } from "../orders/transition";
import { markPlannedPaid } from "../payments/mark-paid";
import { markPaidOut } from "../payments/mark-paid-out";
import { readdressParked, refundParkedPayout, retryParked } from "../payments/parked/parked";
import { listReserveChecks } from "../payments/reserves/check-reserves";
import type { ExchangeSetup } from "../setup";
import { requireSettings } from "../startup-checks/require-settings";
import { type SwitchName, switchOff } from "../switches/switches";
import { acceptNonce, acceptUnknown, dismissTransfer } from "./accept";
import { blockAccount, findAccount, readRecord, unblockAccount } from "./accounts";
import { createCommandRunner, toMissingOrder } from "./command-runner";
import { endStops, type StopsToEnd, toStopReason } from "./end-stops";
import { addFloat, takeFees } from "./funds";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";
import { readOrder } from "./order-report";
import { listActions } from "./recorded-actions";
import { readDeposits, readStatus, toReserveReport } from "./report";
import { cancelRescans, requestRescan } from "./rescans";
import { readHashOf, readPayoutHash } from "./transaction-hash";

/** The part of the exchange's settings that commands use. They call no chain, mail server or provider. */
export type OperatorSetup = Pick<ExchangeSetup, "databaseUrl" | "exchange" | "confirmations" | "networks">;

/**
 * @param operatorName who runs the commands: it is recorded with each change
 * @throws StartupError if there is no DATABASE_URL or its database cannot be opened
 */
export async function openOperator(setup: OperatorSetup, log: Logger, operatorName: string) {
  if (setup.databaseUrl === null) {
    throw new StartupError("The operator needs the exchange's PostgreSQL: set DATABASE_URL.");
  }
  /** Settings that differ from the site's would lead to wrong payments, and to e-mails encrypted with another key. */
  const requireSettingsOfSite = (database: Database) =>
    requireSettings(database, setup, "run the command with the environment of the site (EXCHANGE_MODE, DATABASE_URL).");
  const { db, close } = await openPostgres(setup.databaseUrl, {
    poolSize: 1,
    migrates: false,
    check: requireSettingsOfSite,
  });
  const clock = createClock();
  // Only the running exchange calls chains, the mail server and the KYC provider. The operator needs
  // the number of confirmations to plan payments, and nothing else of a chain.
  const chains = {
    USDT: { requiredConfirmations: setup.confirmations.USDT },
    MOB: { requiredConfirmations: setup.confirmations.MOB },
  };
  const ctx: ExchangeContext = { db, clock, log, config: setup.exchange, chains };
  const now = () => clock.now(db);

  const { attempt, change, changeOrder, changePayment } = createCommandRunner(ctx, operatorName, () =>
    requireSettingsOfSite(db),
  );

  return {
    /** @returns the faults found in the ledger, one line each; empty if it balances */
    checkBooks: () => attempt(() => checkBooks(db)),
    /** @returns which switches are on, what the treasury holds and what waits for an operator */
    getStatus: () =>
      attempt(async () => ({
        ...(await readStatus(ctx)),
        settings: await findStartupError(() => requireSettingsOfSite(db)),
      })),
    /** @returns the newest changes that operators have made, oldest first */
    listActions: () => attempt(() => listActions(db)),
    /** @returns what is at funding addresses of USDT, until they are known to be collected */
    listDeposits: () => attempt(() => readDeposits(db)),
    /** @returns the last comparison of the books with each chain; one that is missing was never made */
    getReserves: () => attempt(async () => (await listReserveChecks(db)).map(toReserveReport(await now()))),
    /** An order with its deposits, payments and events. It is named by its ID, or by the number that its owner sees. */
    getOrder: (named: string) =>
      attempt(async () => {
        const report = await readOrder(db, await toOrderId(db, named));
        if (report === null) throw new OperatorError(toMissingOrder(named));
        return report;
      }),
    /** Switches something off for an additional reason. Earlier reasons remain. */
    turnOff: (name: SwitchName, reason: string) =>
      change({
        command: "off",
        args: [name, reason],
        run: async (tx, at) => {
          await switchOff(tx, name, { reason: toStopReason(reason), at });
          return [];
        },
      }),
    /** Ends what something is off for; see `endStops`. @returns the reasons for which it was off */
    turnOn: (name: SwitchName, which?: StopsToEnd) => {
      const named = which === undefined ? [] : [which === "all" ? "--all" : which.cause];
      const run = (tx: Database) => endStops(tx, { name, which, operator: operatorName });
      return change({ command: "on", args: [name, ...named], run });
    },
    /** Holds an order, or extends its hold for the same reason. Orders are named by their ID, or by their number. */
    hold: (order: string, reason: string) =>
      changeOrder(
        {
          command: "hold",
          order,
          args: [reason],
          conflict: "cannot be held: it has no deposit, is closed, or its payment is under way.",
        },
        async (tx, orderId) => {
          const { status } = await lockOrderRow(tx, orderId);
          const onHold = await holdOrder(tx, ctx, orderId, { reason });
          if (onHold.holdReason !== toOneLine(reason))
            throw new OperatorError(`Order ${order} is on hold already: ${onHold.holdReason}`);
          return status === "on_hold" ? extendHold(tx, ctx, onHold, { reason }) : onHold;
        },
      ),
    release: (order: string) =>
      changeOrder({ command: "release", order, conflict: "is not on hold." }, (tx, orderId) =>
        releaseOrder(tx, ctx, orderId),
      ),
    /** Refunds an order that is on hold, waiting for a decision, or whose payout is parked and not signed. */
    refund: (order: string) =>
      changeOrder(
        {
          command: "refund",
          order,
          conflict:
            'cannot be refunded: it is neither on hold nor waiting for a decision and has no parked payout, or our wallet may have made its payout already. See "operate status".',
        },
        async (tx, orderId) => {
          const row = await lockOrderRow(tx, orderId);
          if (row.status !== "on_hold" && row.status !== "needs_decision") return refundParkedPayout(tx, ctx, row);
          return refundOrder(tx, ctx, row, { by: "operator", at: await clock.now(tx) });
        },
      ),
    /** Prepares a parked payment again. */
    retryPayment: (paymentId: string) =>
      changePayment({ command: "retry", paymentId }, (tx) => retryParked(tx, ctx, paymentId)),
    /** Pays a parked payment to another address that its owner has saved. */
    readdressPayment: (paymentId: string, address: string) =>
      changePayment({ command: "readdress", paymentId, args: [address] }, (tx) =>
        readdressParked(tx, ctx, { paymentId, address }),
      ),
    /**
     * Books a payment that was made already, by our wallet or by hand: a parked one, or any planned one while payments
     * are off. `isForced`: even if our wallet has paid another amount, or to another address.
     */
    markPaid: (paymentId: string, text: string, isForced = false) =>
      changePayment({ command: "mark-paid", paymentId, args: withForce([text], isForced) }, async (tx) =>
        markPlannedPaid(tx, ctx, { paymentId, hash: await readHashOf(tx, { paymentId, text }), isForced }),
      ),
    /** Completes an order whose payout our wallet has made and this database has lost. */
    markPaidOut: (order: string, text: string) =>
      changeOrder(
        {
          command: "mark-paid-out",
          order,
          args: [text],
          conflict:
            'cannot be completed this way: it must be waiting for a decision, on hold or being refunded, without any signed payment. If its payout is parked, run "operate mark-paid".',
        },
        async (tx, orderId) => markPaidOut(tx, ctx, { orderId, hash: await readPayoutHash(tx, { orderId, text }) }),
      ),
    /**
     * Books an amount that was added to our wallet by hand, or taken from it ("-250"). `isAgain` says that the same was
     * booked within the last hour on purpose.
     */
    addFloat: (asset: AssetSymbol, amount: string, isAgain = false) =>
      change({
        command: "float",
        args: [asset, amount, ...(isAgain ? ["--again"] : [])],
        run: (tx, at) => addFloat(tx, { asset, amount, isAgain, at }),
      }),
    /** Moves earned fees to the treasury: an amount, or all that are final (null). */
    takeFees: (asset: AssetSymbol, amount: string | null) =>
      change({
        command: "take-fees",
        args: amount === null ? [asset] : [asset, amount],
        run: (tx, at) => takeFees(tx, { asset, amount, at }),
      }),
    /** Accepts this as the next nonce of the Ethereum signer, after its transactions were checked by hand. */
    acceptNonce: (nonce: number) =>
      change({ command: "accept-nonce", args: [String(nonce)], run: (tx) => acceptNonce(tx, nonce) }),
    /**
     * Accounts for a payment of our wallet that this database has not made. Refused if it may be an order's, unless
     * forced.
     */
    acceptPayment: (hash: string, isForced: boolean) =>
      change({
        command: "accept-payment",
        args: withForce([hash], isForced),
        run: (tx, at) => acceptUnknown(tx, { text: hash, isForced, at }),
      }),
    /** Ends the alert about a transfer that is older than its order, after it was dealt with by hand. */
    dismissTransfer: (subject: string) =>
      change({ command: "dismiss", args: [subject], run: (tx) => dismissTransfer(tx, subject) }),
    /** Books the loss of a deposit that a reorganisation removed: what was paid out of it. */
    writeOff: (depositId: string) =>
      change(
        {
          command: "write-off",
          args: [depositId],
          run: async (tx) => {
            await writeOffDeposit(tx, ctx, depositId);
            return [];
          },
        },
        {
          not_found: `There is no deposit ${depositId}: check DEPOSIT and DATABASE_URL.`,
          conflict: `Deposit ${depositId} cannot be written off: either it is not missing, nothing of it was paid out, its loss is booked already, or "operate status" says why it has to wait.`,
        },
      ),
    /** Has the running exchange read a range of blocks again and credit the deposits that it missed. */
    rescan: (asset: AssetSymbol, from: number, to: number) =>
      change({
        command: "rescan",
        args: [String(from), String(to), asset],
        run: (tx, at) => requestRescan(tx, { asset, from, to, at }),
      }),
    /** Ends the rescans of an asset that are not finished. What they have found stays credited. */
    cancelRescan: (asset: AssetSymbol) =>
      change({
        command: "cancel-rescan",
        args: [asset],
        run: (tx, at) => cancelRescans(tx, { asset, at }),
      }),
    /** Blocks an account, which is named by its ID, its e-mail address, or one of its orders. */
    block: (account: string) =>
      change(async () => {
        const accountId = await findAccount(db, account);
        return {
          command: "block",
          args: [accountId],
          run: (tx, at) => blockAccount(tx, accountId, at),
        };
      }),
    /** Ends a block, and all sessions. The running exchange then releases the orders, if their owner may swap. */
    unblock: (account: string) =>
      change(async () => {
        const accountId = await findAccount(db, account);
        return {
          command: "unblock",
          args: [accountId],
          run: (tx, at) => unblockAccount(tx, accountId, at),
        };
      }),
    /** Reads what we keep about a deleted account. It is named by its ID, or by one of its orders. */
    readRecord: (named: string, reason: string) =>
      attempt(() => readRecord(ctx, { named, operator: operatorName, reason })),
    close,
  };
}

/** @returns what is wrong, or null */
async function findStartupError(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
}

/** A command's arguments as they are recorded. */
function withForce(args: string[], isForced: boolean): string[] {
  return isForced ? [...args, "--force"] : args;
}

/**
 * What an operator can do to a running exchange, through its PostgreSQL. Each step is one
 * transaction, which the running processes see. There is no operator for an embedded database,
 * because only one process can open it.
 *
 * Every method rejects with an `OperatorError` if it cannot be done.
 */
export type Operator = Awaited<ReturnType<typeof openOperator>>;
