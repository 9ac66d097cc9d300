import { type AssetSymbol, assetSymbols, assets } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import type { PauseReason } from "../../lib/pause-reasons";
import type { ExchangeContext } from "../context";
import { type ChainState, getChainState } from "../db/chain-state";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { getSwitchedOff } from "../switches/switches";
import { getKnownMarket, getMarket, type Market } from "./market";
import { isWalletKnown } from "./payment-costs";
import { isRecent } from "./rates";

/** A chain that has not been checked successfully for this long counts as unreachable. */
const staleMs = 30_000;

/**
 * The reason code of `/api/status` if switches, jobs or chains stop new swaps, else null. Does not look at the rate.
 * Orders that exist are paid out and refunded either way, unless payments are off or the chain prevents it.
 */
export function getOperationalPauseReason(ctx: ExchangeContext, market: Market, now: Date): PauseReason | null {
  const switchedOff = toSwitchPauseReason(market.switchedOff);
  if (switchedOff !== null) return switchedOff;
  if (isUnattended(market, now)) return "not_running";
  for (const asset of assetSymbols) {
    const state = market.chains[asset];
    const { network } = assets[asset];
    if (!state || !isInSync(state, now) || !isFresh(state.walletCheckedAt, now)) return `${network}_out_of_reach`;
    if (isDatabaseClockWrong(ctx, state, now)) return "clocks_differ";
    if (state.paymentBlockReason !== null) return `${network}_payments_blocked`;
  }
  return null;
}

/** The reason code of `/api/status` if anything stops new swaps, a missing rate included; else null. */
export function getPauseReason(ctx: ExchangeContext, market: Market, now: Date): PauseReason | null {
  const stopped = getOperationalPauseReason(ctx, market, now);
  if (stopped !== null) return stopped;
  const { rate } = market;
  return rate !== null && isRecent(ctx, rate, now) ? null : "rate_unknown";
}

/** Whether the chain's node was in sync when it was last checked, and whether that check is recent. */
export function isInSync({ synced, checkedAt }: { synced: boolean; checkedAt: Date | null }, now: Date): boolean {
  return synced && isFresh(checkedAt, now);
}

function isFresh(at: Date | null, now: Date): boolean {
  // A time in the future is stale too: the database's clock was ahead when it was stored.
  return at !== null && Math.abs(now.getTime() - at.getTime()) < staleMs;
}

/**
 * How much the database's clock may differ from the chain's and from this process's. Less than the time by which a
 * transfer may be older than its order, and no more than the grace period: otherwise, deposits made in time would not
 * be credited, or would count as late.
 */
const maxClockDifferenceMs = 2 * minuteMs;

/**
 * Whether the database's clock is wrong, according to the newest block of a chain in sync. A real chain has no blocks
 * from the future, so the database is behind if one is later, even if this process uses the same clock. An earlier block
 * may be old, and a sandbox that mines several blocks a second is ahead of every clock: then this process's clock has to
 * disagree with the database's as well. On MobileCoin, whose blocks have no times, a scan is dated by the database.
 */
function isDatabaseClockWrong({ config }: ExchangeContext, chain: ChainState, now: Date): boolean {
  const { checkedAt, scannedThrough } = chain;
  if (checkedAt === null || scannedThrough === null) return false;
  const aheadOfChain = checkedAt.getTime() - scannedThrough.getTime();
  const aheadOfProcess = now.getTime() - Date.now();
  const isApart = (ms: number) => Math.abs(ms) > maxClockDifferenceMs;
  if (config.mode === "live" && isApart(aheadOfChain) && aheadOfChain < 0) return true;
  return isApart(aheadOfChain) && isApart(aheadOfProcess) && aheadOfChain > 0 === aheadOfProcess > 0;
}

/** Whether the jobs are not running: neither chain was checked recently, successfully or not. */
function isUnattended({ chains }: Market, now: Date): boolean {
  return Object.values(chains).every(
    (state) =>
      state === null || ![state.checkedAt, state.walletCheckedAt, state.failedAt].some((at) => isFresh(at, now)),
  );
}

/**
 * Why no new price can be promised for money that has already arrived, by the codes of `/api/status`; else null. The
 * payout would be made in `target`. Less strict than for new swaps, because an order is waiting for its decision: if a
 * chain is unreachable for a minute, the payout is delayed, but the price does not get worse. But customers must not
 * give up a refund that we can pay for a payout that we can't.
 */
export async function getOfferPauseReason(
  db: Database,
  { target, at }: { target: AssetSymbol; at: Date },
): Promise<PauseReason | null> {
  const switchedOff = toSwitchPauseReason(await getSwitchedOff(db));
  if (switchedOff !== null) return switchedOff;
  const chain = await getChainState(db, target);
  const { network } = assets[target];
  if (!chain || !isWalletKnown(chain, at)) return `${network}_out_of_reach`;
  return chain.paymentBlockReason === null ? null : `${network}_payments_blocked`;
}

function toSwitchPauseReason({ swaps, payments }: Market["switchedOff"]): PauseReason | null {
  if (swaps) return "stopped_by_operator";
  return payments ? "payments_halted" : null;
}

/**
 * Throws while no new price can be promised for money that has already arrived: see `getOfferPauseReason`.
 * @throws swaps_stopped (503), with the reason code
 */
export async function requireOffersPossible(db: Database, payout: { target: AssetSymbol; at: Date }): Promise<void> {
  const reason = await getOfferPauseReason(db, payout);
  if (reason !== null) throw new ExchangeError("swaps_stopped", { retryAfterSeconds: 30, extra: { reason } });
}

/** Throws when new quotes are not accepted. @throws swaps_stopped (503), with the reason code */
export function requireQuotesAccepted(ctx: ExchangeContext, market: Market, now: Date): void {
  const reason = getOperationalPauseReason(ctx, market, now);
  if (reason !== null) throw new ExchangeError("swaps_stopped", { retryAfterSeconds: 30, extra: { reason } });
}

/**
 * Throws when new locks are not accepted. `stamp` is the market's stamp, as `db` has just read it. If it equals the
 * stamp of the market that this process read last, only the times of the latest checks can have changed, and only to
 * more recent ones. Then the known market is used if its times are recent enough. Otherwise the market is read again.
 * @throws swaps_stopped (503), with the reason code
 */
export async function requireLocksAccepted(
  db: Database,
  ctx: ExchangeContext,
  { stamp, now }: { stamp: string; now: Date },
): Promise<void> {
  const known = getKnownMarket(ctx);
  if (known?.stamp === stamp && getOperationalPauseReason(ctx, known, now) === null) return;
  requireQuotesAccepted(ctx, await getMarket(ctx, db), now);
}
