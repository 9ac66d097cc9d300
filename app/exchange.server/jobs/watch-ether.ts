import { minuteMs } from "../../lib/durations";
import { formatDecimal, mulDivCeil } from "../../lib/money";
import { clearAlert, hasAlert, raiseAlert } from "../alerts/alerts";
import type { RunningContext } from "../context";
import type { checkWallet } from "../payments/check-wallet";

/**
 * The alert is raised when the ether covers fewer payments than this. They are enough to pay customers until more ether
 * arrives, even if the base fee doubles.
 */
const alertBelow = 20n;
/** The alert ends when it covers this many: twice as many, because the price of gas changes with every block. */
const endAt = 40n;
/** The operator is asked to fill up to this many. */
const fillTo = 100n;
/** While there is enough ether, how often a process clears the alert, in case another process has raised it. */
const endEveryMs = 5 * minuteMs;

const subject = "ether";

/** Returns a check that alerts an operator early, before our wallet has too little ether for gas and swaps stop. */
export function createEtherWatch(ctx: RunningContext) {
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
    // Raised once, because a later alert would have different amounts and be logged again.
    if (wei >= perPayment * alertBelow || (await hasAlert(ctx.db, subject))) return;
    endedAt = null;
    const reason = `The payout wallet has about ${toEther(wei)} ether left for gas. At today's price that may be too little for ${alertBelow} more payments. Without ether, new swaps stop and payments of USDT wait.`;
    const action = `Send about ${toEther(perPayment * fillTo - wei)} ether to ${ctx.chains.USDT.signer}. Don't book it: ether is not in the books.`;
    await raiseAlert(ctx.db, ctx, { subject, reason, action, at });
  };
}

/** Ether with two significant digits, rounded up. */
function toEther(wei: bigint): string {
  const step = 10n ** BigInt(Math.max(0, wei.toString().length - 2));
  return formatDecimal(mulDivCeil(wei, 1n, step) * step, 18);
}
