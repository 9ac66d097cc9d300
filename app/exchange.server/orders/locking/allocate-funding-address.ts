import { and, eq, sql } from "drizzle-orm";
import { type AssetSymbol, assets } from "../../../lib/assets";
import type { PauseReason } from "../../../lib/pause-reasons";
import type { ExchangeContext, RunningContext } from "../../context";
import { queryRows } from "../../db/database";
import { orders } from "../../db/schema/orders";
import type { QuoteRow } from "../../db/schema/quotes";
import { describeError } from "../../describe-error";
import { ExchangeError } from "../../errors";
import { newId } from "../../ids";

/** Used addresses that one lock skips; the next lock continues. */
const maxTries = 20;

/** What a new order gets before it is created: its id and its funding address. */
export type Allocation = { id: string; fundingIndex: number; fundingAddress: string };

/**
 * Takes an unused funding address, with an id and a funding index for the new order of this quote. If the call is
 * repeated for the same quote, because the wallet's response was lost or the lock was refused, MobileCoin returns the
 * same address and index. Skips addresses that the chain or the wallet has seen: after a restored backup, the database
 * does not know the orders that they belong to.
 * @throws swaps_stopped if the chain or the wallet is unreachable
 */
export async function allocateFundingAddress(
  ctx: RunningContext,
  { id: quoteId, sourceAsset: asset }: Pick<QuoteRow, "id" | "sourceAsset">,
): Promise<Allocation> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const reference = tries === 0 ? `quote ${quoteId}` : `quote ${quoteId} try ${tries + 1}`;
    const { address, index, isUsed } = await assign(ctx, asset, { reference, index: await nextFundingIndex(ctx) });
    if (!isUsed && !(await isTaken(ctx, asset, address))) {
      return { id: newId(), fundingIndex: index, fundingAddress: address };
    }
    ctx.log.error(
      { asset, fundingIndex: index, address },
      "a funding address was used before this order and is skipped",
    );
  }
  throw toUnreachableError(asset);
}

async function assign(ctx: RunningContext, asset: AssetSymbol, order: { reference: string; index: number }) {
  try {
    return await ctx.chains[asset].assignFundingAddress(order);
  } catch (error) {
    ctx.log.warn({ asset, error: describeError(error) }, "no funding address could be assigned");
    throw toUnreachableError(asset, error);
  }
}

/** The same error as when an outage has lasted long enough to stop all swaps. */
function toUnreachableError(asset: AssetSymbol, cause?: unknown): ExchangeError {
  const reason: PauseReason = `${assets[asset].network}_out_of_reach`;
  return new ExchangeError("swaps_stopped", { retryAfterSeconds: 30, extra: { reason }, cause });
}

async function isTaken(ctx: ExchangeContext, asset: AssetSymbol, address: string): Promise<boolean> {
  const [order] = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.sourceAsset, asset), eq(orders.fundingAddress, address)));
  return order !== undefined;
}

async function nextFundingIndex(ctx: ExchangeContext): Promise<number> {
  const [row] = await queryRows<{ index: string }>(ctx.db, sql`select nextval('orders_number_seq')::text as index`);
  return Number(row?.index);
}
