import { forgetExpired } from "../accounts/forget";
import type { ExchangeContext } from "../context";
import { checkBooks } from "../ledger/check-books";
import { sendOutbox } from "../mail/outbox";
import { switchOff } from "../orders/acceptance";
import { expireOrders, refundOverdue, releaseStaleReserves } from "../orders/deadlines";
import { runPayments } from "../orders/pay";
import { checkWallet, scanChain } from "../orders/scan";
import { expireQuotes } from "../quotes/quotes";
import { refreshRate } from "../rates/rates";

export type Job = {
  /** The queue's name. */
  name: string;
  /** From the beginning of one run to the next; a longer run is followed at once. */
  everyMs: number;
  /** May run twice at once and be killed anywhere. */
  run(): Promise<void>;
};

/** Everything that the exchange does by itself; each is one queue. */
export function createJobs(x: ExchangeContext, decideKyc: () => Promise<unknown>): Job[] {
  const { config } = x;
  return [
    { name: "scan-ethereum", everyMs: config.scanEthereumMs, run: () => scanChain(x, "USDT") },
    { name: "scan-mobilecoin", everyMs: config.scanMobilecoinMs, run: () => scanChain(x, "MOB") },
    // Payouts and refunds alike: whatever is owed on a chain, in the order in which it came to be owed.
    { name: "pay-ethereum", everyMs: config.scanEthereumMs, run: () => runPayments(x, "USDT") },
    { name: "pay-mobilecoin", everyMs: config.scanMobilecoinMs, run: () => runPayments(x, "MOB") },
    {
      name: "check-wallets",
      everyMs: 5_000,
      run: async () => {
        await Promise.all([checkWallet(x, "USDT"), checkWallet(x, "MOB")]);
      },
    },
    {
      name: "deadlines",
      everyMs: 1_000,
      run: async () => {
        await expireQuotes(x);
        await expireOrders(x);
        await refundOverdue(x);
        await releaseStaleReserves(x);
      },
    },
    { name: "refresh-rate", everyMs: config.rateRefreshMs, run: () => refreshRate(x) },
    {
      name: "send-mail",
      everyMs: 1_000,
      run: async () => {
        await sendOutbox(x);
      },
    },
    {
      name: "review-kyc",
      everyMs: 1_000,
      run: async () => {
        await decideKyc();
      },
    },
    { name: "forget-expired", everyMs: 60_000, run: () => forgetExpired(x) },
    { name: "check-books", everyMs: 30_000, run: () => haltOnBrokenBooks(x) },
  ];
}

/** Broken books stop payouts, loudly, until an operator has looked (rule 10). */
async function haltOnBrokenBooks(x: ExchangeContext): Promise<void> {
  const faults = await checkBooks(x.db);
  if (faults.length === 0) return;
  x.log.fatal({ faults }, "the books do not balance; payments are halted");
  await switchOff(x.db, "payments", `The books do not balance: ${faults[0]}`, await x.clock.now(x.db));
}
