import type { RunningContext } from "~/exchange.server/context";
import { hasPaymentWork, runPayments } from "~/exchange.server/payments/run-payments";
import type { AssetSymbol } from "~/lib/assets";

/**
 * Runs the payment job of a chain that has payments to make or follow. Without any, the exchange runs it less often.
 */
export async function payIfDue(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  if (await hasPaymentWork(ctx.db, asset)) await runPayments(ctx, asset);
}
