import { describe, expect, it } from "vitest";
import type { Transaction } from "~/api/contract";
import { countMoreDeposits, toMissing, toProgress, toReceived, toRefund } from "~/swaps/order-sums";
import { makeOrder, makeTransaction } from "../../support/orders";

const deposit = (amount: string, changes: Partial<Transaction> = {}) =>
  makeTransaction({ id: amount, amount, ...changes });

describe("order sums", () => {
  it("adds up deposits without failed ones, and never reports a negative amount missing", () => {
    const order = makeOrder({
      incoming_txs: [deposit("100.5"), deposit("49.5", { id: "b" }), deposit("70", { id: "c", status: "failed" })],
    });
    expect([toReceived(order), toMissing(order)]).toEqual(["150", "100"]);
    expect(toMissing(makeOrder({ incoming_txs: [deposit("300")] }))).toBe("0");
  });

  it("subtracts the cost from a refund, down to zero", () => {
    const order = makeOrder({ incoming_txs: [deposit("120")] });
    expect([toRefund(order, "1"), toRefund(order, "0"), toRefund(order, "120"), toRefund(order, "121")]).toEqual([
      "119",
      "120",
      "0",
      "0",
    ]);
  });

  it.each([
    ["the number of those that have not failed", { received_count: 30, incoming_count: 40 }, 29],
    ["only the number of all", { incoming_count: 40 }, 38],
    ["none that counts", { received_count: 1, incoming_count: 40 }, 0],
    ["no number", {}, 0],
  ])("counts the deposits that are not listed, without failed ones if it can: %s", (_what, counts, more) => {
    const incoming_txs = [deposit("1"), deposit("2", { status: "failed" })];
    expect(countMoreDeposits({ incoming_txs, ...counts })).toBe(more);
  });

  it("reports the confirmations of the slowest deposit", () => {
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
