import type { Order, Transaction } from "~/api/contract";

export function makeTx(changes: Partial<Transaction> = {}): Transaction {
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

export function makeOrder(changes: Partial<Order> = {}): Order {
  return {
    id: "order-1",
    quote_id: 9007199254740990,
    status: "completed",
    source_asset_symbol: "USDT",
    target_asset_symbol: "MOB",
    source_amount: "100",
    target_amount: "284.123456789012",
    fee_amount: "0.5",
    fee_asset_symbol: "USDT",
    exchange_rate: "2.855512128533",
    delivery_address: "MobAddress",
    refund_address: "0x0000000000000000000000000000000000000001",
    funding_address: "0x0000000000000000000000000000000000000002",
    expires_at: "2026-01-01T00:30:00.000Z",
    hold: null,
    payout_not_before: null,
    decision: null,
    incoming_txs: [makeTx()],
    outgoing_txs: [makeTx({ purpose: "payout", asset_symbol: "MOB", amount: "284.123456789012", hash: "beef" })],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:05:00.000Z",
    ...changes,
  };
}
