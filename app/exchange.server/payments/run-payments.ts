import { sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { RunningContext } from "../context";
import { type Database, queryRows } from "../db/database";
import { consolidations, isOpenConsolidation, isOpenPayment, payments } from "../db/schema/payments";
import { consolidateFunds } from "./consolidate";
import { prepareNext } from "./preparing/prepare";
import { broadcastPrepared } from "./sending/broadcast";
import { followConfirmed } from "./sending/follow-confirmed";
import { followSent } from "./sending/follow-sent";

/** Payments prepared per run; the next run continues. */
const maxPerRun = 25;
/** Preparations that may fail per run, so that an unreachable node does not delay the run. */
const maxFailuresPerRun = 5;

/**
 * Moves every outgoing payment of a chain one step forward: planned → prepared → sent → confirmed, and follows
 * confirmed ones until they are settled. Safe to run concurrently and to be killed at any point: the signed bytes are
 * committed before they are sent, only those bytes are ever sent, and a payment with an unknown outcome is never
 * replaced by a new one.
 */
export async function runPayments(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  await broadcastPrepared(ctx, asset);
  await followSent(ctx, asset);
  await consolidateFunds(ctx, asset);
  try {
    await prepareDue(ctx, asset);
  } finally {
    // Runs even if too few nodes respond to prepare a payment, because a payment that has left the chain has to be sent
    // again.
    await followConfirmed(ctx, asset);
  }
}

async function prepareDue(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  for (let count = 0, failures = 0; count < maxPerRun && failures < maxFailuresPerRun; count += 1) {
    const outcome = await prepareNext(ctx, asset);
    if (outcome === "none") return;
    if (outcome === "prepared") await broadcastPrepared(ctx, asset);
    else failures += 1;
  }
}

/** Whether a payment or a consolidation of the chain is open, or a confirmed payment is not settled yet. */
export async function hasPaymentWork(db: Database, asset: AssetSymbol): Promise<boolean> {
  const [row] = await queryRows<{ found: boolean }>(
    db,
    sql`select exists (select from ${payments} where asset = ${asset} and ${isOpenPayment})
            or exists (select from ${payments} where asset = ${asset} and status = 'confirmed' and settled_at is null)
            or exists (select from ${consolidations} where asset = ${asset} and ${isOpenConsolidation}) as found`,
  );
  return row?.found === true;
}
