import { eq } from "drizzle-orm";
import type { ExchangeContext, RunningContext } from "../../context";
import { orders } from "../../db/schema/orders";
import type { PaymentRow } from "../../db/schema/payments";
import { recheckDeposits } from "../../deposits/rechecks/recheck-deposits";
import { invariant } from "../../errors";
import { InsufficientBalanceError } from "../../ledger/ledger";
import { addFunds, checkNodes } from "../../operator-advice";
import { parkPayment } from "../parked/park";
import { postponePayment } from "./preparation-failure";

/**
 * Checks that the deposits that the payment would be made from are still on the chain and can be collected. If not, the
 * payment waits. If a deposit is gone, everything planned with it has been undone.
 */
export async function ensureFunded(ctx: RunningContext, payment: PaymentRow): Promise<boolean> {
  try {
    const funding = await recheckDeposits(ctx, payment.orderId);
    if (funding === "funded") return await ensureCollectable(ctx, payment);
    const hasMoved = funding === "waits";
    const reason = hasMoved
      ? "A deposit of the order is in another block now."
      : "A deposit of the order is no longer on the chain.";
    const action = hasMoved ? "Wait until it has its confirmations there." : "Wait until it is back.";
    await postponePayment(ctx, payment, { reason, action });
  } catch (error) {
    const isShort = error instanceof InsufficientBalanceError;
    const reason = isShort
      ? `A deposit has left the chain, and its swap cannot be undone: ${error.message}. The payment waits.`
      : "The deposits of the order cannot be looked up; the payment waits.";
    const action = isShort ? addFunds : checkNodes((await readSource(ctx, payment)).asset);
    await postponePayment(ctx, payment, { reason, action, cause: error });
  }
  return false;
}

/**
 * Checks that we can collect the order's deposits. If their funding address is on the token's blacklist, the payment is
 * parked: we would pay for coins that we can never move.
 */
async function ensureCollectable(ctx: RunningContext, payment: PaymentRow): Promise<boolean> {
  const order = await readSource(ctx, payment);
  const blockReason = await ctx.chains[order.asset].getReceiverBlockReason(order.fundingAddress);
  if (blockReason === null) return true;
  const reason = `The deposit at ${order.fundingAddress} cannot be collected. ${blockReason}`;
  const action = `Do not make the payment in any other way, because we cannot move the deposit. If Tether unblocks the address, run "operate retry ${payment.id}".`;
  await parkPayment(ctx, payment, { reason, action });
  return false;
}

async function readSource(ctx: ExchangeContext, payment: PaymentRow) {
  const [order] = await ctx.db
    .select({ asset: orders.sourceAsset, fundingAddress: orders.fundingAddress })
    .from(orders)
    .where(eq(orders.id, payment.orderId));
  invariant(order, "a payment belongs to an order");
  return order;
}
