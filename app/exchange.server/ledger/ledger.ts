import { and, eq, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { type Database, rowsOf } from "../db/database";
import { invariant } from "../errors";
import { newId } from "../ids";
import { ledgerAccounts, ledgerTransfers } from "./tables";

/**
 * Double entry: money moves from one account to another of the same asset, so that the
 * sum over all accounts of an asset is always zero. `world` is everybody outside.
 */
export const world = "world";
export const house = "house";
export const fees = "fees";
/** What customers' deposits brought and nobody has decided about yet. */
export const heldFor = (orderId: string) => `held:${orderId}`;
/** Set aside at lock, so that a locked quote can be paid. */
export const reservedFor = (orderId: string) => `reserved:${orderId}`;
/** Owed to the customer; leaves when the payment is final. */
export const payableTo = (orderId: string) => `payable:${orderId}`;

export type TransferKind =
  | "float"
  | "reserve"
  | "release"
  | "deposit"
  | "deposit_reorged"
  | "swap_in"
  | "swap_fee"
  | "swap_out"
  | "swap_undone"
  | "refund"
  | "refund_cost"
  | "paid"
  | "network_fee";

export type Transfer = {
  asset: AssetSymbol;
  from: string;
  to: string;
  /** Base units; a transfer of 0 is left out. */
  amount: bigint;
  kind: TransferKind;
};

/** An account that may not be negative would have been. */
export class InsufficientBalanceError extends Error {
  readonly account: string;
  constructor(asset: AssetSymbol, account: string) {
    super(`The ${asset} account ${account} does not hold enough`);
    this.name = "InsufficientBalanceError";
    this.account = account;
  }
}

/**
 * Writes transfers that belong together, in the caller's transaction: all or none.
 * Accounts are locked in one order, so that two postings never wait for each other; `world`
 * before all others, since a deposit is often followed by its swap in the same transaction.
 * @throws InsufficientBalanceError; the caller's transaction, or its savepoint, must end with it
 */
export async function post(
  tx: Database,
  entry: { transfers: Transfer[]; orderId: string | null; at: Date },
): Promise<void> {
  const transfers = entry.transfers.filter((t) => t.amount !== 0n);
  if (transfers.length === 0) return;
  const deltas = new Map<string, { asset: AssetSymbol; code: string; delta: bigint }>();
  const move = (asset: AssetSymbol, code: string, delta: bigint) => {
    const known = deltas.get(`${asset} ${code}`);
    if (known) known.delta += delta;
    else deltas.set(`${asset} ${code}`, { asset, code, delta });
  };
  for (const t of transfers) {
    invariant(t.amount > 0n, "a transfer is positive");
    move(t.asset, t.from, -t.amount);
    move(t.asset, t.to, t.amount);
  }
  const rank = ({ asset, code }: { asset: AssetSymbol; code: string }) => `${code === world ? 0 : 1} ${asset} ${code}`;
  const ordered = [...deltas.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  for (const { asset, code, delta } of ordered) {
    await tx.insert(ledgerAccounts).values({ asset, code, balance: 0n }).onConflictDoNothing();
    const floor = code === world ? sql`true` : sql`${ledgerAccounts.balance} + ${delta.toString()}::numeric >= 0`;
    const updated = await tx
      .update(ledgerAccounts)
      .set({ balance: sql`${ledgerAccounts.balance} + ${delta.toString()}::numeric` })
      .where(and(eq(ledgerAccounts.asset, asset), eq(ledgerAccounts.code, code), floor))
      .returning({ code: ledgerAccounts.code });
    if (updated.length === 0) throw new InsufficientBalanceError(asset, code);
  }
  const linkId = newId();
  await tx.insert(ledgerTransfers).values(
    transfers.map((t) => ({
      asset: t.asset,
      fromCode: t.from,
      toCode: t.to,
      amount: t.amount,
      kind: t.kind,
      orderId: entry.orderId,
      linkId,
      at: entry.at,
    })),
  );
}

/** Balance in base units; 0 for an account that was never used. */
export async function getBalance(db: Database, asset: AssetSymbol, code: string): Promise<bigint> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.asset, asset), eq(ledgerAccounts.code, code)));
  return row?.balance ?? 0n;
}

/** Everything set aside or owed in the asset: what our wallet must be able to send. */
export async function getObligations(db: Database, asset: AssetSymbol): Promise<bigint> {
  const [row] = await rowsOf<{ sum: string }>(
    db,
    sql`select coalesce(sum(balance), 0)::text as sum from ledger_accounts
        where asset = ${asset} and (code like 'reserved:%' or code like 'payable:%' or code like 'held:%')`,
  );
  return BigInt(row?.sum ?? "0");
}
