import { describe, expect, it } from "vitest";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { toNewOrder } from "~/exchange.server/orders/views/order-view";

const at = new Date("2026-03-01T12:00:00Z");
const holdDeadline = new Date("2026-03-04T12:00:00Z");
/** 100 USDT were quoted, 60 USDT were swapped at another rate. */
const filled: OrderRow = {
  id: "order",
  fundingIndex: 1,
  accountId: "account",
  quoteId: 7,
  status: "completed",
  sourceAsset: "USDT",
  targetAsset: "MOB",
  sourceAmount: 100_000_000n,
  targetAmount: 284_300_000_000_000n,
  feeAmount: 500_000n,
  rate: 2_857_142_857_142n,
  payoutCost: null,
  feeBps: null,
  filledSource: 60_000_000n,
  filledTarget: 119_400_000_000_000n,
  filledFee: 300_000n,
  filledRate: 2_000_000_000_000n,
  deliveryAddress: "to",
  refundAddress: "back",
  fundingAddress: "in",
  expiresAt: at,
  graceMs: 60_000,
  decisionReason: null,
  decisionDeadline: null,
  decisionChoice: null,
  decidedBy: null,
  offerQuoteId: null,
  holdReason: null,
  holdProblem: null,
  heldFrom: null,
  holdDeadline: null,
  payoutNotBefore: null,
  trackingHash: null,
  trackedSince: null,
  createdAt: at,
  updatedAt: at,
};

const swapped = { source_amount: "60", target_amount: "119.4", fee_amount: "0.3", exchange_rate: "2" };
const quoted = {
  source_amount: "100",
  target_amount: "284.3",
  fee_amount: "0.5",
  exchange_rate: "2.857142857142",
};

describe("an order as the API shows it", () => {
  it.each<[string, Partial<OrderRow>]>([
    ["is completed", {}],
    ["is being paid out", { status: "paying_out" }],
    ["was put on hold while it was being paid out", { status: "on_hold", heldFrom: "paying_out" }],
  ])("has the amounts that were swapped once it %s", (_case, change) => {
    expect(toNewOrder({ ...filled, ...change })).toMatchObject(swapped);
  });

  it.each<[string, Partial<OrderRow>]>([
    ["is not filled", { status: "confirming" }],
    ["is refunded, whatever it was filled with before", { status: "refunded" }],
    ["was put on hold before it was filled", { status: "on_hold", heldFrom: "confirming" }],
    [
      "is completed, but its fill is not stored",
      { filledSource: null, filledTarget: null, filledFee: null, filledRate: null },
    ],
  ])("has the quoted amounts if it %s", (_case, change) => {
    expect(toNewOrder({ ...filled, ...change })).toMatchObject(quoted);
  });

  it("says why and until when it is on hold", () => {
    const held = { ...filled, status: "on_hold", holdReason: "kyc", holdDeadline } as const;
    expect(toNewOrder(held).hold).toEqual({ reason: "kyc", deadline: holdDeadline.toISOString() });
    expect(toNewOrder({ ...held, holdReason: null }).hold).toBeNull();
    expect(toNewOrder({ ...held, holdDeadline: null }).hold).toBeNull();
    expect(toNewOrder({ ...held, status: "confirming" }).hold).toBeNull();
  });
});
