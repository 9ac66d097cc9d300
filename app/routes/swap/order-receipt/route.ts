import type { LoaderFunctionArgs } from "@remix-run/node";
import type { Order } from "~/api/contract";
import { toOrderNumber } from "~/lib/order-number";
import { sendFile } from "~/session/responses.server";
import { countMoreDeposits, toReceived } from "~/swaps/order-sums";
import { listConfirmed, toAddress, toFinishedAt } from "~/swaps/receipt-parts";
import { requireFinishedOrder, toReceiptName } from "./finished-order.server";

/** The receipt of a swap as a JSON file. The order page prints the one for people. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const order = await requireFinishedOrder(args);
  const receipt = `${JSON.stringify(toReceipt(order, new Date()), null, 2)}\n`;
  return sendFile(args, receipt, { type: "application/json; charset=utf-8", name: toReceiptName(order, "json") });
}

/**
 * Lists only money that moved: what we received, what we paid out, and what we refunded. When everything is confirmed,
 * `sent` is the sum of `swapped`, the `amount` and `refund_cost` of each entry of `returned`, and `set_aside`.
 */
function toReceipt(order: Order, now: Date) {
  const isCompleted = order.status === "completed";
  const [payout] = listConfirmed(order, "payout");
  return {
    document: "antelope-receipt",
    version: 1,
    issued_at: now.toISOString(),
    number: toOrderNumber(order.quote_id),
    quote_id: order.quote_id,
    order_id: order.id,
    status: order.status,
    created_at: order.created_at,
    finished_at: toFinishedAt(order),
    updated_at: order.updated_at,
    sent: { asset: order.source_asset_symbol, amount: toReceived(order), to: order.funding_address },
    swapped: isCompleted ? { asset: order.source_asset_symbol, amount: order.source_amount } : null,
    received: payout
      ? { asset: order.target_asset_symbol, amount: order.target_amount, at: toAddress(order, payout) }
      : null,
    returned: listConfirmed(order, "refund").map((refund) => ({
      asset: refund.asset_symbol,
      amount: refund.amount,
      refund_cost: refund.refund_cost ?? "0",
      at: toAddress(order, refund),
    })),
    set_aside: { asset: order.source_asset_symbol, amount: order.set_aside_amount ?? "0" },
    fee: isCompleted ? { asset: order.fee_asset_symbol, amount: order.fee_amount } : null,
    exchange_rate: isCompleted ? order.exchange_rate : null,
    refund_address: order.refund_address,
    transactions: [...order.incoming_txs, ...order.outgoing_txs],
    /** Deposits that `transactions` leaves out, without failed ones. */
    more_deposits: countMoreDeposits(order),
  };
}
