import type { ExchangeContext } from "../context";
import { describeError } from "../describe-error";

/**
 * Runs one order's step of a job. If it fails, the other orders continue and the next run tries again.
 * @param failure what to log then
 */
export async function runOrderStep(
  ctx: ExchangeContext,
  { orderId, failure }: { orderId: string; failure: string },
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    ctx.log.error({ order: orderId, error: describeError(error) }, failure);
  }
}
