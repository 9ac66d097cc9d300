import { eq, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { joinSentences } from "../../../lib/join-sentences";
import { mapInBatches } from "../../../lib/map-in-batches";
import { formatAmount } from "../../../lib/money";
import { raiseAlert } from "../../alerts/alerts";
import type { OutgoingPayments } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { unknownPayments, walletHistories } from "../../db/schema/history";
import { bookFeeByHand } from "../../operator-advice";
import { skipFundingIndexes } from "./funding-indexes";
import { withoutStoredChange } from "./known-change";
import { findChangeHashes, searchKnownHashes } from "./known-payments";
import { stopped, stopSwapsAndPayments } from "./stop";
import { findStoredHashes, listPayableAddresses, unknownReceiver } from "./unknown-payments";

/** Stores payments that this database has not made. If any are new, payments and new swaps stop. */
export async function recordUnknown(ctx: RunningContext, asset: AssetSymbol, read: OutgoingPayments): Promise<void> {
  const hashes = new Set([...read.payments, ...read.unrecorded].map(({ hash }) => hash));
  for (const hash of await findStoredHashes(ctx.db, asset, [...hashes])) hashes.delete(hash);
  // Read after the wallet's payments, because a payment of ours is stored before it is sent.
  for (const hash of await searchKnownHashes(ctx.db, asset, [...hashes])) hashes.delete(hash);
  const unrecorded = read.unrecorded.filter(({ hash }) => hashes.has(hash));
  const ours = await findChangeHashes(ctx.db, asset, unrecorded);
  const lost = await withoutStoredChange(ctx, asset, {
    lost: unrecorded.filter(({ hash }) => !ours.has(hash)),
    read,
  });
  const unknown = [...read.payments.filter(({ hash }) => hashes.has(hash)), ...(await nameReceivers(ctx, asset, lost))];
  const at = await ctx.clock.now(ctx.db);
  const reason = `Our ${asset} wallet has made payments that are not in this database. Was a backup restored? "operate status" lists them.`;
  const hasNew = await ctx.db.transaction(async (tx) => {
    let added = 0;
    for (const payment of unknown) {
      const { hash, to, amount } = payment;
      const inserted = await tx
        .insert(unknownPayments)
        .values({ asset, hash, address: to, amount, foundAt: at })
        .onConflictDoNothing()
        .returning({ hash: unknownPayments.hash });
      if (inserted.length === 0) continue;
      added += 1;
      const found = payment.isConsolidation ? describeConsolidation(asset, payment) : describeUnknown(asset, payment);
      await raiseAlert(tx, ctx, { subject: `unknown:${hash}`, ...found, at });
    }
    await tx
      .update(walletHistories)
      .set({ readThrough: sql`greatest(${walletHistories.readThrough}, ${read.through})` })
      .where(eq(walletHistories.asset, asset));
    if (added === 0) return false;
    await stopSwapsAndPayments(tx, { cause: `unknown:${asset}`, reason, at });
    await skipFundingIndexes(tx, at);
    return true;
  });
  if (hasNew) ctx.log.fatal({ reason }, stopped);
}

/** How many addresses to hash at a time. */
const hashesAtOnce = 16;

/**
 * Finds the receivers of payments that the wallet has not recorded, among the addresses of orders that are not final.
 * If a receiver or the amount is not known, the payment stops all others until an operator accounts for it.
 */
async function nameReceivers(
  ctx: RunningContext,
  asset: AssetSymbol,
  unrecorded: OutgoingPayments["unrecorded"],
): Promise<Outgoing[]> {
  if (unrecorded.length === 0) return [];
  const addresses = await listPayableAddresses(ctx.db, asset);
  const hashes = await mapInBatches(addresses, hashesAtOnce, (address) => ctx.chains[asset].hashAddress(address));
  const byHash = new Map(addresses.map((address, index) => [hashes[index] ?? null, address]));
  return unrecorded.map(({ hash, receiverHash, amount, isConsolidation }) => ({
    hash,
    to: isConsolidation
      ? "our own account"
      : (receiverHash && byHash.get(receiverHash)) || `${unknownReceiver} ${receiverHash ?? "unknown"}`,
    amount: amount ?? 0n,
    isConsolidation,
  }));
}

type Outgoing = OutgoingPayments["payments"][number];

type Described = { reason: string; action: string };

/** `feeWith`: another payment of the same transaction, which has one network fee. */
function bookFee(asset: AssetSymbol, feeWith: string | undefined): string {
  if (feeWith === undefined) return bookFeeByHand(asset);
  return `Its transaction also made the payment ${feeWith}: book their network fee only once.`;
}

const resume = 'When no unknown payment is left, run "operate on payments" and "operate on swaps".';

/** `operate status` adds the orders that it may be for, because these change while the chains are read. */
function describeUnknown(asset: AssetSymbol, { hash, to, amount, feeWith }: Outgoing): Described {
  const reason = `Our wallet has paid ${formatAmount(amount, asset)} ${asset} to ${to} (${hash}), but the payment is not in this database.`;
  const action = joinSentences(
    `Find out what it was for. Then run "operate mark-paid PAYMENT ${hash}"; "operate mark-paid-out ORDER ${hash}" if it was the payout of an order that is not filled; or "operate accept-payment ${hash}" and book it with "operate float ${asset} -AMOUNT", if it was not for an order of this database and is not booked yet.`,
    bookFee(asset, feeWith),
    "If it is a payment of ours whose fee was raised, wait: it is booked automatically.",
    resume,
  );
  return { reason, action };
}

function describeConsolidation(asset: AssetSymbol, { hash, amount }: Outgoing): Described {
  const reason = `Our wallet has merged or split its own outputs, ${formatAmount(amount, asset)} ${asset} in total (${hash}), but the transaction is not in this database. It did not pay anyone.`;
  const action = `Run "operate accept-payment ${hash}", and book only its network fee, with "operate float ${asset} -FEE". ${resume}`;
  return { reason, action };
}
