import { describe, expect, it } from "vitest";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { allowedDecisions } from "~/exchange.server/orders/decisions/allowed-decisions";
import { evaluate } from "~/exchange.server/orders/evaluate";
import type { DepositGroup } from "~/exchange.server/orders/held-deposits";
import { paymentDeadline } from "~/exchange.server/orders/payment-deadline";
import { testConfig } from "../../support/test-config";

const usdt = (amount: number) => BigInt(Math.round(amount * 1e6));
/** 100 USDT at 2 MOB each, with a minute of grace. */
const order = {
  status: "confirming",
  decisionReason: null,
  sourceAsset: "USDT",
  targetAsset: "MOB",
  sourceAmount: usdt(100),
  rate: 2_000_000_000_000n,
  payoutCost: null,
  feeBps: null,
  expiresAt: new Date("2026-03-01T12:30:00Z"),
  graceMs: 60_000,
} as OrderRow;
const deadline = new Date("2026-03-01T12:31:00Z");
const justLate = new Date(deadline.getTime() + 1);
/** More than another minute of grace after the deadline. */
const veryLate = new Date(deadline.getTime() + order.graceMs + 1);
const config = { ...testConfig, minUsdt: usdt(10), overpaidToleranceBps: 50 };

const group = (status: DepositGroup["status"], amount: number, blockTime = deadline): DepositGroup => ({
  status,
  blockTime,
  left: usdt(amount),
});
const judge = (...deposits: DepositGroup[]) => evaluate(order, deposits, config);
const fillOf = (amount: number) => ({ kind: "fill", price: expect.objectContaining({ sourceAmount: usdt(amount) }) });

describe("the verdict on an order's deposits", () => {
  it("counts a deposit in a block at the deadline as on time", () => {
    expect(paymentDeadline(order)).toEqual(deadline);
    expect(judge(group("confirmed", 100))).toEqual(fillOf(100));
    expect(judge(group("confirmed", 100, justLate))).toEqual({ kind: "decide", reason: "late" });
  });

  it.each<[string, DepositGroup[], unknown]>([
    ["nothing, or only what left the chain", [group("failed", 100)], { kind: "no_deposit" }],
    ["enough, but nothing confirmed", [group("pending", 100)], { kind: "wait" }],
    ["a part confirmed and the rest on its way", [group("confirmed", 60), group("pending", 40)], { kind: "wait" }],
    [
      "a part confirmed and a late rest on its way",
      [group("confirmed", 60), group("pending", 40, justLate)],
      { kind: "wait" },
    ],
    [
      "a part confirmed and a very late rest on its way, which anyone could have sent",
      [group("confirmed", 60), group("pending", 0.000001, veryLate)],
      { kind: "decide", reason: "late" },
    ],
    ["nothing confirmed and everything very late", [group("pending", 100, veryLate)], { kind: "wait" }],
    ["enough confirmed and more on its way", [group("confirmed", 100), group("pending", 40)], fillOf(100)],
    ["up to the tolerance more", [group("confirmed", 100.5)], fillOf(100.5)],
    ["more than the tolerance", [group("confirmed", 100.500001)], fillOf(100)],
    ["too little", [group("confirmed", 99.999999)], { kind: "decide", reason: "underpaid" }],
    ["the least for a swap", [group("confirmed", 10)], { kind: "decide", reason: "underpaid" }],
    ["less than the least", [group("confirmed", 9.999999)], { kind: "decide", reason: "below_minimum" }],
    [
      "a part on time, and the rest late",
      [group("confirmed", 60), group("confirmed", 40, justLate)],
      { kind: "decide", reason: "late" },
    ],
    [
      "too little, and a part that left the chain",
      [group("confirmed", 60), group("failed", 40)],
      {
        kind: "decide",
        reason: "underpaid",
      },
    ],
  ])("matches what was received: %s", (_what, deposits, verdict) => {
    expect(judge(...deposits)).toEqual(verdict);
  });
});

it("calls too little underpaid, and not below the minimum, if the maximum was lowered since", () => {
  const lowered = { ...config, maxUsdt: usdt(50) };
  expect(evaluate(order, [group("confirmed", 60)], lowered)).toEqual({ kind: "decide", reason: "underpaid" });
});

it("prices the amount received with the fee that was quoted, whatever it is now", () => {
  const quoted = evaluate({ ...order, feeBps: 50 }, [group("confirmed", 100)], { ...config, feeBps: 200 });
  expect(quoted).toMatchObject({ kind: "fill", price: { feeAmount: usdt(0.5) } });
  const unknown = evaluate(order, [group("confirmed", 100)], { ...config, feeBps: 200 });
  expect(unknown).toMatchObject({ kind: "fill", price: { feeAmount: usdt(2) } });
});

describe("the decisions of an order's owner", () => {
  const prices = { bid: 500_000n, ask: 500_000n };
  const choose = (
    changes: Partial<OrderRow>,
    { received = usdt(60), now = deadline, at = prices as typeof prices | null } = {},
  ) =>
    allowedDecisions({ ...order, status: "needs_decision", ...changes } as OrderRow, {
      received,
      prices: at,
      terms: config,
      now,
    });

  it("don't exist in any other state", () => {
    expect(choose({ status: "on_hold", decisionReason: "underpaid" })).toEqual([]);
    expect(choose({ status: "confirming", decisionReason: "underpaid" })).toEqual([]);
  });

  it("keeps the locked rate of an underpaid order up to the deadline", () => {
    expect(choose({ decisionReason: "underpaid" })).toEqual(["accept", "refund"]);
    expect(choose({ decisionReason: "underpaid" }, { now: justLate })).toEqual(["requote", "refund"]);
  });

  it("offers a new rate for a deposit below the minimum only after the deadline, if it is now worth enough", () => {
    const received = usdt(9);
    expect(choose({ decisionReason: "below_minimum" }, { received: usdt(11) })).toEqual(["refund"]);
    expect(choose({ decisionReason: "below_minimum" }, { received, now: justLate })).toEqual(["refund"]);
    expect(choose({ decisionReason: "below_minimum" }, { received: usdt(11), now: justLate })).toEqual([
      "requote",
      "refund",
    ]);
  });

  it("offers a new rate for late deposits if there is one, and only a refund after a failed payout", () => {
    expect(choose({ decisionReason: "late" })).toEqual(["requote", "refund"]);
    expect(choose({ decisionReason: "late" }, { at: null })).toEqual(["refund"]);
    expect(choose({ decisionReason: "payout_failed" })).toEqual(["refund"]);
  });
});
