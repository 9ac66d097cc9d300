import { describe, expect, it } from "vitest";
import { countOrders } from "~/routes/doger/activity/count-orders";
import { makeCompletedOrder, makeTransaction } from "../../../support/orders";
import { toTotals } from "../../../support/totals";

describe("the totals of orders", () => {
  it("S09 leaves failed transactions out of the deposited and withdrawn totals", () => {
    const order = makeCompletedOrder({
      incoming_txs: [makeTransaction({ amount: "100" }), makeTransaction({ amount: "70", status: "failed" })],
      outgoing_txs: [
        makeTransaction({ purpose: "payout", asset_symbol: "MOB", amount: "5", status: "failed" }),
        makeTransaction({ purpose: "payout", asset_symbol: "MOB", amount: "284.5" }),
      ],
    });
    expect(toTotals([order])).toEqual([
      { asset: "USDT", deposited: "100", withdrawn: "0" },
      { asset: "MOB", deposited: "0", withdrawn: "284.5" },
    ]);
  });

  it("S09 counts pending transactions, and refunds as withdrawn, each in its own asset", () => {
    const order = makeCompletedOrder({
      incoming_txs: [makeTransaction({ amount: "100", status: "pending" })],
      outgoing_txs: [makeTransaction({ purpose: "refund", amount: "40.25", status: "pending", hash: null })],
    });
    expect(toTotals([order, order])).toEqual([
      { asset: "USDT", deposited: "200", withdrawn: "80.5" },
      { asset: "MOB", deposited: "0", withdrawn: "0" },
    ]);
  });

  it("adds amounts exactly, beyond the precision of a JavaScript number", () => {
    const orders = Array.from({ length: 3 }, () =>
      makeCompletedOrder({
        incoming_txs: [makeTransaction({ asset_symbol: "MOB", amount: "9007199.254740993" })],
        outgoing_txs: [],
      }),
    );
    expect(toTotals(orders)[1]?.deposited).toBe("27021597.764222979");
  });

  it("is zero without orders", () => {
    expect(toTotals([])).toEqual([
      { asset: "USDT", deposited: "0", withdrawn: "0" },
      { asset: "MOB", deposited: "0", withdrawn: "0" },
    ]);
  });
});

describe("countOrders", () => {
  async function* walkOrders() {
    for (let page = 0; page < 3; page++) yield [makeCompletedOrder(), makeCompletedOrder()];
  }

  it("counts the orders of all pages", async () => {
    expect(await countOrders({ walkOrders })).toMatchObject({
      orders: 6,
      capped: false,
      totals: [{ deposited: "600" }, {}],
    });
  });

  it("reports whether it stopped at the limit before the last order", async () => {
    expect(await countOrders({ walkOrders }, 5)).toMatchObject({
      orders: 5,
      capped: true,
      totals: [{ deposited: "500" }, {}],
    });
    expect(await countOrders({ walkOrders }, 6)).toMatchObject({ orders: 6, capped: false });
  });
});
