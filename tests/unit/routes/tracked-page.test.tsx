// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { TrackedOrder } from "~/api/contract";
import Track from "~/routes/track/route";
import { makeOrder, makeTransaction } from "../../support/orders";
import "../../support/site";

afterEach(cleanup);

function show(order: TrackedOrder | "unavailable", search = ""): HTMLElement {
  const Stub = createRemixStub([{ path: "/", id: "track", loader: () => null, Component: Track }]);
  return render(<Stub initialEntries={[`/${search}`]} hydrationData={{ loaderData: { track: { order } } }} />)
    .container;
}

it.each<[TrackedOrder["status"], boolean]>([
  ["confirming", true],
  ["completed", false],
])("the page of a tracking link to a swap that is %s is loaded again without scripts: %s", (status, isRefreshed) => {
  const container = show({ ...makeOrder({ status }), transactions: [] });
  // React leaves it empty in a browser.
  expect(container.querySelector("noscript") !== null).toBe(isRefreshed);
});

it("the page of a tracking link is not finished while a refund of the completed swap is on its way", () => {
  const textWith = (status: "pending" | "confirmed") => {
    cleanup();
    const transactions = [makeTransaction({ purpose: "refund", status })];
    const container = show({ ...makeOrder({ status: "completed" }), transactions });
    return [container.querySelector("noscript") !== null, /swap is finished/.test(container.textContent ?? "")];
  };
  expect([textWith("pending"), textWith("confirmed")]).toEqual([
    [true, false],
    [false, true],
  ]);
});

it("the page of a tracking link says when a payout was sent, which may be long after it was planned", () => {
  const payout = makeTransaction({ purpose: "payout", sent_at: "2030-01-02T00:02:00.000Z" });
  const container = show({ ...makeOrder({ status: "completed" }), transactions: [payout] });
  expect(container.querySelector(`time[datetime="${payout.sent_at}"]`)).not.toBeNull();
  expect(container.querySelector(`time[datetime="${payout.created_at}"]`)).toBeNull();
});

it("the page of a tracking link loads itself again while the exchange does not respond", () => {
  const container = show("unavailable");
  expect(container.textContent).toContain("We can't show this swap right now");
  expect(container.querySelector("noscript")).not.toBeNull();
  expect(container.querySelector("script[type=module]")).not.toBeNull();
});

it("WCAG 2.2.1 is not loaded again once the visitor has stopped that, with and without scripts", () => {
  const order = { ...makeOrder({ status: "confirming" }), transactions: [] };
  const follow = (container: HTMLElement, name: string) =>
    within(container).getByRole("link", { name }).getAttribute("href") ?? "";
  const stop = follow(show(order), "Stop updating this page automatically");
  cleanup();
  const stopped = show(order, stop);
  expect(stopped.querySelector("noscript, script[type=module]")).toBeNull();
  expect(stopped.textContent).toContain("This page doesn't update automatically.");
  const resume = follow(stopped, "Update automatically");
  cleanup();
  expect(show(order, resume).querySelector("noscript")).not.toBeNull();
});

it("the page of a swap whose payout is made again does not call it complete", () => {
  const payout = makeTransaction({ purpose: "payout", asset_symbol: "MOB" });
  const textWith = (...transactions: TrackedOrder["transactions"]) =>
    show({ ...makeOrder({ status: "completed" }), transactions }).textContent ?? "";
  expect(textWith(payout)).toContain("The swap is complete");
  cleanup();
  const again = textWith(
    { ...payout, status: "failed" },
    { ...payout, status: "pending", created_at: makeOrder().created_at },
  );
  expect(again).toContain("The payment is confirmed");
  expect(again).not.toMatch(/complete|final|Done|Received/);
});

it("the page of a swap that ended without a payout says what became of the payment", () => {
  const textWith = (received_amount: string, ...transactions: TrackedOrder["transactions"]) => {
    cleanup();
    return show({ ...makeOrder({ status: "refunded" }), received_amount, transactions }).textContent ?? "";
  };
  const refund = makeTransaction({ purpose: "refund" });
  expect(textWith("100", refund)).toContain("The payment was sent back.");
  expect(textWith("100", { ...refund, status: "pending" })).toContain("The swap is being refunded");
  expect(textWith("0.1")).toContain("There was too little to send back");
  expect(textWith("0")).toContain("There was nothing to send back");
  expect(textWith("0.1", makeTransaction({ status: "pending" }))).toContain("A payment arrived after the swap ended");
});

it.each([
  ["awaiting_deposit", "To receive"],
  ["paying_out", "To receive"],
  ["completed", "Received"],
  ["refunding", "Agreed to receive"],
  ["cancelled", "Agreed to receive"],
] as const)("the page of a swap that is %s calls the amount: %s", (status, term) => {
  const terms = [...show({ ...makeOrder({ status }), transactions: [] }).querySelectorAll("dt")];
  expect(terms.map(({ textContent }) => textContent)).toContain(term);
});

it.each(["expired", "cancelled"] as const)("the page of a swap that is %s says whether a payment arrived", (status) => {
  const textWith = (received_amount?: string) =>
    show({ ...makeOrder({ status }), received_amount, transactions: [] }).textContent ?? "";
  for (const nothing of [undefined, "0"]) expect(textWith(nothing)).toContain("No payment arrived.");
  const paid = textWith("100");
  expect(paid).toContain("A payment arrived");
  expect(paid).not.toContain("No payment");
});
