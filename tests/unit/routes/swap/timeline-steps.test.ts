import { describe, expect, it } from "vitest";
import type { Order, Transaction } from "~/api/contract";
import { plainNumberStyle } from "~/lib/number-style";
import { orderStatuses } from "~/lib/order-states";
import { toTimelineSteps } from "~/routes/swap/quote/order/timeline-steps";
import { makeOrder, makeTransaction } from "../../../support/orders";

const makeDeposit = (amount: string) => makeTransaction({ id: amount, amount, created_at: "2030-01-01T00:01:00.000Z" });

const context = {
  deliveryName: "“My Signal”",
  requiredConfirmations: 3,
  style: plainNumberStyle,
  isInGrace: false,
  isStuck: false,
};

describe("the timeline of an order", () => {
  it.each(orderStatuses)("lists finished steps before pending ones when the order is %s", (status) => {
    const order = makeOrder({ status, incoming_txs: [makeDeposit("250")] });
    const states = toTimelineSteps(order, context).map(({ state }) => state);
    // Without a payment, nothing follows.
    expect(states).toHaveLength(["expired", "cancelled"].includes(status) ? 2 : 4);
    const positions = states.map((state) => ["done", "current", "problem", "todo"].indexOf(state));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it("does not promise a payout before the visitor has chosen, or ask for a payment after the deadline", () => {
    const undecided = makeOrder({ status: "needs_decision", incoming_txs: [makeDeposit("4")] });
    expect(toTimelineSteps(undecided, context).at(-1)?.title).toBe("Payout or refund, as you choose");
    const late = toTimelineSteps(makeOrder(), { ...context, isInGrace: true });
    expect(late[1]?.title).toBe("The time to pay has ended");
  });

  it("ends with the refund if the money is sent back", () => {
    const order = makeOrder({ status: "refunding", incoming_txs: [makeDeposit("250")] });
    expect(toTimelineSteps(order, context).at(-1)).toMatchObject({
      title: "USDT back to you",
      detail: "0x3C44…93BC",
      state: "current",
    });
  });

  it("promises neither a payout nor its amount while the swap is on hold", () => {
    const lastOf = (outgoing_txs: Transaction[]) =>
      toTimelineSteps(makeOrder({ status: "on_hold", outgoing_txs }), context).at(-1)?.title;
    const [payout, refund] = (["payout", "refund"] as const).map((purpose) =>
      makeTransaction({ purpose, status: "pending" }),
    );
    expect(lastOf([])).toBe("Payout or refund");
    expect(lastOf(payout ? [payout] : [])).toBe("Payout or refund");
    expect(lastOf(refund ? [refund] : [])).toBe("USDT back to you");
  });

  it("is not over while the payout is made again after a reorg", () => {
    const payout = { ...makeDeposit("1"), purpose: "payout" } as const;
    const outgoing_txs: Transaction[] = [
      { ...payout, status: "failed" },
      { ...payout, status: "pending" },
    ];
    const stateOf = (order: Partial<Order>) =>
      toTimelineSteps(makeOrder({ status: "completed", ...order }), context).at(-1)?.state;
    expect([stateOf({ outgoing_txs }), stateOf({})]).toEqual(["current", "done"]);
  });

  it("counts down to the last confirmation, unless the payment has to wait for longer", () => {
    const pending = { ...makeDeposit("250"), status: "pending" as const, confirmations: 2 };
    const detailOf = (tx: Transaction) =>
      toTimelineSteps(makeOrder({ status: "confirming", incoming_txs: [tx] }), context)[2]?.detail;
    expect(detailOf(pending)).toBe("about 12 seconds left");
    expect(detailOf({ ...pending, awaits_finality: true })).toMatch(/undo your payment: about 15 minutes in all$/);
  });

  it("says that a deposit was too small to send back", () => {
    const order = makeOrder({ status: "refunded", incoming_txs: [makeDeposit("0.1")] });
    expect(toTimelineSteps(order, context).at(-1)?.title).toBe("Too little to send back");
    const gone = { ...order, received_amount: "0" };
    expect(toTimelineSteps(gone, context).at(-1)?.title).toBe("Nothing to send back");
  });
});
