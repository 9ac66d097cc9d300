import { isDeepStrictEqual } from "node:util";
import { eq, inArray } from "drizzle-orm";
import type { ChainTransfer } from "../chains/gateway";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { newId } from "../ids";
import { touchOrder } from "../orders/transition";

/**
 * A transfer that is new or may have changed, with the confirmations that count, the number that it needs, and its
 * deposit if it has one.
 */
export type Changed = {
  transfer: ChainTransfer;
  required: number;
  awaitsFinality: boolean;
  known: DepositRow | undefined;
};

type Progress = Pick<DepositRow, "confirmations" | "requiredConfirmations" | "awaitsFinality">;

/** Records the transfers that have no deposit yet. */
export async function insertDeposits(
  tx: Database,
  { order, changed, seenAt, at }: { order: OrderRow; changed: Changed[]; seenAt: Date; at: Date },
): Promise<DepositRow[]> {
  const rows = changed.flatMap(({ transfer, required, awaitsFinality, known }) =>
    known
      ? []
      : [
          {
            id: newId(),
            orderId: order.id,
            asset: order.sourceAsset,
            txHash: transfer.txHash,
            ordinal: transfer.ordinal,
            displayHash: transfer.displayHash,
            blockHash: transfer.blockHash,
            blockNumber: transfer.blockNumber,
            blockLogIndex: transfer.blockLogIndex,
            blockTime: transfer.blockTime ?? seenAt,
            amount: transfer.amount,
            confirmations: transfer.confirmations,
            requiredConfirmations: required,
            awaitsFinality,
            status: "pending" as const,
            createdAt: at,
            updatedAt: at,
          },
        ],
  );
  if (rows.length === 0) return [];
  return tx.insert(deposits).values(rows).onConflictDoNothing().returning();
}

/**
 * Updates known deposits from the chain. If the nodes do not agree on a transfer, only its confirmations count, unless
 * its deposit has failed: then it is recorded as if it were new.
 * @returns the deposits that are pending, as they are now
 */
export async function updateDeposits(
  tx: Database,
  { order, changed, at }: { order: OrderRow; changed: Changed[]; at: Date },
): Promise<DepositRow[]> {
  const rows: DepositRow[] = [];
  const deeper = new Map<string, { set: Progress; ids: string[] }>();
  let hasChanged = false;
  for (const { transfer, required, awaitsFinality, known } of changed) {
    if (!known) continue;
    const progress = { confirmations: transfer.confirmations, requiredConfirmations: required, awaitsFinality };
    if (known.status === "pending" && isAsRecorded(known, transfer)) {
      const row = { ...known, ...progress };
      rows.push(row);
      if (isDeepStrictEqual(row, known)) continue;
      const key = `${progress.confirmations} ${required} ${awaitsFinality}`;
      deeper.set(key, { set: progress, ids: [...(deeper.get(key)?.ids ?? []), known.id] });
    } else if (transfer.disputed && known.status !== "failed") {
      continue;
    } else {
      rows.push(...(await recordAgain(tx, known, { order, transfer, required, awaitsFinality, at })));
    }
    hasChanged = true;
  }
  for (const { set, ids } of deeper.values()) {
    await tx
      .update(deposits)
      .set({ ...set, updatedAt: at })
      .where(inArray(deposits.id, ids));
  }
  if (hasChanged) await touchOrder(tx, order.id, at);
  return rows;
}

/** Whether the block, amount and time stored for a deposit match the transfer. */
function isAsRecorded(known: DepositRow, transfer: ChainTransfer): boolean {
  return (
    known.blockHash === transfer.blockHash &&
    known.amount === transfer.amount &&
    (transfer.blockTime === null || known.blockTime.getTime() === transfer.blockTime.getTime())
  );
}

/**
 * Updates a deposit that is now in another block, is back after a reorg, or was recorded from a wrong response.
 */
async function recordAgain(
  tx: Database,
  known: DepositRow,
  { order, transfer, required, awaitsFinality, at }: Omit<Changed, "known"> & { order: OrderRow; at: Date },
): Promise<DepositRow[]> {
  return tx
    .update(deposits)
    .set({
      status: "pending",
      orderId: order.id,
      blockHash: transfer.blockHash,
      blockNumber: transfer.blockNumber,
      blockLogIndex: transfer.blockLogIndex,
      // A transfer in a new block has a new time. Without block times, the first time it was seen remains.
      blockTime: transfer.blockTime ?? known.blockTime,
      amount: transfer.amount,
      confirmations: transfer.confirmations,
      requiredConfirmations: required,
      awaitsFinality,
      ...(known.status === "failed" && { emptyAtHeight: null }),
      updatedAt: at,
    })
    .where(eq(deposits.id, known.id))
    .returning();
}
