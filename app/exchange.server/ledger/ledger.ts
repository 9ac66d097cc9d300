import { and, eq, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { ledgerAccounts, ledgerTransfers } from "../db/schema/ledger";
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
/** Set aside when a quote is locked, to guarantee its payout. */
export const reservedFor = (orderId: string) => `reserved:${orderId}`;
/** Owed to the customer until the payment is final. */
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
  | "refund_undone"
  | "paid"
  | "paid_undone"
  | "network_fee";

export type Transfer = {
  asset: AssetSymbol;
  /** Account codes: `external`, `treasury`, `fees`, or one of an order. */
  from: string;
  to: string;
  /** Base units; `post` skips a transfer of 0. */
  amount: bigint;
  kind: TransferKind;
};

/** A posting would have made an account negative that must not be. */
export class InsufficientBalanceError extends Error {
  readonly account: string;
  constructor(asset: AssetSymbol, account: string) {
    super(`The ${asset} account ${account} has insufficient balance`);
    this.name = "InsufficientBalanceError";
    this.account = account;
  }
}

/**
 * Posts transfers that belong together, in the caller's transaction: all or none.
 *
 * Accounts are locked in a fixed order to prevent deadlocks between postings. `external`
 * comes first because one transaction often posts a deposit and then its swap.
 * @throws InsufficientBalanceError; the caller must roll back the transaction or its savepoint
 */
export async function post(
  tx: Database,
  entry: { transfers: Transfer[]; orderId: string | null; at: Date },
): Promise<void> {
  const transfers = entry.transfers.filter((t) => t.amount !== 0n);
  if (transfers.length === 0) return;
  const deltas = new Map<string, BalanceChange>();
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
  const rank = ({ asset, code }: { asset: AssetSymbol; code: string }) =>
    `${code === external ? 0 : 1} ${asset} ${code}`;
  const ordered = [...deltas.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  for (const balance of ordered) {
    if (!(await changeBalance(tx, balance))) throw new InsufficientBalanceError(balance.asset, balance.code);
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

type BalanceChange = { asset: AssetSymbol; code: string; delta: bigint };

/** Changes a balance, or creates the account with it. False if the account would become negative and must not. */
async function changeBalance(tx: Database, { asset, code, delta }: BalanceChange): Promise<boolean> {
  if (delta === 0n) return true;
  const balance = sql`${ledgerAccounts.balance} + ${delta.toString()}::numeric`;
  if (delta > 0n || code === external) {
    await tx
      .insert(ledgerAccounts)
      .values({ asset, code, balance: delta })
      .onConflictDoUpdate({ target: [ledgerAccounts.asset, ledgerAccounts.code], set: { balance } });
    return true;
  }
  const updated = await tx
    .update(ledgerAccounts)
    .set({ balance })
    .where(and(eq(ledgerAccounts.asset, asset), eq(ledgerAccounts.code, code), sql`${balance} >= 0`))
    .returning({ code: ledgerAccounts.code });
  return updated.length === 1;
}

/** The balance of an account in base units; 0 for an account without transfers. */
export async function getBalance(db: Database, asset: AssetSymbol, code: string): Promise<bigint> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.asset, asset), eq(ledgerAccounts.code, code)));
  return row?.balance ?? 0n;
}
