import { type AnyColumn, and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { type Database, queryRows } from "../db/database";
import { ledgerAccounts } from "../db/schema/ledger";
import { invariant } from "../errors";
import { newId } from "../ids";

/*
 * Double-entry bookkeeping: every transfer moves an amount from one account to another of
 * the same asset, so the balances of an asset always sum to zero.
 */

/** Everyone outside the exchange. The only account that may be negative: its balance is minus what we hold. */
export const external = "external";
/** The exchange's own funds, available for new swaps. */
export const treasury = "treasury";
/** Swap fees earned. */
export const fees = "fees";
/** Deposits of an order that have been credited and neither swapped nor refunded yet. */
export const heldFor = (orderId: string) => `held:${orderId}`;
/** Reserved when a quote is locked, to guarantee its payout. */
export const reservedFor = (orderId: string) => `reserved:${orderId}`;
/** Owed to the customer until the payment is final. */
export const payableTo = (orderId: string) => `payable:${orderId}`;

export type TransferKind =
  | "float"
  | "reserve"
  | "release"
  | "deposit"
  | "deposit_reorged"
  | "write_off"
  | "write_off_undone"
  | "swap_in"
  | "swap_fee"
  | "swap_out"
  | "swap_undone"
  | "refund"
  | "refund_cost"
  | "refund_undone"
  | "paid"
  | "paid_undone"
  | "network_fee"
  | "fees_taken";

export type Transfer = {
  asset: AssetSymbol;
  /** Account codes: `external`, `treasury`, `fees`, or one of an order. */
  from: string;
  to: string;
  /** Base units; `post` skips a transfer of 0. */
  amount: bigint;
  kind: TransferKind;
};

/** A posting would have overdrawn an account whose balance must not be negative. */
export class InsufficientBalanceError extends Error {
  readonly account: string;
  constructor(asset: AssetSymbol, account: string) {
    super(`The ${asset} account ${account} has insufficient balance`);
    this.name = "InsufficientBalanceError";
    this.account = account;
  }
}

/** An account after a posting; its row is locked. `reserved` is the total that the row of `treasury` keeps. */
export type PostedAccount = { asset: AssetSymbol; code: string; balance: bigint; reserved: bigint };

/**
 * Posts transfers that belong together, in the caller's transaction and in one statement: all or none.
 *
 * Accounts are locked in a fixed order to prevent deadlocks between postings. `external`
 * comes first because one transaction often posts a deposit and then its swap.
 * @returns the accounts it has changed, with everything that others had posted to them
 * @throws InsufficientBalanceError; the caller must roll back the transaction or its savepoint
 */
export async function post(
  tx: Database,
  entry: { transfers: Transfer[]; orderId: string | null; at: Date },
): Promise<PostedAccount[]> {
  const transfers = entry.transfers.filter((t) => t.amount !== 0n);
  if (transfers.length === 0) return [];
  const changes = toBalanceChanges(transfers);
  const changed = await queryRows<{ asset: AssetSymbol; code: string; balance: string; reserved: string }>(
    tx,
    toPosting({ changes, transfers, orderId: entry.orderId, at: entry.at }),
  );
  const isChanged = new Set(changed.map(({ asset, code }) => `${asset} ${code}`));
  const short = changes.find(({ asset, code }) => !isChanged.has(`${asset} ${code}`));
  if (short) throw new InsufficientBalanceError(short.asset, short.code);
  return changed.map((row) => ({ ...row, balance: BigInt(row.balance), reserved: BigInt(row.reserved) }));
}

/** `reserved` is what the change adds to the total that the treasury's row keeps. */
type BalanceChange = { asset: AssetSymbol; code: string; delta: bigint; reserved: bigint };

/** What transfers change in each account, in the order in which accounts are locked. */
function toBalanceChanges(transfers: Transfer[]): BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  const changeOf = (asset: AssetSymbol, code: string): BalanceChange => {
    const change = changes.get(`${asset} ${code}`) ?? { asset, code, delta: 0n, reserved: 0n };
    changes.set(`${asset} ${code}`, change);
    return change;
  };
  const move = (asset: AssetSymbol, code: string, delta: bigint) => {
    changeOf(asset, code).delta += delta;
    if (code.startsWith(reservedFor(""))) changeOf(asset, treasury).reserved += delta;
  };
  for (const t of transfers) {
    invariant(t.amount > 0n, "a transfer must be positive");
    move(t.asset, t.from, -t.amount);
    move(t.asset, t.to, t.amount);
  }
  const rank = ({ asset, code }: BalanceChange) => `${code === external ? 0 : 1} ${asset} ${code}`;
  return [...changes.values()]
    .filter(({ delta, reserved }) => delta !== 0n || reserved !== 0n)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

type Posting = { changes: BalanceChange[]; transfers: Transfer[]; orderId: string | null; at: Date };

/**
 * The statement that changes the balances and inserts the transfers. It returns the accounts it has changed;
 * one is missing if it would have become negative.
 *
 * An account that exists is inserted with 0 or more, because PostgreSQL checks the constraint of a row
 * before it finds the conflict.
 */
function toPosting({ changes, transfers, orderId, at }: Posting): SQL {
  const toText = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
  return sql`
    with changes as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(changes, toText)}::json)
        as (asset text, code text, delta numeric, reserved numeric)) with ordinality as c(asset, code, delta, reserved, n)
    ), changed as (
      insert into ledger_accounts as account (asset, code, balance, reserved)
      select asset, code, case when code = ${external} then delta else greatest(delta, 0) end, reserved
        from changes
       where delta >= 0 or code = ${external}
          or exists (select from ledger_accounts a where a.asset = changes.asset and a.code = changes.code)
       order by n
      on conflict (asset, code) do update
        set balance = account.balance
              + (select delta from changes c where c.asset = account.asset and c.code = account.code),
            reserved = account.reserved + excluded.reserved
        where account.code = ${external} or 0 <= account.balance
              + (select delta from changes c where c.asset = account.asset and c.code = account.code)
      returning asset, code, balance, reserved
    ), posted as (
      insert into ledger_transfers (asset, from_code, to_code, amount, kind, order_id, link_id, at)
      select asset, "from", "to", amount, kind, ${orderId}::text, ${newId()}, ${at.toISOString()}::timestamptz
        from rows from (json_to_recordset(${JSON.stringify(transfers, toText)}::json)
          as (asset text, "from" text, "to" text, amount numeric, kind text)) with ordinality as t(asset, "from", "to", amount, kind, n)
       order by n
    )
    select asset, code, balance, reserved from changed`;
}

/**
 * For each asset: the treasury, what is due to orders (reserved, held and owed), and the sum of the treasury and the
 * orders' reserves. The accounts of an asset sum to zero, so three of them determine the total of all others, and the
 * accounts of all orders never have to be added up.
 */
export function selectFunds(db: Database) {
  const { balance, reserved, asset, code } = ledgerAccounts;
  const isTreasury = eq(code, treasury);
  const sumOf = (amount: SQL | AnyColumn, filter?: SQL) =>
    sql<bigint>`coalesce(sum(${amount})${filter ? sql` filter (where ${filter})` : sql``}, 0)`.mapWith(BigInt);
  return db
    .select({
      asset,
      treasury: sumOf(balance, isTreasury).as("treasury"),
      obligations: sumOf(sql`-${balance}`).as("obligations"),
      total: sumOf(sql`${balance} + ${reserved}`, isTreasury).as("total"),
    })
    .from(ledgerAccounts)
    .where(and(inArray(asset, [...assetSymbols]), inArray(code, [external, treasury, fees])))
    .groupBy(asset);
}

/** The balance of an account in base units; 0 for an account without transfers. */
export async function getBalance(db: Database, asset: AssetSymbol, code: string): Promise<bigint> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.asset, asset), eq(ledgerAccounts.code, code)));
  return row?.balance ?? 0n;
}
