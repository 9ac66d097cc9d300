import { describe, expect, it } from "vitest";
import { isGrace } from "~/swaps/order-rules";
import { makeOrder } from "../../support/orders";

describe("the grace period", () => {
  it("T53 starts at the deadline of an order for which nothing was seen", () => {
    const order = makeOrder();
    const endsMs = Date.parse(order.expires_at);
    expect(isGrace(order, endsMs - 1)).toBe(false);
    expect(isGrace(order, endsMs)).toBe(true);
    expect(isGrace({ ...order, status: "confirming" }, endsMs)).toBe(false);
  });
});
