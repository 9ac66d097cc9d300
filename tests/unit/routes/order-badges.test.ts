import { describe, expect, it } from "vitest";
import type { CurrentRates, Order } from "~/api/contract";
import { plainNumberStyle } from "~/lib/number-style";
import { toOrderRow } from "~/routes/doger/activity/order-row";
import { toShownState } from "~/routes/swap/quote/order/shown-state";
import { toSituation } from "~/routes/swap/quote/order/situation";
import { makeOrder, makeTransaction } from "../../support/orders";
import { makeRates } from "../../support/rates";

const nowMs = Date.parse("2030-01-01T01:00:00.000Z");
const { history: _, ...rates } = makeRates();

/** Sending it back costs 25 USDT. */
const undecided = (reason: NonNullable<Order["decision"]>["reason"], amount: string) =>
  makeOrder({
    status: "needs_decision",
    decision: { reason, deadline: "2030-01-04T00:00:00.000Z", choices: ["refund"], refund_cost: "25", offer: null },
    incoming_txs: [makeTransaction({ amount })],
  });

const onPage = (order: Order) => {
  const situation = toSituation(order, { pay: null, rates }, nowMs, { underWay: null, ended: null });
  return toShownState(order, situation, { numbers: plainNumberStyle, nowMs, graceSeconds: 120 }).badge.label;
};
const inList = (order: Order, known: CurrentRates | null = rates) => toOrderRow(order, known, nowMs).badge.label;

describe("the badge of an order", () => {
  it.each([
    ["a late payment above the minimum, which may get a new price", undecided("late", "20"), "Needs your decision"],
    ["a late payment that can be sent back", undecided("late", "30"), "Needs your decision"],
    ["a late payment below the minimum", undecided("late", "5"), "Too little to send back"],
    ["a payment below the minimum", undecided("below_minimum", "5"), "Too little to send back"],
    ["a failed payout, which never gets a new price", undecided("payout_failed", "20"), "Too little to send back"],
    ["a payment that can still arrive", makeOrder(), "Time is up"],
  ])("is the same on its page and in lists: %s", (_, order, label) => {
    expect([onPage(order), inList(order)]).toEqual([label, label]);
  });

  it("doesn't say that there is nothing to choose if the minimum is unknown", () => {
    expect(inList(undecided("late", "5"), null)).toBe("Needs your decision");
    expect(inList(undecided("payout_failed", "5"), null)).toBe("Too little to send back");
  });
});
