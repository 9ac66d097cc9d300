import { type AssetSymbol, assetSymbols, assets } from "../../lib/assets";
import { hourMs, minuteMs } from "../../lib/durations";
import { purgeExpired } from "../accounts/purge-expired";
import type { RunningContext } from "../context";
import type { NotificationTopic } from "../db/notifications";
import { hasQueued } from "../db/queue";
import { outbox } from "../db/schema/mail";
import { pushMessages } from "../db/schema/push";
import { hasScanWork } from "../deposits/quiet-scans";
import { scanChain } from "../deposits/scan";
import { followApplications, hasKycWork } from "../kyc/follow-applications";
import { purgeWebhookEvents } from "../kyc/webhook";
import { startSending } from "../mail/outbox";
import { applyDeadlines } from "../orders/deadlines";
import { refundSetAside } from "../orders/payouts-and-refunds/refund-set-aside";
import { checkWallet } from "../payments/check-wallet";
import { checkHistory } from "../payments/history/check-history";
import { endIdleWaits } from "../payments/preparing/preparation-failure";
import { checkReserves } from "../payments/reserves/check-reserves";
import { hasPaymentWork, runPayments } from "../payments/run-payments";
import { eraseLeftovers } from "../personal-data/delete-account";
import { purgeRetainedRecords } from "../personal-data/retained-records";
import { hasDuePriceAlerts, sendPriceAlerts } from "../price-alerts/price-alerts";
import { recordAcceptance } from "../pricing/interruptions";
import { purgeQuotes } from "../pricing/quotes";
import { purgeOldRates, refreshRate } from "../pricing/rates";
import { startPushing } from "../push/messages";
import { remindOperator } from "./remind-operator";
import { repeatAlerts } from "./repeat-alerts";
import { createBooksJob } from "./watch-books";
import { watchCodes } from "./watch-codes";
import { createEtherWatch } from "./watch-ether";
import { watchFunds } from "./watch-funds";

export type Job = {
  name: string;
  /** From the start of one run to the start of the next. After a longer run the next starts immediately. */
  everyMs: number;
  /** Must be safe to run concurrently and to be killed at any point. */
  run(): Promise<void>;
  /** The notification that announces work; the job then runs at once. */
  wakeOn?: NotificationTopic;
  /** Whether there is work for the next run. If not, the job waits for a notification. */
  hasWork?(): Promise<boolean>;
  /** How long a job without work waits before it runs again, in case a notification was lost. Default: 30 seconds. */
  idleMs?: number;
  /** Whether the job ignores notifications and keeps to its interval while it has work. For frequent notifications. */
  wakesFromIdleOnly?: boolean;
};

/** The exchange's background jobs. */
export function createJobs(ctx: RunningContext): Job[] {
  const { config } = ctx;
  const watchEther = createEtherWatch(ctx);
  return [
    createScan(ctx, "scan-ethereum", "USDT", config.scanEthereumMs),
    createScan(ctx, "scan-mobilecoin", "MOB", config.scanMobilecoinMs),
    // Payouts, then refunds of a chain, oldest first.
    {
      name: "pay-ethereum",
      everyMs: config.scanEthereumMs,
      run: () => runPayments(ctx, "USDT"),
      wakeOn: "payments",
      hasWork: () => hasPaymentWork(ctx.db, "USDT"),
    },
    {
      name: "pay-mobilecoin",
      everyMs: config.scanMobilecoinMs,
      run: () => runPayments(ctx, "MOB"),
      wakeOn: "payments",
      hasWork: () => hasPaymentWork(ctx.db, "MOB"),
    },
    ...forEachChain("check-wallet", 5_000, async (asset) => watchEther(await checkWallet(ctx, asset))),
    {
      name: "deadlines",
      everyMs: 5_000,
      run: async () => {
        // Whatever moves money comes first: the record of interruptions is only for the status page.
        await applyDeadlines(ctx);
        await recordAcceptance(ctx);
      },
    },
    {
      name: "refund-set-aside",
      everyMs: 5 * minuteMs,
      run: () => refundSetAside(ctx),
    },
    {
      name: "refresh-rate",
      everyMs: config.rateRefreshMs,
      run: () => refreshRate(ctx),
    },
    // This is a separate job, so that many alerts do not delay the next rate.
    {
      name: "send-price-alerts",
      everyMs: 1_000,
      run: () => sendPriceAlerts(ctx),
      wakeOn: "rate",
      hasWork: () => hasDuePriceAlerts(ctx),
    },
    {
      name: "send-mail",
      everyMs: 1_000,
      run: () => startSending(ctx),
      wakeOn: "mail",
      hasWork: () => hasQueued(ctx.db, outbox),
    },
    {
      name: "send-pushes",
      everyMs: 1_000,
      run: () => startPushing(ctx),
      wakeOn: "push",
      hasWork: () => hasQueued(ctx.db, pushMessages),
    },
    {
      name: "review-kyc",
      everyMs: 1_000,
      run: () => followApplications(ctx),
      wakeOn: "kyc",
      hasWork: () => hasKycWork(ctx),
    },
    {
      name: "purge-expired",
      everyMs: minuteMs,
      run: async () => {
        await purgeExpired(ctx);
        const now = await ctx.clock.now(ctx.db);
        await purgeOldRates(ctx, now);
        await purgeQuotes(ctx.db, now);
        await purgeWebhookEvents(ctx.db, now);
      },
    },
    {
      name: "purge-records",
      everyMs: hourMs,
      run: async () => {
        await eraseLeftovers(ctx);
        await purgeRetainedRecords(ctx);
      },
    },
    {
      name: "repeat-alerts",
      everyMs: hourMs,
      run: () => repeatAlerts(ctx),
    },
    {
      name: "remind-operator",
      everyMs: 5 * minuteMs,
      run: () => remindOperator(ctx),
    },
    {
      name: "watch-codes",
      everyMs: minuteMs,
      run: () => watchCodes(ctx),
    },
    {
      name: "watch-funds",
      everyMs: minuteMs,
      run: () => watchFunds(ctx),
    },
    {
      name: "end-idle-waits",
      everyMs: 5 * minuteMs,
      run: () => endIdleWaits(ctx.db),
    },
    ...forEachChain("check-history", 30_000, (asset) => checkHistory(ctx, asset, { isThorough: false })),
    ...forEachChain("check-reserves", 10_000, (asset) => checkReserves(ctx, asset)),
    createBooksJob(ctx),
  ];
}

/** The limit for `idleMs` of a scan: new swaps are refused when a chain has not been scanned for 30 seconds. */
const maxIdleScanMs = 5_000;

/** Scans less often while no swap is open, because each scan calls the chain's nodes several times. */
function createScan(ctx: RunningContext, name: string, asset: AssetSymbol, everyMs: number): Job {
  return {
    name,
    everyMs,
    run: () => scanChain(ctx, asset),
    wakeOn: "lock",
    hasWork: async () => hasScanWork(ctx, asset),
    idleMs: Math.max(everyMs, Math.min(5 * everyMs, maxIdleScanMs)),
    wakesFromIdleOnly: true,
  };
}

/** A job for each chain, such as `check-wallet-ethereum`, so that neither waits for the other's nodes. */
function forEachChain(name: string, everyMs: number, run: (asset: AssetSymbol) => Promise<unknown>): Job[] {
  return assetSymbols.map((asset) => ({
    name: `${name}-${assets[asset].network}`,
    everyMs,
    run: async () => void (await run(asset)),
  }));
}
