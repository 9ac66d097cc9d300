/** All background jobs, from five files. `workers.ts` runs each in a loop of its own, so their order does not matter. */
import type { RunningContext } from "../context";
import { createCheckJobs } from "./check-jobs";
import type { Job } from "./job";
import { createMessageJobs } from "./message-jobs";
import { createMoneyJobs } from "./money-jobs";
import { createPriceJobs } from "./price-jobs";
import { createUpkeepJobs } from "./upkeep-jobs";

/** The exchange's background jobs. */
export function createJobs(ctx: RunningContext): Job[] {
  return [
    // Scan the chains, make payments, take the steps that are due, refund.
    ...createMoneyJobs(ctx),
    // Compare the wallets, their history, our reserves and the books.
    ...createCheckJobs(ctx),
    // Fetch the rate, tell customers when it reaches their price, and record whether new swaps are accepted.
    ...createPriceJobs(ctx),
    // Send e-mails and push messages, follow identity checks.
    ...createMessageJobs(ctx),
    // Delete what is no longer needed, remind the operator, end alerts.
    ...createUpkeepJobs(ctx),
  ];
}
