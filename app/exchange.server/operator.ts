import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import type { AssetSymbol } from "../lib/assets";
import { formatAmount, parseAmount } from "../lib/money";
import type { ExchangeContext } from "./context";
import { createClock } from "./db/clock";
import { openPostgres } from "./db/open";
import { ExchangeError } from "./errors";
import { checkBooks } from "./ledger/check-books";
import { getBalance, house, post, world } from "./ledger/ledger";
import { getSwitchReason, type SwitchName, switchOff, switchOn } from "./orders/acceptance";
import { refundOrder } from "./orders/decisions";
import { holdOrder, refundHeldOrder, releaseOrder } from "./orders/hold";
import { chainStates } from "./orders/tables";
import { lockOrder } from "./orders/transition";
import type { ExchangeSetup } from "./setup";

/**
 * What an operator may do to a running exchange, through its PostgreSQL: every step is one
 * transaction that the running processes see. An embedded database has one process, and so
 * no operator beside it.
 */
export type Operator = {
  /** Faults of the books; empty when they balance. */
  checkBooks(): Promise<string[]>;
  describe(): Promise<string[]>;
  turnOff(name: SwitchName, reason: string): Promise<void>;
  turnOn(name: SwitchName): Promise<void>;
  hold(orderId: string, reason: string): Promise<void>;
  release(orderId: string): Promise<void>;
  /** Ends a hold, or a question that nobody answered, in a refund. */
  refund(orderId: string): Promise<void>;
  /** Books what was brought to (positive) or taken from (negative) our wallet by hand. */
  addFloat(asset: AssetSymbol, amount: string): Promise<void>;
  /** After a look at the chain: go on paying from the nonce at which it stands. */
  acceptNonce(nonce: number): Promise<void>;
  close(): Promise<void>;
};

/** @throws where there is no DATABASE_URL */
export async function openOperator(setup: ExchangeSetup, log: Logger): Promise<Operator> {
  if (setup.databaseUrl === null) throw new Error("An operator works on PostgreSQL: set DATABASE_URL.");
  const { db, close } = await openPostgres(setup.databaseUrl, { poolSize: 1 });
  const clock = createClock();
  // Nothing an operator does asks a chain, a mail server or a reviewer: the running exchange
  // does. Of a chain only the number of its confirmations is read, for payments newly planned.
  const chains = {
    USDT: { requiredConfirmations: setup.confirmations.USDT },
    MOB: { requiredConfirmations: setup.confirmations.MOB },
  };
  const x = { db, clock, log, config: setup.exchange, chains } as ExchangeContext;
  const now = () => clock.now(db);
  return {
    checkBooks: () => checkBooks(db),
    async describe() {
      const lines: string[] = [];
      for (const name of ["swaps", "payments"] as const) {
        lines.push(`${name}: ${(await getSwitchReason(db, name)) ?? "on"}`);
      }
      for (const asset of ["USDT", "MOB"] as const) {
        lines.push(`house: ${formatAmount(await getBalance(db, asset, house), asset)} ${asset}`);
      }
      return lines;
    },
    async turnOff(name, reason) {
      await switchOff(db, name, reason, await now());
    },
    async turnOn(name) {
      await switchOn(db, name, await now());
    },
    async hold(orderId, reason) {
      await db.transaction((tx) => holdOrder(tx, x, orderId, reason));
    },
    async release(orderId) {
      await db.transaction((tx) => releaseOrder(tx, x, orderId));
    },
    async refund(orderId) {
      await db.transaction(async (tx) => {
        const order = await lockOrder(tx, orderId);
        if (order.status === "on_hold") return refundHeldOrder(tx, x, order, "operator");
        if (order.status !== "needs_decision") throw new ExchangeError("conflict");
        return refundOrder(tx, x, order, { by: "operator", at: await clock.now(tx) });
      });
    },
    async addFloat(asset, amount) {
      const taken = amount.startsWith("-");
      const units = parseAmount(taken ? amount.slice(1) : amount, asset);
      const [from, to] = taken ? [house, world] : [world, house];
      const at = await now();
      await db.transaction((tx) =>
        post(tx, { transfers: [{ asset, from, to, amount: units, kind: "float" }], orderId: null, at }),
      );
    },
    async acceptNonce(nonce) {
      await db.update(chainStates).set({ baselineNonce: nonce }).where(eq(chainStates.asset, "USDT"));
    },
    close,
  };
}
