/** The jobs that compare the books with each other, the wallets and the chains. They stop swaps or payments. */
import { minuteMs } from "../../lib/durations";
import type { RunningContext } from "../context";
import { checkWallet } from "../payments/check-wallet";
import { checkHistory } from "../payments/history/check-history";
import { checkReserves } from "../payments/reserves/check-reserves";
import { forEachChain, type Job } from "./job";
import { createBooksJob } from "./watch-books";
import { createEtherWatch } from "./watch-ether";
import { watchFunds } from "./watch-funds";

/** The jobs that check our wallets, their history, our reserves and the books. */
export function createCheckJobs(ctx: RunningContext): Job[] {
  const watchEther = createEtherWatch(ctx);
  return [
    // What a wallet can send, and what a payment costs. New swaps are refused if that is not known.
    ...forEachChain("check-wallet", (asset) => ({
      everyMs: 5_000,
      run: async () => watchEther(await checkWallet(ctx, asset)),
    })),
    // Whether a wallet has made payments that this database does not know.
    ...forEachChain("check-history", (asset) => ({
      everyMs: 30_000,
      run: async () => {
        await checkHistory(ctx, asset, { isThorough: false });
      },
    })),
    // Whether we hold on the chain what the books say.
    ...forEachChain("check-reserves", (asset) => ({
      everyMs: 10_000,
      run: () => checkReserves(ctx, asset),
    })),
    createBooksJob(ctx),
    {
      name: "watch-funds",
      everyMs: minuteMs,
      run: () => watchFunds(ctx),
    },
  ];
}
