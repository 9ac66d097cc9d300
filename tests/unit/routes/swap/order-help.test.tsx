import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Order } from "~/api/contract";
import { OrderHelp } from "~/routes/swap/quote/order-help";
import { makeOrder } from "./fixtures";

const linkOf = (order: Partial<Order>) =>
  /href="([^"]*)"/.exec(renderToStaticMarkup(<OrderHelp order={{ ...makeOrder(), ...order }} />))?.[1];

describe("the help on an order's page", () => {
  it.each([
    ["USDT", "/help/wrong-network"],
    ["MOB", "/help/signal-limits"],
  ] as const)("before a payment of %s leads to %s", (source_asset_symbol, path) => {
    expect(linkOf({ status: "awaiting_deposit", decision: null, source_asset_symbol })).toBe(path);
  });

  it.each([
    ["confirming", "/help/waiting"],
    ["paying_out", "/help/waiting"],
    ["on_hold", "/help/hold"],
    ["refunding", "/help/refunds"],
    ["expired", "/help/late"],
    ["completed", undefined],
  ] as const)("of a swap that is %s leads to %s", (status, path) => {
    expect(linkOf({ status, decision: null })).toBe(path);
  });

  it.each([
    ["late", "/help/late"],
    ["underpaid", "/help/too-little"],
    ["above_maximum", "/help/too-much"],
    ["payout_failed", "/help/refunds"],
  ] as const)("of a swap that needs a decision, because of %s, leads to %s", (reason, path) => {
    const decision = { reason, choices: [], offer: null } as unknown as Order["decision"];
    expect(linkOf({ status: "needs_decision", decision })).toBe(path);
  });
});
