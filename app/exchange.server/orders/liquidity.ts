import { and, count, eq, gt, inArray, or, type Param, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { prepareQuery } from "../db/prepare-query";
import { chainStates } from "../db/schema/chains";
import { deposits } from "../db/schema/deposits";
import { ledgerAccounts } from "../db/schema/ledger";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { reservedFor, selectFunds } from "../ledger/ledger";
import { requireSinglePayment } from "../pricing/require-price";

/**
 * What we can pay out in an asset, and how much of that one account has reserved, in base units, at one point in time.
 */
export type Liquidity = {
  /** The total that the wallet can send, and the most that it can send in one payment (null: any amount). */
  spendable: bigint;
  maxPayment: bigint | null;
  /** Our own funds in the books. */
  treasury: bigint;
  /** Total reserved, owed and held for orders: what the wallet must be able to send. */
  obligations: bigint;
  /** The treasury and what is reserved for orders. */
  total: bigint;
  /** Reserved for the account's orders that are not paid in full, and the number of these orders. */
  unpaid: bigint;
  unpaidLocks: number;
};

const noLiquidity: Liquidity = {
  spendable: 0n,
  maxPayment: null,
  treasury: 0n,
  obligations: 0n,
  total: 0n,
  unpaid: 0n,
  unpaidLocks: 0,
};

/** Joins an order with the ledger account that holds its reserve, if it has one. */
export const isReserveOfOrder = and(
  eq(ledgerAccounts.asset, orders.targetAsset),
  eq(ledgerAccounts.code, sql`${reservedFor("")} || ${orders.id}`),
  gt(ledgerAccounts.balance, 0n),
);

const received = sql`(select sum(amount) from ${deposits} where order_id = ${orders.id} and status <> 'failed')`;
/** Whether an order has received less than half of its amount, so that a deposit of dust changes nothing (T43). */
export const hasReceivedLittle = sql`coalesce(${received}, 0) * 2 < ${orders.sourceAmount}`;
const isUnpaid = or(
  inArray(orders.status, ["awaiting_deposit", "needs_decision"]),
  and(eq(orders.status, "confirming"), hasReceivedLittle),
);

/** The liquidity in both assets. The number of rows read does not depend on the number of orders. */
export function selectLiquidity(db: Database, accountId: Param) {
  const funds = selectFunds(db).as("funds");
  const own = db
    .select({
      asset: orders.targetAsset,
      unpaid: sql<bigint>`sum(${ledgerAccounts.balance})`.mapWith(BigInt).as("unpaid"),
      unpaidLocks: count().as("unpaid_locks"),
    })
    .from(orders)
    .innerJoin(ledgerAccounts, isReserveOfOrder)
    .where(and(eq(orders.accountId, accountId), isUnpaid))
    .groupBy(orders.targetAsset)
    .as("own");
  const columns = {
    asset: chainStates.asset,
    spendable: chainStates.spendable,
    maxPayment: chainStates.maxPayment,
    treasury: funds.treasury,
    obligations: funds.obligations,
    total: funds.total,
    unpaid: own.unpaid,
    unpaidLocks: own.unpaidLocks,
  };
  return db
    .select(columns)
    .from(chainStates)
    .leftJoin(funds, eq(funds.asset, chainStates.asset))
    .leftJoin(own, eq(own.asset, chainStates.asset));
}

/** A row of `selectLiquidity`. A column is null if its value was never read or booked. */
type LiquidityRow = { [K in keyof Liquidity]: Liquidity[K] | null };

/** Converts a row of `selectLiquidity`. If the asset's chain was never read, all amounts are 0. */
export function toLiquidity(row: LiquidityRow | null | undefined): Liquidity {
  const known = Object.entries(row ?? {}).filter(([, value]) => value !== null);
  return { ...noLiquidity, ...Object.fromEntries(known) };
}

const findLiquidity = prepareQuery(
  "liquidity",
  { asset: chainStates.asset, accountId: orders.accountId },
  (db, values) => selectLiquidity(db, values.accountId).where(eq(chainStates.asset, values.asset)),
);

/** Reads the liquidity in an asset with one statement. */
export async function readLiquidity(db: Database, asset: AssetSymbol, accountId: string): Promise<Liquidity> {
  const [row] = await findLiquidity(db, { asset, accountId });
  return toLiquidity(row);
}

/** Liquidity after reserving `amount` for another unpaid order of the account. */
export function withReserve(liquidity: Liquidity, amount: bigint): Liquidity {
  return {
    ...liquidity,
    treasury: liquidity.treasury - amount,
    obligations: liquidity.obligations + amount,
    unpaid: liquidity.unpaid + amount,
    unpaidLocks: liquidity.unpaidLocks + 1,
  };
}

/**
 * Requires that our funds cover everything due, and that the wallet can send `amount` in one payment. `liquidity` is
 * what remains after `amount` was reserved.
 * @throws liquidity
 */
export function requireCovered({ treasury, obligations, spendable, maxPayment }: Liquidity, amount: bigint): void {
  if (treasury < 0n || obligations > spendable) throw toLiquidityError();
  requireSinglePayment(amount, maxPayment);
}

/** The error for a promise that our funds don't cover. */
export function toLiquidityError(): ExchangeError {
  return new ExchangeError("liquidity", { retryAfterSeconds: 600 });
}
