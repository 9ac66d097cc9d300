import { describe, expect, it } from "vitest";
import { canTransition, isFinal, type OrderStatus, orderStatuses } from "~/lib/order-states";

/** Every legal transition, written down a second time by hand; all other pairs are illegal. */
const legal: [OrderStatus, OrderStatus][] = [
  ["awaiting_deposit", "confirming"],
  ["awaiting_deposit", "expired"],
  ["awaiting_deposit", "cancelled"],
  ["confirming", "awaiting_deposit"],
  ["confirming", "needs_decision"],
  ["confirming", "paying_out"],
  ["confirming", "on_hold"],
  ["needs_decision", "confirming"],
  ["needs_decision", "paying_out"],
  ["needs_decision", "refunding"],
  ["needs_decision", "on_hold"],
  ["paying_out", "completed"],
  ["paying_out", "confirming"],
  ["paying_out", "needs_decision"],
  ["paying_out", "on_hold"],
  ["completed", "refunding"],
  ["refunding", "refunded"],
  ["refunding", "on_hold"],
  ["expired", "confirming"],
  ["expired", "needs_decision"],
  ["on_hold", "confirming"],
  ["on_hold", "needs_decision"],
  ["on_hold", "paying_out"],
  ["on_hold", "refunding"],
];

describe("the statuses of an order", () => {
  for (const from of orderStatuses) {
    for (const to of orderStatuses) {
      const isAllowed = legal.some(([a, b]) => a === from && b === to);
      it(`${isAllowed ? "allows" : "forbids"} ${from} → ${to}`, () => {
        expect(canTransition(from, to)).toBe(isAllowed);
      });
    }
  }

  it("has exactly three final statuses: completed, refunded and cancelled", () => {
    expect(orderStatuses.filter(isFinal)).toEqual(["completed", "refunded", "cancelled"]);
  });
});
