/** The jobs that follow the rate of MOB, tell customers about it, and record whether new swaps are accepted. */
import type { RunningContext } from "../context";
import { hasDuePriceAlerts, sendPriceAlerts } from "../price-alerts/price-alerts";
import { recordAcceptance } from "../pricing/interruptions";
import { refreshRate } from "../pricing/rates";
import type { Job } from "./job";

/** The jobs about the price of new swaps. */
export function createPriceJobs(ctx: RunningContext): Job[] {
  return [
    {
      name: "refresh-rate",
      everyMs: ctx.config.rateRefreshMs,
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
      name: "record-acceptance",
      everyMs: 5_000,
      run: () => recordAcceptance(ctx),
    },
  ];
}
