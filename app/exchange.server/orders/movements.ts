import { and, getTableColumns, inArray, lte, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Transaction } from "../../api/contract";
import type { AssetSymbol } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { ledgerAccounts } from "../db/schema/ledger";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import type { DepositRow } from "./queries";
import { isHeldForOrder, isSettled } from "./set-aside";

/** The incoming and outgoing payments of an order, and the amount set aside. */
export type Movements = {
  /** The largest deposits, those of a block first; the oldest first. */
  incoming: Transaction[];
  /** All deposits, also those not in `incoming`. */
  incomingCount: number;
  /** The total of the deposits that have not failed, in base units. */
  received: bigint;
  setAside: bigint;
  outgoing: Transaction[];
};

export const noMovements: Readonly<Movements> = {
  incoming: [],
  incomingCount: 0,
  received: 0n,
  setAside: 0n,
  outgoing: [],
};

/** Deposits that an order's JSON shows; `listDeposits` has all of them. */
const shownDeposits = 20;

/** The movements of several orders, read by one statement. An order without any has no entry. */
export async function getMovements(db: Database, orderIds: string[]): Promise<Map<string, Movements>> {
  const found = new Map<string, Movements>();
  if (orderIds.length === 0) return found;
  const rows = await unionAll(
    selectDeposits(db, orderIds),
    selectPayments(db, orderIds),
    selectAmountsSetAside(db, orderIds),
  ).orderBy(sql`created_at`, sql`purpose`, sql`id`);
  for (const { orderId, count, received, ...row } of rows) {
    const known = found.get(orderId) ?? { ...noMovements, incoming: [], outgoing: [] };
    found.set(orderId, known);
    if (row.purpose === "set_aside") known.setAside = row.amount;
    else if (row.purpose === "deposit") {
      known.incoming.push(toTransaction({ ...row, purpose: row.purpose }));
      known.incomingCount = count;
      known.received = received;
    } else known.outgoing.push(toTransaction({ ...row, purpose: row.purpose }));
  }
  return found;
}

/** Converts a deposit to its API representation. */
export function toIncoming(row: DepositRow): Transaction {
  return toTransaction({ ...row, hash: row.displayHash, purpose: "deposit" });
}

type Purpose = Transaction["purpose"] | "set_aside";

function selectDeposits(db: Database, orderIds: string[]) {
  const order = sql`${deposits.status} = 'failed', ${deposits.amount} desc, ${deposits.createdAt}, ${deposits.id}`;
  const ofOrder = sql`over (partition by ${deposits.orderId})`;
  const total = sql`coalesce(sum(${deposits.amount}) filter (where ${deposits.status} <> 'failed') ${ofOrder}, 0)`;
  const ranked = db
    .select({
      ...getTableColumns(deposits),
      rank: sql<number>`row_number() over (partition by ${deposits.orderId} order by ${order})`.as("rank"),
      count: sql<number>`(count(*) ${ofOrder})::int`.as("count"),
      received: total.mapWith(deposits.amount).as("received"),
    })
    .from(deposits)
    .where(inArray(deposits.orderId, orderIds))
    .as("ranked");
  return db
    .select({
      orderId: ranked.orderId,
      purpose: sql<Purpose>`'deposit'`.as("purpose"),
      id: ranked.id,
      status: sql<string>`${ranked.status}`.as("status"),
      asset: ranked.asset,
      amount: ranked.amount,
      hash: sql<string | null>`${ranked.displayHash}`.as("hash"),
      confirmations: ranked.confirmations,
      requiredConfirmations: ranked.requiredConfirmations,
      createdAt: ranked.createdAt,
      count: ranked.count,
      received: ranked.received,
    })
    .from(ranked)
    .where(lte(ranked.rank, shownDeposits));
}

function selectPayments(db: Database, orderIds: string[]) {
  return db
    .select({
      orderId: payments.orderId,
      purpose: sql<Purpose>`${payments.purpose}`,
      id: payments.id,
      status: sql<string>`${payments.status}`,
      asset: payments.asset,
      amount: payments.amount,
      hash: sql<string | null>`${payments.hash}`,
      confirmations: payments.confirmations,
      requiredConfirmations: payments.requiredConfirmations,
      createdAt: payments.createdAt,
      ...noSums,
    })
    .from(payments)
    .where(inArray(payments.orderId, orderIds));
}

function selectAmountsSetAside(db: Database, orderIds: string[]) {
  return db
    .select({
      orderId: orders.id,
      purpose: sql<Purpose>`'set_aside'`,
      id: orders.id,
      status: sql<string>`'confirmed'`,
      asset: orders.sourceAsset,
      amount: ledgerAccounts.balance,
      hash: sql<string | null>`null`,
      confirmations: sql<number>`0`,
      requiredConfirmations: sql<number>`0`,
      createdAt: orders.updatedAt,
      ...noSums,
    })
    .from(orders)
    .innerJoin(ledgerAccounts, isHeldForOrder)
    .where(and(inArray(orders.id, orderIds), isSettled));
}

/** For the columns that only deposits have. */
const noSums = { count: sql<number>`0`, received: sql<bigint>`0` };

type MovementRow = {
  id: string;
  purpose: Transaction["purpose"];
  status: string;
  asset: AssetSymbol;
  amount: bigint;
  hash: string | null;
  confirmations: number;
  requiredConfirmations: number;
  createdAt: Date;
};

function toTransaction(row: MovementRow): Transaction {
  const ended = row.status === "confirmed" || row.status === "failed";
  return {
    id: row.id,
    status: ended ? (row.status as "confirmed" | "failed") : "pending",
    asset_symbol: row.asset,
    amount: formatAmount(row.amount, row.asset),
    hash: row.hash,
    confirmations: row.confirmations,
    required_confirmations: row.requiredConfirmations,
    purpose: row.purpose,
    created_at: row.createdAt.toISOString(),
  };
}
