/** The jobs that move swaps and money forward: deposits, payments, due steps and refunds. */
import type { AssetSymbol } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import type { RunningContext } from "../context";
import { hasScanWork } from "../deposits/quiet-scans";
import { scanChain } from "../deposits/scan";
import { refundSetAside } from "../orders/payouts-and-refunds/refund-set-aside";
import { hasPaymentWork, runPayments } from "../payments/run-payments";
import { takeDueSteps } from "./due-steps";
import { forEachChain, type Job } from "./job";

/** The limit for `idleMs` of a scan: new swaps are refused when a chain has not been scanned for 30 seconds. */
const maxIdleScanMs = 5_000;

/** The jobs that move swaps and money forward. */
export function createMoneyJobs(ctx: RunningContext): Job[] {
  const { config } = ctx;
  const scanMs = { USDT: config.scanEthereumMs, MOB: config.scanMobilecoinMs };
  return [
    ...forEachChain("scan", (asset) => toScan(ctx, asset, scanMs[asset])),
    // Payouts, then refunds of a chain, oldest first.
    ...forEachChain("pay", (asset) => ({
      everyMs: scanMs[asset],
      run: () => runPayments(ctx, asset),
      wakeOn: "payments",
      hasWork: () => hasPaymentWork(ctx.db, asset),
    })),
    {
      name: "due-steps",
      everyMs: 5_000,
      run: () => takeDueSteps(ctx),
    },
    {
      name: "refund-set-aside",
      everyMs: 5 * minuteMs,
      run: () => refundSetAside(ctx),
    },
  ];
}

/** Scans less often while no swap is open, because each scan calls the chain's nodes several times. */
function toScan(ctx: RunningContext, asset: AssetSymbol, everyMs: number): Omit<Job, "name"> {
  return {
    everyMs,
    run: () => scanChain(ctx, asset),
    wakeOn: "lock",
    hasWork: async () => hasScanWork(ctx, asset),
    idleMs: Math.max(everyMs, Math.min(5 * everyMs, maxIdleScanMs)),
    wakesFromIdleOnly: true,
  };
}
