import { formatDecimal, mulDivCeil } from "../../lib/money";
import { clearAlert, hasAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import type { checkWallet } from "../deposits/check-wallet";

/**
 * An operator is alerted below what so many payments may cost: enough to pay customers until more has arrived, also if the
 * base fee doubles meanwhile.
 */
const alertBelow = 20n;
/** The alert ends at twice as much, because the price of gas changes with every block. */
const endAt = 40n;
/** The operator is asked for as much as so many payments may cost. */
const fillTo = 100n;
/** How often a process ends an alert that is not its own, in case another process has raised it. */
const endEveryMs = 300_000;

const subject = "ether";

/** Creates what alerts an operator early, before our wallet has too little ether to pay for gas and swaps stop. */
export function createEtherWatch(ctx: ExchangeContext) {
  let endedAt: Date | null = null;

  return async function watchEther({ ether }: Awaited<ReturnType<typeof checkWallet>>): Promise<void> {
    if (ether === null) return;
    const { wei, perPayment } = ether;
    const at = await ctx.clock.now(ctx.db);
    if (wei >= perPayment * endAt) {
      if (endedAt !== null && at.getTime() - endedAt.getTime() < endEveryMs) return;
      await clearAlert(ctx.db, subject);
      endedAt = at;
      return;
    }
    // Raised once: the amounts of a later one would differ, and it would be logged again.
    if (wei >= perPayment * alertBelow || (await hasAlert(ctx.db, subject))) return;
    endedAt = null;
    const reason = `The payout wallet has about ${toEther(wei)} ether left for gas. At today's price that may be too little for ${alertBelow} more payments. Without ether, new swaps stop and payments of USDT wait.`;
    const action = `Send about ${toEther(perPayment * fillTo - wei)} ether to ${ctx.chains.USDT.signer}. Book nothing: ether is not in the books.`;
    await raiseAlert(ctx.db, ctx, { subject, reason, action, at });
  };
}

/** Ether with two significant digits, rounded up. */
function toEther(wei: bigint): string {
  const step = 10n ** BigInt(Math.max(0, wei.toString().length - 2));
  return formatDecimal(mulDivCeil(wei, 1n, step) * step, 18);
}
