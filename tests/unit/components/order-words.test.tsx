import { describe, expect, it } from "vitest";
import type { Order, Transaction } from "~/api/contract";
import { toMissing, toProgress, toReceived, toRefund } from "~/components/order/order-sums";
import {
  isGrace,
  statusBadges,
  toGraceWords,
  toOrderWords,
  toStatusBadge,
  toTabTitle,
} from "~/components/order/order-words";
import { toTimelineSteps } from "~/components/order/timeline-steps";
import { plainNumberStyle } from "~/lib/number-style";
import { decisionReasons, orderStatuses } from "~/lib/order-states";
import { makeOrder } from "../routes/swap/world";

const now = Date.parse("2030-01-01T00:02:00.000Z");

function deposit(amount: string, changes: Partial<Transaction> = {}): Transaction {
  return {
    id: amount,
    status: "confirmed",
    asset_symbol: "USDT",
    amount,
    hash: "0x1",
    confirmations: 3,
    required_confirmations: 3,
    purpose: "deposit",
    created_at: "2030-01-01T00:01:00.000Z",
    ...changes,
  };
}

const decisionOf = (reason: (typeof decisionReasons)[number]): Order["decision"] => ({
  reason,
  deadline: "2030-01-04T00:00:00.000Z",
  choices: ["refund"],
  offer: null,
});

describe("what an order's state is called", () => {
  it.each(orderStatuses)("%s has a title, a sentence and a badge, and says no word of a machine", (status) => {
    const words = toOrderWords(makeOrder({ status, incoming_txs: [deposit("250")] }), plainNumberStyle, now);
    expect(words.title).not.toBe("");
    expect(words.lede.length).toBeGreaterThan(20);
    expect(`${words.title} ${words.lede} ${statusBadges[status].word}`).not.toMatch(/_|undefined|null|NaN/);
  });

  it.each(decisionReasons)("a decision because of %s says that the money is safe", (reason) => {
    const order = makeOrder({ status: "needs_decision", decision: decisionOf(reason), incoming_txs: [deposit("100")] });
    expect(toOrderWords(order, plainNumberStyle, now).lede).toMatch(/100\.00\u00a0USDT is here and safe/);
  });

  it("says on hold why, in the exchange's own sentence", () => {
    const order = makeOrder({
      status: "on_hold",
      hold: { reason: "Your identity verification was withdrawn.", deadline: "2030-01-04T00:00:00.000Z" },
    });
    expect(toOrderWords(order, plainNumberStyle, now).lede).toBe(
      "Your identity verification was withdrawn. Your money is safe meanwhile.",
    );
  });

  it("says of a refund that sent nothing what became of the money", () => {
    const nothing = makeOrder({ status: "refunded", incoming_txs: [deposit("0.1")] });
    expect(toOrderWords(nothing, plainNumberStyle, now).title).toBe("There was too little to send back");
    const steps = toTimelineSteps(nothing, {
      deliveryName: "",
      requiredConfirmations: 3,
      style: plainNumberStyle,
      grace: false,
    });
    expect(steps.at(-1)?.title).toBe("Too little to send back");
    expect(toStatusBadge(nothing).word).toBe("Too little to send back");
    const refund = deposit("0.1", { purpose: "refund" });
    expect(toOrderWords({ ...nothing, outgoing_txs: [refund] }, plainNumberStyle, now).title).toBe(
      "Your USDT is back with you",
    );
  });

  it("says of a payout that waits that it is set aside, not on its way", () => {
    const waiting = makeOrder({ status: "paying_out", payout_not_before: "2030-01-02T00:00:00.000Z" });
    expect(toOrderWords(waiting, plainNumberStyle, now).title).toMatch(/is set aside for you$/);
    const after = Date.parse("2030-01-02T00:00:00.000Z");
    expect(toOrderWords(waiting, plainNumberStyle, after).title).toMatch(/is on its way$/);
  });

  it("counts confirmations in the tab's title", () => {
    const pending = deposit("250", { status: "pending", confirmations: 2 });
    expect(toTabTitle(makeOrder({ status: "confirming", incoming_txs: [pending] }), plainNumberStyle, Date.now())).toBe(
      "2/3 confirmed · Antelope",
    );
    const order = makeOrder();
    const end = Date.parse(order.expires_at);
    expect(toTabTitle(order, plainNumberStyle, end - 1)).toBe("Send 250.00\u00a0USDT · Antelope");
    expect(toTabTitle(order, plainNumberStyle, end)).toBe("Time is up · Antelope");
  });

  it("says of a swap that was paid too much what became of the rest", () => {
    const refund = deposit("10", { purpose: "refund", status: "pending" });
    const order = makeOrder({ status: "completed", outgoing_txs: [refund] });
    expect(toOrderWords(order, plainNumberStyle, now).lede).toMatch(
      /You sent more than that: 10\.00\sUSDT are on their way back/,
    );
    const done = { ...order, outgoing_txs: [{ ...refund, status: "confirmed" as const }] };
    expect(toOrderWords(done, plainNumberStyle, now).lede).toMatch(/10\.00\sUSDT went back to you\.$/);
    expect(toOrderWords(makeOrder({ status: "completed" }), plainNumberStyle, now).lede).not.toMatch(/more/);
  });
});

describe("sums over an order's deposits", () => {
  it("adds what came, leaves out what vanished, and never goes below nothing missing", () => {
    const order = makeOrder({
      incoming_txs: [deposit("100.5"), deposit("49.5", { id: "b" }), deposit("70", { id: "c", status: "failed" })],
    });
    expect([toReceived(order), toMissing(order)]).toEqual(["150", "100"]);
    expect(toMissing(makeOrder({ incoming_txs: [deposit("300")] }))).toBe("0");
  });

  it("tells what a refund brings, and that nothing is left of what costs more to send", () => {
    const order = makeOrder({ incoming_txs: [deposit("120")] });
    expect([toRefund(order, "1"), toRefund(order, "0"), toRefund(order, "120"), toRefund(order, "121")]).toEqual([
      "119",
      "120",
      "0",
      "0",
    ]);
  });

  it("is as far as the slowest deposit", () => {
    const order = makeOrder({
      incoming_txs: [
        deposit("1", { status: "pending", confirmations: 2 }),
        deposit("2", { status: "pending", confirmations: 1 }),
      ],
    });
    expect(toProgress(order)).toEqual({ confirmations: 1, required: 3 });
    expect(toProgress(makeOrder())).toBeNull();
  });
});

describe("the timeline of an order", () => {
  const facts = { deliveryName: "“My Signal”", requiredConfirmations: 3, style: plainNumberStyle, grace: false };

  it.each(orderStatuses)("%s shows its steps, what is done before what comes", (status) => {
    const states = toTimelineSteps(makeOrder({ status, incoming_txs: [deposit("250")] }), facts).map(
      ({ state }) => state,
    );
    // Where nothing came, nothing follows.
    expect(states).toHaveLength(["expired", "cancelled"].includes(status) ? 2 : 4);
    const order = ["done", "current", "problem", "todo"];
    expect(states.map((state) => order.indexOf(state))).toEqual(
      states.map((state) => order.indexOf(state)).sort((a, b) => a - b),
    );
  });

  it("promises no coins before the owner has chosen, and asks for none once the time is over", () => {
    const asked = toTimelineSteps(makeOrder({ status: "needs_decision", incoming_txs: [deposit("4")] }), facts);
    expect(asked.at(-1)?.title).toBe("Then as you choose");
    const late = toTimelineSteps(makeOrder(), { ...facts, grace: true });
    expect(late[1]?.title).toBe("The time to pay is over");
  });

  it("leads back to the sender where the money goes back", () => {
    const steps = toTimelineSteps(makeOrder({ status: "refunding", incoming_txs: [deposit("250")] }), facts);
    expect(steps.at(-1)).toMatchObject({ title: "USDT back to you", detail: "0x3C44…93BC", state: "current" });
  });

  it("T53 asks nobody to pay once the time is over, while a payment on its way still counts", () => {
    const order = makeOrder();
    const endsMs = Date.parse(order.expires_at);
    expect(isGrace(order, endsMs - 1)).toBe(false);
    expect(isGrace(order, endsMs)).toBe(true);
    expect(isGrace({ ...order, status: "confirming" }, endsMs)).toBe(false);
    expect(toGraceWords(120).lede).toMatch(/still counts: its block may be up to 2 minutes late/);
  });
});
