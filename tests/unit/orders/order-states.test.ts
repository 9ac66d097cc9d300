import { describe, expect, test } from "vitest";
import { canTransition, isFinal, type OrderStatus, orderStatuses } from "../../../app/lib/order-states";

/** order-lifecycle.md, written down a second time by hand: the table must say exactly this. */
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
  ["paying_out", "needs_decision"],
  ["paying_out", "on_hold"],
  ["refunding", "refunded"],
  ["refunding", "on_hold"],
  ["expired", "needs_decision"],
  ["on_hold", "confirming"],
  ["on_hold", "needs_decision"],
  ["on_hold", "paying_out"],
  ["on_hold", "refunding"],
];

describe("the states of an order", () => {
  for (const from of orderStatuses) {
    for (const to of orderStatuses) {
      const may = legal.some(([a, b]) => a === from && b === to);
      test(`${from} → ${to} is ${may ? "legal" : "illegal"}`, () => {
        expect(canTransition(from, to)).toBe(may);
      });
    }
  }

  test("completed, refunded and cancelled are final, and nothing else is", () => {
    expect(orderStatuses.filter(isFinal)).toEqual(["completed", "refunded", "cancelled"]);
  });
});
