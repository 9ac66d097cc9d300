import { and, eq, getTableColumns, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "../../../api/contract";
import type { AssetSymbol } from "../../../lib/assets";
import { formatAmount } from "../../../lib/money";
import type { Database } from "../../db/database";
import { prepareAfterColumn } from "../../db/not-before";
import { newestFirst, type PageRequest } from "../../db/pages";
import { type DepositRow, deposits } from "../../db/schema/deposits";
import { ledgerAccounts } from "../../db/schema/ledger";
import { type OrderRow, orders } from "../../db/schema/orders";
import { payments } from "../../db/schema/payments";
import { ExchangeError, invariant } from "../../errors";
import { isOwnOrder } from "../own-order";
import { isSetAsideForOrder } from "../payouts-and-refunds/set-aside";
import { selectInStatusSince } from "../queries";

/** The incoming and outgoing payments of an order, the amount set aside, and when it got its current status. */
export type Movements = {
  /** At most 20 deposits, oldest first: the largest, and failed ones only if there is room. */
  incoming: Transaction[];
  /** The number of all deposits, including those not in `incoming`. */
  incomingCount: number;
  /** The number of deposits that have not failed. */
  receivedCount: number;
  /** Their total, in base units. */
  received: bigint;
  setAside: bigint;
  outgoing: Transaction[];
  /** When the order got its current status. Null for a new order. */
  inStatusSince: Date | null;
};

export const noMovements: Readonly<Movements> = {
  incoming: [],
  incomingCount: 0,
  receivedCount: 0,
  received: 0n,
  setAside: 0n,
  outgoing: [],
  inStatusSince: null,
};

/** The most deposits to include in an order; `listDeposits` returns all of them. */
const shownDeposits = 20;

/** An order and its movements. */
export type OrderWithMovements = OrderRow & { movements: Movements };

/** Starts a query of orders with their movements. Add conditions with `where`. */
export function selectWithMovements(db: Database) {
  return db.select({ ...getTableColumns(orders), movements: toColumn() }).from(orders);
}

/** Reads an account's order with its movements. @throws not_found, including for another account's order */
export async function getOwnOrderWithMovements(
  db: Database,
  accountId: string,
  orderId: string,
): Promise<OrderWithMovements> {
  const [row] = await selectWithMovements(db).where(isOwnOrder(accountId, orderId));
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/** Reads orders with their movements, in no particular order. Skips ids that do not exist. */
export async function getOrdersWithMovements(db: Database, ids: string[]): Promise<OrderWithMovements[]> {
  return ids.length === 0 ? [] : selectWithMovements(db).where(inArray(orders.id, ids));
}

/** Reads the movements of an order, which must exist. */
export async function getMovements(db: Database, orderId: string): Promise<Movements> {
  const [order] = await getOrdersWithMovements(db, [orderId]);
  invariant(order, "the order exists");
  return order.movements;
}

/** A page of an order's deposits, newest first. */
export async function listDeposits(db: Database, orderId: string, page: PageRequest): Promise<DepositRow[]> {
  const { after, orderBy, limit } = newestFirst(deposits, page);
  return db
    .select()
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), after))
    .orderBy(...orderBy)
    .limit(limit);
}

/** Converts a deposit to its API representation. */
export function toIncoming(row: DepositRow): Transaction {
  return toTransaction({
    ...row,
    hash: row.displayHash,
    purpose: "deposit",
    refundCost: null,
    address: null,
    blockTime: row.asset === "USDT" ? row.blockTime : null,
    waitsUntil: null,
    sentAt: null,
  });
}

/** A column with the movements of each selected order. */
function toColumn(): SQL.Aliased<Movements> {
  const ofDeposits = sql`from ${deposits} where ${eq(deposits.orderId, orders.id)}`;
  const largestFirst = sql`${deposits.status} = 'failed', ${deposits.amount} desc, ${deposits.createdAt}, ${deposits.id}`;
  const none = sql`null`;
  const blockTime = sql`case when ${eq(deposits.asset, "USDT")} then ${deposits.blockTime} end`;
  const incoming = sql`
    select json_agg(${toJson(deposits, { purpose: sql`'deposit'`, hash: deposits.displayHash, refundCost: none, address: none, awaitsFinality: deposits.awaitsFinality, blockTime, waitsUntil: none, sentAt: none })}
      order by ${deposits.createdAt}, ${deposits.id})
    from (select * ${ofDeposits} order by ${largestFirst} limit ${shownDeposits}) ${deposits}`;
  const counts = sql`where ${deposits.status} <> 'failed'`;
  const totals = sql`
    select json_build_object('incomingCount', count(*), 'receivedCount', count(*) filter (${counts}),
      'received', coalesce(sum(${deposits.amount}) filter (${counts}), 0)::text) ${ofDeposits}`;
  const refundCost = sql`
    case when ${eq(payments.purpose, "refund")} then (${payments.grossAmount} - ${payments.amount})::text end`;
  // Later attempts of a payment that could not be prepared wait too, but only for seconds.
  const isWaiting = and(eq(payments.status, "planned"), isNull(payments.parkedAt), eq(payments.attempts, 0));
  const waitsUntil = sql`case when ${isWaiting} then ${prepareAfterColumn} end`;
  const { purpose, hash, address } = payments;
  // A payment that was made by hand has only the time at which it was booked.
  const sentAt = sql`coalesce(${payments.sentAt}, ${payments.confirmedAt})`;
  const outgoing = sql`
    select json_agg(${toJson(payments, { purpose, hash, refundCost, address, awaitsFinality: sql`false`, blockTime: none, waitsUntil, sentAt })}
      order by ${payments.createdAt}, ${payments.purpose}, ${payments.id})
    from ${payments} where ${eq(payments.orderId, orders.id)}`;
  const setAside = sql`
    select ${ledgerAccounts.balance}::text from ${ledgerAccounts} where ${isSetAsideForOrder}`;
  return sql`json_build_object('incoming', (${incoming}), 'totals', (${totals}), 'outgoing', (${outgoing}),
    'setAside', (${setAside}), 'inStatusSince', (${selectInStatusSince}))`
    .mapWith(toMovements)
    .as("movements");
}

function toJson(
  table: typeof deposits | typeof payments,
  columns: Record<
    "purpose" | "hash" | "refundCost" | "address" | "awaitsFinality" | "blockTime" | "waitsUntil" | "sentAt",
    SQL | PgColumn
  >,
): SQL {
  const { purpose, hash, refundCost, address, awaitsFinality, blockTime, waitsUntil, sentAt } = columns;
  return sql`json_build_object('id', ${table.id}, 'purpose', ${purpose}, 'status', ${table.status},
    'asset', ${table.asset}, 'amount', ${table.amount}::text, 'refundCost', ${refundCost},
    'address', ${address}, 'hash', ${hash}, 'confirmations', ${table.confirmations},
    'requiredConfirmations', ${table.requiredConfirmations}, 'awaitsFinality', ${awaitsFinality},
    'blockTime', ${blockTime}, 'waitsUntil', ${waitsUntil}, 'sentAt', ${sentAt}, 'createdAt', ${table.createdAt})`;
}

/** What `toJson` returns. Amounts are strings, because JSON numbers would lose digits; times are ISO strings. */
type MovementJson = Omit<MovementRow, "amount" | "refundCost" | "blockTime" | "waitsUntil" | "sentAt" | "createdAt"> & {
  amount: string;
  refundCost: string | null;
  blockTime: string | null;
  waitsUntil: string | null;
  sentAt: string | null;
  createdAt: string;
};

type MovementsJson = {
  incoming: MovementJson[] | null;
  totals: { incomingCount: number; receivedCount: number; received: string };
  outgoing: MovementJson[] | null;
  setAside: string | null;
  inStatusSince: string | null;
};

function toMovements(json: MovementsJson): Movements {
  const { incoming, totals, outgoing, setAside, inStatusSince } = json;
  return {
    incoming: (incoming ?? []).map(fromJson),
    ...totals,
    received: BigInt(totals.received),
    setAside: BigInt(setAside ?? 0),
    outgoing: (outgoing ?? []).map(fromJson),
    inStatusSince: inStatusSince === null ? null : new Date(inStatusSince),
  };
}

function fromJson(row: MovementJson): Transaction {
  return toTransaction({
    ...row,
    amount: BigInt(row.amount),
    refundCost: row.refundCost === null ? null : BigInt(row.refundCost),
    blockTime: row.blockTime === null ? null : new Date(row.blockTime),
    waitsUntil: row.waitsUntil === null ? null : new Date(row.waitsUntil),
    sentAt: row.sentAt === null ? null : new Date(row.sentAt),
    createdAt: new Date(row.createdAt),
  });
}

type MovementRow = {
  id: string;
  purpose: Transaction["purpose"];
  status: string;
  asset: AssetSymbol;
  amount: bigint;
  /** Null if it is not a refund. */
  refundCost: bigint | null;
  /** Null if it is a deposit. */
  address: string | null;
  hash: string | null;
  confirmations: number;
  requiredConfirmations: number;
  awaitsFinality: boolean;
  /** Null if it is not a deposit, or its chain has no block times. */
  blockTime: Date | null;
  /** Null if it is a deposit, or does not wait for a set time. */
  waitsUntil: Date | null;
  /** Null if it is a deposit, or was not sent yet. */
  sentAt: Date | null;
  createdAt: Date;
};

function toTransaction(row: MovementRow): Transaction {
  const ended = row.status === "confirmed" || row.status === "failed";
  return {
    id: row.id,
    status: ended ? (row.status as "confirmed" | "failed") : "pending",
    asset_symbol: row.asset,
    amount: formatAmount(row.amount, row.asset),
    ...(row.refundCost !== null && { refund_cost: formatAmount(row.refundCost, row.asset) }),
    ...(row.address !== null && { address: row.address }),
    hash: row.hash,
    confirmations: row.confirmations,
    required_confirmations: row.requiredConfirmations,
    ...(row.awaitsFinality && !ended && { awaits_finality: true }),
    ...(row.waitsUntil !== null && { waits_until: row.waitsUntil.toISOString() }),
    purpose: row.purpose,
    created_at: row.createdAt.toISOString(),
    ...(row.blockTime !== null && { block_time: row.blockTime.toISOString() }),
    ...(row.sentAt !== null && { sent_at: row.sentAt.toISOString() }),
  };
}
