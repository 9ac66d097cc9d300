/** The jobs that delete what is no longer needed, and tell the operator what needs attention. */
import { hourMs, minuteMs } from "../../lib/durations";
import { purgeExpired } from "../accounts/purge-expired";
import type { RunningContext } from "../context";
import { purgeWebhookEvents } from "../kyc/webhook";
import { endIdleWaits } from "../payments/preparing/preparation-failure";
import { eraseLeftovers } from "../personal-data/delete-account";
import { purgeRetainedRecords } from "../personal-data/retained-records";
import { purgeQuotes } from "../pricing/quotes";
import { purgeOldRates } from "../pricing/rates";
import type { Job } from "./job";
import { remindOperator } from "./remind-operator";
import { repeatAlerts } from "./repeat-alerts";
import { watchCodes } from "./watch-codes";

/** The jobs that delete old data, and repeat or end alerts. */
export function createUpkeepJobs(ctx: RunningContext): Job[] {
  return [
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
      name: "end-idle-waits",
      everyMs: 5 * minuteMs,
      run: () => endIdleWaits(ctx.db),
    },
  ];
}
