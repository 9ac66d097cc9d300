import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Order } from "~/api/contract";
import { OrderHelp } from "~/routes/swap/quote/order/order-help";
import { type OrderView, OrderViewProvider } from "~/routes/swap/quote/order/order-view";
import type { OrderSituation } from "~/routes/swap/quote/order/situation";
import { makeOrder } from "../../../support/orders";
import { makeStoredPayment } from "./fixtures";

const usual = { underWay: null, isInGrace: false };
const underWay = makeStoredPayment();

const linksOf = (order: Partial<Order>, situation: Partial<OrderSituation> = {}) => {
  const view = { order: makeOrder(order), situation: { ...usual, ...situation } } as OrderView;
  const html = renderToStaticMarkup(
    <OrderViewProvider value={view}>
      <OrderHelp />
    </OrderViewProvider>,
  );
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, path]) => path);
};

describe("the help on an order's page", () => {
  it.each([
    ["USDT", "/help/wrong-network"],
    ["MOB", "/help/signal-limits"],
  ] as const)("links from an order in %s that is not paid yet to %s", (source_asset_symbol, path) => {
    expect(linksOf({ status: "awaiting_deposit", decision: null, source_asset_symbol })).toEqual([path]);
  });

  it.each([
    ["has been sent from a wallet here", { underWay }, "/help/waiting"],
    ["is late", { isInGrace: true }, "/help/late"],
    ["has been sent from a wallet here and is late", { underWay, isInGrace: true }, "/help/waiting"],
  ])("links to the answer about a payment that %s and is not seen yet", (_, state, path) => {
    expect(linksOf({ status: "awaiting_deposit", decision: null }, state)).toEqual([path]);
  });

  it.each([
    ["confirming", "/help/waiting"],
    ["paying_out", "/help/waiting"],
    ["on_hold", "/help/hold"],
    ["refunding", "/help/refunds"],
    ["completed", undefined],
  ] as const)("links from a swap that is %s to %s", (status, path) => {
    expect(linksOf({ status, decision: null })).toEqual(path ? [path] : []);
  });

  it.each([
    ["USDT", ["/help/late", "/help/wrong-network"]],
    ["MOB", ["/help/late"]],
  ] as const)("links from a swap whose %s was not paid in time to %s", (source_asset_symbol, paths) => {
    expect(linksOf({ status: "expired", decision: null, source_asset_symbol })).toEqual(paths);
  });

  it.each([
    ["late", "/help/late"],
    ["underpaid", "/help/too-little"],
    ["above_maximum", "/help/too-much"],
    ["payout_failed", "/help/refunds"],
  ] as const)("links from a swap that needs a decision because of %s to %s", (reason, path) => {
    const decision = { reason, choices: [], offer: null } as unknown as Order["decision"];
    expect(linksOf({ status: "needs_decision", decision })).toEqual([path]);
  });
});
