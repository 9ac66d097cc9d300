import { toSentence } from "../../../lib/to-sentence";
import type { ExchangeContext } from "../../context";
import { extendHold, holdOrder, releaseOrder } from "../../orders/holds/hold";
import { refundOrder } from "../../orders/payouts-and-refunds/refund";
import { lockOrderRow } from "../../orders/transition";
import { markPaidOut } from "../../payments/mark-paid-out";
import { refundParkedPayout } from "../../payments/parked/decide-parked";
import type { CommandRunner } from "../command-runner";
import { toMissingOrder } from "../command-runner";
import { toOrderId } from "../named-orders";
import { OperatorError } from "../operator-error";
import { readOrder } from "../order-report";
import { toReason } from "../reason";
import { readPayoutHash } from "../transaction-hash";

/** Orders, by their ID or by the number that their owner sees. */
export function createOrderCommands(ctx: ExchangeContext, { attempt, changeOrder }: CommandRunner) {
  return {
    /** An order with its deposits, payments and events. It is named by its ID, or by the number that its owner sees. */
    getOrder: (named: string) =>
      attempt(async () => {
        const report = await readOrder(ctx.db, await toOrderId(ctx.db, named));
        if (report === null) throw new OperatorError(toMissingOrder(named));
        return report;
      }),
    /** Puts an order on hold, or extends its hold for the same reason. Orders are named by their ID or number. */
    hold: (order: string, text: string) =>
      changeOrder(
        {
          command: "hold",
          isStop: true,
          order,
          args: [text],
          conflict:
            'cannot be put on hold: it has no deposit, is closed, or its payment is under way. If it has no deposit, "operate block" puts it on hold once it is paid. "operate off payments REASON" stops all payments that are not prepared.',
        },
        async (tx, orderId) => {
          const reason = toReason(text);
          const { status } = await lockOrderRow(tx, orderId);
          const onHold = await holdOrder(tx, ctx, orderId, { reason });
          if (onHold.holdReason !== reason)
            throw new OperatorError(
              `Order ${order} is on hold already: ${toSentence(onHold.holdReason ?? "")} To hold it for longer, give the same reason. To change the reason, release it first, which continues the swap and may start its payout.`,
            );
          return status === "on_hold" ? extendHold(tx, ctx, onHold, { reason }) : onHold;
        },
      ),
    release: (order: string) =>
      changeOrder({ command: "release", order, conflict: "is not on hold." }, (tx, orderId) =>
        releaseOrder(tx, ctx, orderId),
      ),
    /** Refunds an order that is on hold, waiting for a decision, or whose payout is parked and not signed. */
    refund: (order: string) =>
      changeOrder(
        {
          command: "refund",
          order,
          conflict:
            'cannot be refunded: it is neither on hold nor waiting for a decision and has no parked payout, or our wallet may have made its payout already. See "operate status".',
        },
        async (tx, orderId) => {
          const row = await lockOrderRow(tx, orderId);
          if (row.status !== "on_hold" && row.status !== "needs_decision") return refundParkedPayout(tx, ctx, row);
          return refundOrder(tx, ctx, row, { by: "operator", at: await ctx.clock.now(tx) });
        },
      ),
    /** Completes an order whose payout our wallet has made and this database has lost. */
    markPaidOut: (order: string, text: string) =>
      changeOrder(
        {
          command: "mark-paid-out",
          order,
          args: [text],
          conflict:
            'cannot be completed this way: it must be waiting for a decision, on hold or being refunded, without any signed payment. If its payout is parked, run "operate mark-paid".',
        },
        async (tx, orderId) => markPaidOut(tx, ctx, { orderId, hash: await readPayoutHash(tx, { orderId, text }) }),
      ),
  };
}
