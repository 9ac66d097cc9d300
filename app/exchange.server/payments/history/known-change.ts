import { and, eq, inArray, notInArray } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { mapInBatches } from "../../../lib/map-in-batches";
import type { OutgoingPayments, UnrecordedPayment } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { unknownPayments } from "../../db/schema/history";

/** How many payments to look up in the wallet at a time. */
const parallelLookups = 16;

/**
 * Leaves out the change of unknown payments that are already stored under the hashes of their outputs: the wallet had a
 * record of them at that time, and lost it when it was restored. Change belongs to such a payment if both have the same
 * block, receiver and amount. Each payment explains one change output. No other payment of that block can be missing,
 * because the block was compared at that time.
 */
export async function withoutStoredChange(
  ctx: RunningContext,
  asset: AssetSymbol,
  { lost, read }: { lost: UnrecordedPayment[]; read: OutgoingPayments },
): Promise<UnrecordedPayment[]> {
  const amounts = lost.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0) return lost;
  const listed = [...read.payments, ...read.unrecorded].map(({ hash }) => hash);
  const stored = await ctx.db
    .select()
    .from(unknownPayments)
    .where(
      and(
        eq(unknownPayments.asset, asset),
        inArray(unknownPayments.amount, amounts),
        notInArray(unknownPayments.hash, listed),
      ),
    );
  const chain = ctx.chains[asset];
  const keys = await mapInBatches(stored, parallelLookups, async ({ hash, address, amount }) =>
    toKey({ block: await chain.findBlock(hash), receiverHash: await chain.hashAddress(address), amount }),
  );
  return lost.filter((payment) => {
    const key = toKey(payment);
    const index = key === null ? -1 : keys.indexOf(key);
    if (index >= 0) keys.splice(index, 1);
    return index < 0;
  });
}

type Transfer = { block: number | null; receiverHash: string | null; amount: bigint | null };

/** What identifies the payment that a change output belongs to. Null if it is not known. */
function toKey({ block, receiverHash, amount }: Transfer): string | null {
  return block === null || receiverHash === null || amount === null ? null : [block, receiverHash, amount].join(" ");
}
