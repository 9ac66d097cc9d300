import { and, count, desc, eq, isNotNull } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { clearAlert, raiseAlert } from "../../alerts/alerts";
import { trackProblems } from "../../alerts/track-problems";
import type { OutgoingPayments } from "../../chains/gateway";
import type { ExchangeContext, RunningContext } from "../../context";
import { chainStates } from "../../db/schema/chains";
import { walletHistories } from "../../db/schema/history";
import { orders } from "../../db/schema/orders";
import { payments } from "../../db/schema/payments";
import { toFirstLine } from "../../describe-error";
import { checkNodes } from "../../operator-advice";
import { perContext } from "../../per-context";
import { chooseNonce, storeBaseline } from "../nonce";
import { readDatabaseId, readLastFundingIndex, skipFundingIndexes, skipFundingIndexesThrough } from "./funding-indexes";
import { parkPossibleDuplicates, releaseNotPaid, resolveKnown } from "./possible-duplicates";
import { recordUnknown } from "./record-unknown";
import { stopAndSkipIndexes, stopForNonce, stopped, stopSwapsAndPayments } from "./stop";

/** Blocks that are compared again: a payment may move to another block in a reorg. */
const overlap = 64;
/** How many blocks are compared again at a start: by then, the nodes may know more about older payments than before. */
const thoroughOverlap = 5_000;
/**
 * An operator is alerted if the comparison is this many blocks behind the newest one: a quarter of an hour on Ethereum.
 */
const alertBehind = 64;

/**
 * Compares our payments on the chain and in the wallet with this database. If the database does not have all of them, a
 * backup was restored or someone else uses our wallet: payments and new swaps stop, and an alert tells the operator
 * what to do. Runs before the first payment of every start, and then as a job.
 *
 * @returns the last block compared, and whether it is the newest one
 */
export async function checkHistory(
  ctx: RunningContext,
  asset: AssetSymbol,
  options: { isThorough: boolean },
): Promise<Compared> {
  try {
    const compared = await compareHistory(ctx, asset, options);
    failures.end(ctx, asset);
    return compared;
  } catch (error) {
    // If the database is unreachable, nothing can be reported, and this error gives the reason.
    await reportFailure(ctx, asset, error).catch(() => undefined);
    throw error;
  }
}

type Compared = { through: number; isComplete: boolean };

/** Failed comparisons. */
const failures = trackProblems<AssetSymbol>();

/** Alerts an operator if the comparison keeps failing for a long time, because payments of MOB wait for it. */
async function reportFailure(ctx: ExchangeContext, asset: AssetSymbol, error: unknown): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  if (failures.note(ctx, asset, at) === null) return;
  const reason = `What our ${asset} wallet has paid cannot be compared with this database (${toFirstLine(error)}). We keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject: `history:${asset}`, reason, action: checkNodes(asset), at });
}

async function compareHistory(
  ctx: RunningContext,
  asset: AssetSymbol,
  options: { isThorough: boolean },
): Promise<Compared> {
  const isThorough = options.isThorough || unfinished(ctx).has(asset);
  const [history] = await ctx.db.select().from(walletHistories).where(eq(walletHistories.asset, asset));
  if (!history) return { through: await startHistory(ctx, asset), isComplete: true };
  if (isThorough) await checkFundingIndexes(ctx, asset);
  await checkNonce(ctx, asset);
  const reread = isThorough ? thoroughOverlap : overlap;
  const first = Math.max(history.baseline + 1, history.readThrough + 1 - reread);
  const end = await readHistory(ctx, asset, first, { isThorough });
  await resolveKnown(ctx, asset);
  await releaseNotPaid(ctx, asset);
  await parkPossibleDuplicates(ctx, asset);
  await reportUnread(ctx, asset, end);
  const isComplete = end.through === end.head;
  if (isThorough && isComplete) unfinished(ctx).delete(asset);
  if (isThorough && !isComplete) unfinished(ctx).add(asset);
  return { through: end.through, isComplete };
}

/**
 * The assets whose thorough comparison could not be completed since the start, because the wallet is not in sync or
 * too few nodes agree. It is repeated until it is complete.
 */
const unfinished = perContext(() => new Set<AssetSymbol>());

type ReadEnd = Pick<OutgoingPayments, "through" | "head">;

/** Compares all payments from a block on, as far as they can be read. */
async function readHistory(
  ctx: RunningContext,
  asset: AssetSymbol,
  first: number,
  options: { isThorough: boolean },
): Promise<ReadEnd> {
  for (let from = first; ; ) {
    const read = await ctx.chains[asset].listOutgoing({ from, ...options });
    await recordUnknown(ctx, asset, read);
    if (read.through < from || read.through >= read.head) return read;
    from = read.through + 1;
  }
}

/** Alerts an operator while payments may be in blocks that cannot be compared. */
async function reportUnread(ctx: ExchangeContext, asset: AssetSymbol, { through, head }: ReadEnd): Promise<void> {
  const subject = `history:${asset}` as const;
  if (through === head) await clearAlert(ctx.db, subject);
  if (head - through <= alertBehind) return;
  const cause = asset === "MOB" ? "the wallet has not read those blocks yet" : "too few nodes agree on those blocks";
  const reason = `What our ${asset} wallet has paid after block ${through} cannot be compared with this database, because ${cause}. We keep trying.`;
  const at = await ctx.clock.now(ctx.db);
  await raiseAlert(ctx.db, ctx, { subject, reason, action: checkNodes(asset), at });
}

/**
 * At the first start with this wallet, its earlier payments are not compared. Returns the last block before the start.
 */
async function startHistory(ctx: RunningContext, asset: AssetSymbol): Promise<number> {
  const { through } = await ctx.chains[asset].listOutgoing({ from: null, isThorough: false });
  const nonce = await ctx.chains[asset].getNextNonce();
  const newestIndex = await ctx.chains[asset].getNewestFundingIndex();
  const { id: databaseId } = await readDatabaseId(ctx.db);
  await ctx.db.transaction(async (tx) => {
    if (newestIndex !== null) await skipFundingIndexesThrough(tx, newestIndex);
    await tx
      .insert(walletHistories)
      .values({ asset, baseline: through, readThrough: through, databaseId })
      .onConflictDoNothing();
    const [paid] = await tx
      .select({ count: count() })
      .from(payments)
      .where(and(eq(payments.asset, asset), isNotNull(payments.nonce)));
    if (nonce === null || (paid?.count ?? 0) > 0) return;
    await tx.insert(chainStates).values({ asset }).onConflictDoNothing();
    await storeBaseline(tx, asset, nonce);
  });
  return through;
}

/**
 * Stops if the wallet has given an address to a funding index that this database never gave out, because then a backup
 * was restored, or if the wallet has forgotten the address of our newest order.
 */
async function checkFundingIndexes(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  // In this order, because an index is first taken, then given an address, and only then an order.
  const [order] = await ctx.db
    .select({ index: orders.fundingIndex, address: orders.fundingAddress })
    .from(orders)
    .where(eq(orders.sourceAsset, asset))
    .orderBy(desc(orders.fundingIndex))
    .limit(1);
  const cause = `funding-indexes:${asset}`;
  if (order && !(await ctx.chains[asset].knowsFundingAddress(order.address))) {
    const reason = `Our ${asset} wallet does not know the address of funding index ${order.index}, which belongs to an order. If you have changed the account on purpose, follow "Change the MobileCoin account" in docs/operating.md. If not: was the wallet restored? It does not see deposits to addresses that it does not know. Restore a newer copy of the wallet's database, or assign its addresses again. Then run "operate rescan FROM TO ${asset}" from the first block that the wallet may have missed, ${resumeAfter(cause)}.`;
    return stopAndSkipIndexes(ctx, { cause, reason });
  }
  const newest = await ctx.chains[asset].getNewestFundingIndex();
  if (newest === null || newest <= (await readLastFundingIndex(ctx.db))) return;
  const reason = `Our ${asset} wallet has assigned an address to funding index ${newest}, which this database has not given out yet. Was a backup restored? Customers of orders that are missing from this database may still pay; "operate reserves" shows what was received for them. Then run ${resumeAfter(cause)}.`;
  const at = await ctx.clock.now(ctx.db);
  await ctx.db.transaction(async (tx) => {
    await stopSwapsAndPayments(tx, { cause, reason, at });
    await skipFundingIndexes(tx, at);
    await skipFundingIndexesThrough(tx, newest);
  });
  ctx.log.fatal({ reason }, stopped);
}

/** Names the cause, because the commands would be refused without it if there are other causes by then. */
const resumeAfter = (cause: string): string => `"operate on payments ${cause}" and "operate on swaps ${cause}"`;

async function checkNonce(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  // Read before the stored nonces: every nonce that the chain knows was stored before it was sent.
  const onChain = await ctx.chains[asset].getNextNonce();
  if ((await chooseNonce(ctx.db, ctx, asset, onChain)) === "unexpected") await stopForNonce(ctx, asset, onChain);
}
