import { and, eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { PreparedPayment } from "../chains/gateway";
import type { ExchangeContext, RunningContext } from "../context";
import { getChainState } from "../db/chain-state";
import { type Database, lockFor } from "../db/database";
import { consolidations, isOpenConsolidation } from "../db/schema/payments";
import { describeError } from "../describe-error";
import { newId } from "../ids";
import { bookNetworkFee } from "../ledger/fee-postings";
import { InsufficientBalanceError } from "../ledger/ledger";
import { addFunds } from "../operator-advice";
import { getSwitchedOff, lockSwitches } from "../switches/switches";
import { withoutRaw } from "./require-prepared";
import { digestSigned, hasUnsent } from "./unsent";

type Consolidation = typeof consolidations.$inferSelect;

/** Follows the open consolidation of a chain, or starts one if a single payment can send less than half of our funds. */
export async function consolidateFunds(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  await withoutDelay(ctx, asset, async () => {
    const open = await getOpen(ctx, asset);
    if (open) await followConsolidation(ctx, open);
    else if (await isFragmented(ctx, asset)) await startConsolidation(ctx, asset);
  });
}

/** Starts a consolidation for a payment that would have to spend too many outputs, unless one is open. */
export async function consolidateForPayment(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  await withoutDelay(ctx, asset, async () => {
    if (!(await getOpen(ctx, asset))) await startConsolidation(ctx, asset);
  });
}

/** Logs a failure instead of throwing it, so that it does not delay payments. */
async function withoutDelay(ctx: RunningContext, asset: AssetSymbol, consolidate: () => Promise<void>): Promise<void> {
  try {
    await consolidate();
  } catch (error) {
    ctx.log.error({ asset, error: describeError(error) }, "the wallet's funds could not be merged");
  }
}

/**
 * Builds, stores and sends a consolidation. Only the stored bytes are ever sent. Waits while a payment is prepared but
 * not sent, because both could spend the same outputs.
 */
async function startConsolidation(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  if ((await getSwitchedOff(ctx.db)).payments || (await hasUnsent(ctx.db, ctx, asset))) return;
  const signed = await digestSigned(ctx.db, asset);
  const prepared = await ctx.chains[asset].prepareConsolidation();
  if (!prepared) return;
  const stored = await ctx.db.transaction((tx) => store(tx, ctx, { asset, prepared, signed }));
  if (!stored) return;
  ctx.log.info({ asset, consolidation: stored.id, hash: stored.hash }, "merging the outputs of the wallet");
  await send(ctx, stored);
}

/**
 * Stores a consolidation, or drops it, unsent, if another process has built something in the meantime.
 */
async function store(
  tx: Database,
  ctx: RunningContext,
  { asset, prepared, signed }: { asset: AssetSymbol; prepared: PreparedPayment; signed: string },
): Promise<Consolidation | null> {
  await lockFor(tx, `signer:${ctx.chains[asset].signer}`);
  await lockSwitches(tx);
  if ((await getSwitchedOff(tx)).payments) return null;
  if ((await hasUnsent(tx, ctx, asset)) || (await digestSigned(tx, asset)) !== signed) return null;
  const at = await ctx.clock.now(tx);
  const [stored] = await tx
    .insert(consolidations)
    .values({
      id: newId(),
      asset,
      status: "prepared",
      amount: BigInt(prepared.amount),
      networkFee: BigInt(prepared.networkFee),
      hash: prepared.hash,
      prepared,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning();
  return stored ?? null;
}

async function followConsolidation(ctx: RunningContext, open: Consolidation): Promise<void> {
  const { kind } = await ctx.chains[open.asset].getPaymentState(open.prepared);
  if (kind === "in_block") return book(ctx, open);
  if (kind === "unknown") return send(ctx, open);
  await setStatus(ctx, open, "failed");
}

async function send(ctx: RunningContext, open: Consolidation): Promise<void> {
  await ctx.chains[open.asset].broadcast(open.prepared);
  await setStatus(ctx, open, "sent");
}

async function setStatus(ctx: ExchangeContext, open: Consolidation, status: "sent" | "failed"): Promise<void> {
  await ctx.db
    .update(consolidations)
    .set({ status, updatedAt: await ctx.clock.now(ctx.db) })
    .where(and(eq(consolidations.id, open.id), eq(consolidations.status, open.status)));
}

/** Only the network fee leaves our wallet. */
async function book(ctx: ExchangeContext, { id, asset, networkFee }: Consolidation): Promise<void> {
  try {
    await bookConsolidation(ctx, { id, asset, networkFee });
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    const at = await ctx.clock.now(ctx.db);
    const reason = `The outputs are merged, but the network fee cannot be booked: ${error.message}.`;
    await raiseAlert(ctx.db, ctx, { subject: `consolidation:${asset}`, reason, action: addFunds, at });
  }
}

async function bookConsolidation(
  ctx: ExchangeContext,
  { id, asset, networkFee }: Pick<Consolidation, "id" | "asset" | "networkFee">,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const at = await ctx.clock.now(tx);
    const confirmed = await tx
      .update(consolidations)
      .set({ status: "confirmed", prepared: withoutRaw(consolidations.prepared), updatedAt: at })
      .where(and(eq(consolidations.id, id), isOpenConsolidation))
      .returning({ id: consolidations.id });
    if (confirmed.length === 0) return;
    await bookNetworkFee(tx, { asset, amount: networkFee, orderId: null, at });
    await clearAlert(tx, `consolidation:${asset}`);
  });
}

async function getOpen(ctx: ExchangeContext, asset: AssetSymbol): Promise<Consolidation | null> {
  const [open] = await ctx.db
    .select()
    .from(consolidations)
    .where(and(eq(consolidations.asset, asset), isOpenConsolidation));
  return open ?? null;
}

async function isFragmented(ctx: ExchangeContext, asset: AssetSymbol): Promise<boolean> {
  const chain = await getChainState(ctx.db, asset);
  if (!chain || chain.spendable === null || chain.maxPayment === null) return false;
  return chain.maxPayment * 2n < chain.spendable;
}
