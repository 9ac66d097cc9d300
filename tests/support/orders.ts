import type { Order, Transaction } from "~/api/contract";
import { quoteId } from "./quotes";

/** The order of the quote that `makeQuote` returns, in the API's form, before its deposit. */
export function makeOrder(changes: Partial<Order> = {}): Order {
  return {
    id: "order-1",
    quote_id: quoteId,
    status: "awaiting_deposit",
    source_asset_symbol: "USDT",
    target_asset_symbol: "MOB",
    source_amount: "250",
    target_amount: "710.704482",
    fee_amount: "1.25",
    fee_asset_symbol: "USDT",
    exchange_rate: "2.857142857142",
    delivery_address: "mob-address",
    refund_address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    funding_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    expires_at: "2030-01-01T00:30:00.000Z",
    hold: null,
    payout_not_before: null,
    decision: null,
    incoming_txs: [],
    outgoing_txs: [],
    created_at: "2030-01-01T00:00:10.000Z",
    updated_at: "2030-01-01T00:00:10.000Z",
    ...changes,
  };
}

/** A completed order of 100 USDT. */
export function makeCompletedOrder(changes: Partial<Order> = {}): Order {
  return makeOrder({
    quote_id: 9007199254740990,
    status: "completed",
    source_amount: "100",
    target_amount: "284.123456789012",
    fee_amount: "0.5",
    exchange_rate: "2.855512128533",
    delivery_address: "MobAddress",
    refund_address: "0x0000000000000000000000000000000000000001",
    funding_address: "0x0000000000000000000000000000000000000002",
    expires_at: "2026-01-01T00:30:00.000Z",
    incoming_txs: [makeTransaction()],
    outgoing_txs: [
      makeTransaction({ purpose: "payout", asset_symbol: "MOB", amount: "284.123456789012", hash: "beef" }),
    ],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:05:00.000Z",
    ...changes,
  });
}

/** A confirmed deposit of 100 USDT. */
export function makeTransaction(changes: Partial<Transaction> = {}): Transaction {
  return {
    id: "t",
    status: "confirmed",
    asset_symbol: "USDT",
    amount: "100",
    hash: "0xabc",
    confirmations: 3,
    required_confirmations: 3,
    purpose: "deposit",
    created_at: "2026-01-01T00:00:00.000Z",
    ...changes,
  };
}
