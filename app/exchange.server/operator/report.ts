import { asc, eq, inArray } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import { joinSentences } from "../../lib/join-sentences";
import { formatAmount } from "../../lib/money";
import { toOrderNumber } from "../../lib/order-number";
import { openStatuses } from "../../lib/order-states";
import { listAlerts } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { kycApplications } from "../db/schema/kyc";
import { outbox } from "../db/schema/mail";
import { orders } from "../db/schema/orders";
import { listOpenRescans } from "../deposits/rescan";
import { getBalance, treasury } from "../ledger/ledger";
import { toFundingPath } from "../orders/funding-path";
import { listSetAside } from "../orders/payouts-and-refunds/set-aside";
import { countOpenPayments, type OpenPaymentCounts } from "../payments/count-open-payments";
import { listCandidates } from "../payments/history/unknown-payments";
import type { listReserveChecks } from "../payments/reserves/check-reserves";
import { listCollectable } from "../payments/reserves/uncollected";
import { readMarket } from "../pricing/market";
import { describeOutage } from "../pricing/outage";
import { getOffReason } from "../switches/switches";
import { readEarnedFees } from "./earned-fees";

type SwitchStatus = { on: boolean; reason: string | null };

/** What `operate status` prints. Amounts are decimal strings, times ISO 8601. */
export type OperatorStatus = {
  swaps: SwitchStatus;
  payments: SwitchStatus;
  house: Record<AssetSymbol, string>;
  /**
   * Why commands are refused: the settings differ from the site's. Null if they do not, as far as the database shows.
   */
  settings: string | null;
  /** Settings that may be a costly mistake, as sentences. */
  risks: readonly string[];
  /** What is stopping new swaps, other than the switches, and what to do about it. Null if nothing is. */
  outage: string | null;
  /** Open payments of each asset. The name is part of `operate status --json`, which programs read. */
  underWay: OpenPaymentCounts[];
  /** Fees earned, and how much of them can be moved to the treasury. */
  fees: Record<AssetSymbol, { earned: string; final: string }>;
  rescans: { asset: AssetSymbol; from: number; to: number; next: number }[];
  /** The amounts that are too small to refund. */
  setAside: { asset: AssetSymbol; amount: string; orders: number }[];
  waiting: {
    subject: string;
    order: string | null;
    /** The order's number, as its owner sees it. */
    number: string | null;
    /** What has happened. */
    reason: string;
    /** What the operator does about it. */
    action: string;
    since: string;
    retryAt: string | null;
  }[];
  /**
   * Orders on hold, starting with the hold that ends next. The name is part of `operate status --json`, which programs
   * read.
   */
  held: { order: string; number: string; reason: string; deadline: string }[];
  /** Some procedures in docs/operating.md wait until a count is 0. */
  counts: { openOrders: number; pendingApplications: number; queuedEmails: number };
};

/**
 * What we owe in an asset according to the books, and what we own according to its chain. Amounts are decimal strings.
 */
export type ReserveReport = {
  asset: AssetSymbol;
  /** Both sides are as they were after this block. */
  block: number;
  owed: string;
  owned: string;
  wallet: string;
  fundingAddresses: string;
  /** Deposits that are seen and not credited yet: `owned` includes them, and `owed` does not. */
  uncredited: string;
  /** `owned` less `owed`. */
  difference: string;
  isShort: boolean;
  checkedAt: string;
  /** Whether the check is recent: the exchange makes one every ten seconds. */
  isRecent: boolean;
};

/** What a funding address holds according to the books, until the address is known to be collected. */
type DepositReport = {
  address: string;
  /** The BIP-32 path of its key below the seed of ETH_XPUB. */
  path: string;
  /** In USDT. */
  amount: string;
  order: string;
  /** The order's number, as its owner sees it. */
  number: string;
};

/** Reads what an operator can collect from funding addresses. */
export async function readDeposits(db: Database): Promise<DepositReport[]> {
  return (await listCollectable(db)).map(({ orderId: order, quoteId, address, fundingIndex, amount }) => ({
    address,
    path: toFundingPath(fundingIndex),
    amount: formatAmount(amount, "USDT"),
    order,
    number: toOrderNumber(quoteId),
  }));
}

/** If the last check of the reserves is older, the exchange or a chain is down. */
const recentMs = minuteMs;

/** How many of the orders that an unknown payment may be for are listed. */
const maxCandidates = 5;

/** Which orders an unknown payment may be for, as a sentence; empty for any other alert. */
function describeCandidates(subject: string, all: Awaited<ReturnType<typeof listCandidates>>): string {
  const candidates = all.filter(({ hash }) => subject === `unknown:${hash}`);
  if (candidates.length === 0) return "";
  const named = candidates
    .slice(0, maxCandidates)
    .map(({ id, quoteId, status }) => `${toOrderNumber(quoteId)} (${id}, ${status})`);
  const more = candidates.length > named.length ? ` and ${candidates.length - named.length} more` : "";
  return `It may be for an order of that address: ${named.join(", ")}${more}.`;
}

/** The alerts, with the numbers of their orders. */
async function listNumberedAlerts(db: Database) {
  const candidates = await listCandidates(db);
  const alerts = (await listAlerts(db)).map((alert) => ({
    ...alert,
    reason: joinSentences(alert.reason, describeCandidates(alert.subject, candidates)),
  }));
  const ids = alerts.flatMap(({ orderId }) => orderId ?? []);
  const rows = await db.select({ id: orders.id, quoteId: orders.quoteId }).from(orders).where(inArray(orders.id, ids));
  const numbers = new Map(rows.map(({ id, quoteId }) => [id, toOrderNumber(quoteId)]));
  return alerts.map((alert) => ({ ...alert, number: numbers.get(alert.orderId ?? "") ?? null }));
}

/** Reads the switches, what the treasury holds, and what waits for an operator. */
export async function readStatus(ctx: ExchangeContext): Promise<Omit<OperatorStatus, "settings" | "risks">> {
  const { db } = ctx;
  const toSwitch = (reason: string | null) => ({ on: reason === null, reason });
  const toTreasury = async (asset: AssetSymbol) => formatAmount(await getBalance(db, asset, treasury), asset);
  const toFees = async (asset: AssetSymbol) => {
    const { all, final } = await readEarnedFees(db, asset);
    return { earned: formatAmount(all, asset), final: formatAmount(final, asset) };
  };
  const rescanned = await listOpenRescans(db);
  const setAside = await listSetAside(db);
  const alerts = await listNumberedAlerts(db);
  const outage = describeOutage(ctx, await readMarket(db), await ctx.clock.now(db));
  return {
    swaps: toSwitch(await getOffReason(db, "swaps")),
    payments: toSwitch(await getOffReason(db, "payments")),
    house: { USDT: await toTreasury("USDT"), MOB: await toTreasury("MOB") },
    outage: outage && joinSentences(outage.reason, outage.action),
    underWay: await countOpenPayments(db),
    fees: { USDT: await toFees("USDT"), MOB: await toFees("MOB") },
    rescans: rescanned.map(({ asset, fromBlock: from, toBlock: to, nextBlock: next }) => ({ asset, from, to, next })),
    setAside: setAside.map(({ asset, amount, orders }) => ({ asset, amount: formatAmount(amount, asset), orders })),
    waiting: alerts.map(({ subject, orderId: order, number, reason, action, since, retryAt }) => ({
      subject,
      order,
      number,
      reason,
      action,
      since: since.toISOString(),
      retryAt: retryAt?.toISOString() ?? null,
    })),
    held: await listOnHold(db),
    counts: {
      openOrders: await db.$count(orders, inArray(orders.status, openStatuses)),
      pendingApplications: await db.$count(kycApplications, eq(kycApplications.status, "pending")),
      queuedEmails: await db.$count(outbox),
    },
  };
}

async function listOnHold(db: Database): Promise<OperatorStatus["held"]> {
  const rows = await db.select().from(orders).where(eq(orders.status, "on_hold")).orderBy(asc(orders.holdDeadline));
  return rows.map(({ id, quoteId, holdReason, holdDeadline }) => ({
    order: id,
    number: toOrderNumber(quoteId),
    reason: holdReason ?? "",
    deadline: holdDeadline?.toISOString() ?? "",
  }));
}

export function toReserveReport(now: Date) {
  return (check: Awaited<ReturnType<typeof listReserveChecks>>[number]): ReserveReport => {
    const { asset, height, owed, uncredited, inWallet, uncollected, checkedAt, shortSince } = check;
    const format = (amount: bigint) => formatAmount(amount, asset);
    const owned = inWallet + uncollected;
    return {
      asset,
      block: height,
      owed: format(owed),
      owned: format(owned),
      wallet: format(inWallet),
      fundingAddresses: format(uncollected),
      uncredited: format(uncredited),
      difference: format(owned - owed),
      isShort: owned < owed || shortSince !== null,
      checkedAt: checkedAt.toISOString(),
      isRecent: now.getTime() - checkedAt.getTime() < recentMs,
    };
  };
}
