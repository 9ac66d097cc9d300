import { describe, expect, it } from "vitest";
import type { Decision, Order } from "~/api/contract";
import type { OrderPageData } from "~/routes/swap/quote/loader.server";
import { type OrderSituation, toSituation } from "~/routes/swap/quote/order/situation";
import type { StoredPayment } from "~/wallet/stored-payment";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { makeStoredPayment, rates } from "./fixtures";

const inTime = Date.parse("2030-01-01T00:10:00.000Z");
const tooLate = Date.parse("2030-01-01T00:30:00.000Z");
const pay = { paymentCode: { path: "", size: 1 }, addressCode: { path: "", size: 1 } } as OrderPageData["pay"];
const sent = makeStoredPayment();
const asked = makeStoredPayment("asked");

const decision: Decision = {
  reason: "underpaid",
  deadline: "2030-01-04T00:00:00.000Z",
  choices: ["refund"],
  refund_cost: "5",
  offer: null,
};
const deposit = (amount: string) => ({ incoming_txs: [makeTransaction({ amount })] });
const confirming: Partial<Order> = { status: "confirming", ...deposit("100") };
const underpaid: Partial<Order> = { status: "needs_decision", decision, ...deposit("100") };
const dust: Partial<Order> = { ...underpaid, ...deposit("4") };

/** The names of what is true, in the order in which they are declared. */
function listTrue(situation: OrderSituation): string[] {
  return Object.entries(situation).flatMap(([name, value]) => (value === true ? [name] : []));
}

describe("the situation of an order", () => {
  it.each<[string, Partial<Order>, number, StoredPayment | null, string[]]>([
    ["before a payment", {}, inTime, null, ["canPay", "showsTimeToPay", "canCancel"]],
    ["while a wallet asks", {}, inTime, asked, ["canPay", "showsTimeToPay"]],
    ["once a wallet has paid", {}, inTime, sent, ["canPay"]],
    ["after the time to pay", {}, tooLate, null, ["isInGrace"]],
    ["after the time to pay, if a wallet has paid", {}, tooLate, sent, ["isInGrace"]],
    ["while too little is confirmed", confirming, inTime, null, ["canPay", "showsTimeToPay"]],
    ["while too little is confirmed and a wallet has sent the rest", confirming, inTime, sent, ["canPay"]],
    ["while too little is confirmed, after the time to pay", confirming, tooLate, null, []],
    ["while all of it is confirmed", { ...confirming, ...deposit("250") }, inTime, null, []],
    ["if too little has arrived", underpaid, inTime, null, ["canPay"]],
    ["if too little has arrived, after the time to pay", underpaid, tooLate, null, []],
    ["if less than the fee has arrived", dust, inTime, null, ["canPay"]],
    ["if less than the fee has arrived, after the time to pay", dust, tooLate, null, ["isStuck"]],
    ["at the end", { status: "completed", ...deposit("250") }, inTime, null, []],
  ])("lists what applies %s", (_, order, nowMs, underWay, expected) => {
    const situation = toSituation(makeOrder(order), { pay, rates }, nowMs, { underWay, ended: null });
    expect(listTrue(situation)).toEqual(expected);
    expect(situation).toMatchObject({ underWay, ended: null });
  });

  it("has no address if the page was loaded without one while something may be paid", () => {
    const of = (order: Partial<Order>, nowMs: number) =>
      listTrue(toSituation(makeOrder(order), { pay: null, rates }, nowMs, { underWay: null, ended: null }));
    expect(of({}, inTime)).toEqual(["lacksAddress", "showsTimeToPay", "canCancel"]);
    expect(of(underpaid, inTime)).toEqual(["lacksAddress"]);
    expect(of({}, tooLate)).toEqual(["isInGrace"]);
    expect(of({ status: "completed" }, inTime)).toEqual([]);
  });
});
