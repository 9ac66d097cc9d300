import { describe, expect, it } from "vitest";
import type { Order } from "~/api/contract";
import { toStanding } from "~/swaps/order-rules";
import { toStatusBadge } from "~/swaps/status-badges";
import { makeOrder } from "../../support/orders";
import { makeRates } from "../../support/rates";

const now = Date.parse("2030-01-01T00:02:00.000Z");

describe("an order's badge", () => {
  it("asks for neither a payment nor a decision once there is nothing to do", () => {
    const labelOf = (changes: Partial<Order>, nowMs = now) => {
      const order = makeOrder(changes);
      return toStatusBadge(order, toStanding(order, makeRates(), nowMs)).label;
    };
    const end = Date.parse(makeOrder().expires_at);
    expect(labelOf({}, end - 1)).toBe("Waiting for your payment");
    expect(labelOf({}, end)).toBe("Time is up");
    const undecided = (amount: string, changes: Partial<Order["decision"]> = {}): Partial<Order> => ({
      status: "needs_decision",
      decision: {
        reason: "late",
        deadline: "2030-01-04T00:00:00.000Z",
        choices: ["refund"],
        offer: null,
        amount,
        ...changes,
      },
    });
    const refund_cost = "1.5";
    expect(labelOf(undecided("1.5", { refund_cost }))).toBe("Too little to send back");
    expect(labelOf(undecided("1.500001", { refund_cost }))).toBe("Needs your decision");
    expect(labelOf(undecided("1.5"))).toBe("Needs your decision");
    expect(labelOf(undecided("1.5", { refund_cost, choices: ["requote", "refund"] }))).toBe("Needs your decision");
    const topUp = undecided("1.5", { refund_cost, reason: "underpaid" });
    expect([labelOf(topUp, end - 1), labelOf(topUp, end)]).toEqual(["Needs your decision", "Too little to send back"]);
  });
});
