import { and, eq, inArray, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { dropDeposit } from "./drop-deposit";

/** The stored deposits by their transfer, which is identified both by its number in the transaction and by its log. */
export type Known = { byKey: Map<string, DepositRow>; byLog: Map<string, string> };

export const toKey = ({ txHash, ordinal }: { txHash: string; ordinal: number }) => `${txHash}:${ordinal}`;
export const toLog = (log: { txHash: string; blockHash: string; blockLogIndex: number | null }) =>
  `${log.txHash}:${log.blockHash}:${log.blockLogIndex}`;

export async function readKnown(tx: Database, asset: AssetSymbol, transfers: ChainTransfer[]): Promise<Known> {
  const unique = <T>(values: T[]) => [...new Set(values)];
  const rows = await tx
    .select()
    .from(deposits)
    .where(
      and(
        eq(deposits.asset, asset),
        inArray(deposits.txHash, unique(transfers.map(({ txHash }) => txHash))),
        or(
          inArray(deposits.ordinal, unique(transfers.map(({ ordinal }) => ordinal))),
          inArray(deposits.blockLogIndex, unique(transfers.map(({ blockLogIndex }) => blockLogIndex))),
        ),
      ),
    );
  return {
    byKey: new Map(rows.map((row) => [toKey(row), row])),
    byLog: new Map(rows.filter(({ status }) => status !== "failed").map((row) => [toLog(row), toKey(row)])),
  };
}

/**
 * Drops pending deposits that were recorded from a wrong response: the nodes now agree that the transfer is for a
 * different order, or is a different log of the same block. The deposits are then recorded again.
 * @returns whether there was one
 */
export async function dropContradicted(
  tx: Database,
  ctx: ExchangeContext,
  { transfers, orders: locked, known }: { transfers: ChainTransfer[]; orders: OrderRow[]; known: Known },
): Promise<boolean> {
  let hasDropped = false;
  for (const transfer of transfers) {
    const row = known.byKey.get(toKey(transfer));
    if (row?.status !== "pending" || transfer.disputed) continue;
    const order = locked.find(({ fundingAddress }) => fundingAddress === transfer.address);
    const isOtherLog =
      row.blockHash === transfer.blockHash &&
      row.blockLogIndex !== null &&
      row.blockLogIndex !== transfer.blockLogIndex;
    if (row.orderId === order?.id && !isOtherLog) continue;
    ctx.log.error({ deposit: row.id, order: row.orderId }, "most nodes now report something else about a deposit");
    await dropDeposit(tx, ctx, row);
    known.byKey.set(toKey(row), { ...row, status: "failed" });
    known.byLog.delete(toLog(row));
    hasDropped = true;
  }
  return hasDropped;
}
