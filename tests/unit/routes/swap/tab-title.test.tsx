// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render } from "@testing-library/react";
import { type ComponentProps, useState } from "react";
import { createPortal } from "react-dom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import { plainLocale } from "~/lib/locale";
import { plainNumberStyle } from "~/lib/number-style";
import { OrderScreen } from "~/routes/swap/quote/order/order-screen";
import { toTabTitle } from "~/routes/swap/quote/order/shown-state";
import { type OrderSituation, toSituation } from "~/routes/swap/quote/order/situation";
import { meta } from "~/routes/swap/quote/route";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { stubEventSource } from "../../../support/stub-event-source";
import { makeOrderData } from "./fixtures";
import "../../../support/site";

const nowMs = Date.parse("2030-01-01T00:10:00.000Z");
const usual = toSituation(makeOrder(), makeOrderData(makeOrder()), nowMs, { underWay: null, ended: null });
const deposit = (confirmations: number, required_confirmations = 12) =>
  makeTransaction({ purpose: "deposit", status: "pending", confirmations, required_confirmations });

describe("the title of an order's tab", () => {
  const titleOf = (changes: Partial<Order>, situation: Partial<OrderSituation> = {}) =>
    toTabTitle(makeOrder(changes), { ...usual, ...situation }, plainNumberStyle);

  it.each<[string, Partial<Order>, Partial<OrderSituation>]>([
    ["Send 250.00\u00a0USDT", {}, {}],
    ["Time is up", {}, { isInGrace: true }],
    ["2/12 confirmed", { status: "confirming", incoming_txs: [deposit(2)] }, {}],
    ["Confirming", { status: "confirming", incoming_txs: [deposit(0, 1)] }, {}],
    ["Needs your decision", { status: "needs_decision" }, {}],
    ["Too little to send back", { status: "needs_decision" }, { isStuck: true }],
    [
      "Too little to send back",
      { status: "refunded", incoming_txs: [makeTransaction({ amount: "0.1" })], set_aside_amount: "0.1" },
      {},
    ],
    ["Done", { status: "completed" }, {}],
  ])("is “%s · Antelope”", (title, changes, situation) => {
    expect(titleOf(changes, situation)).toBe(`${title} · Antelope`);
  });
});

let getStream: () => EventTarget | undefined;
let load: (order: Order) => void;

beforeEach(() => {
  getStream = stubEventSource();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const confirmed = (confirmations: number) =>
  makeOrder({
    status: "confirming",
    incoming_txs: [deposit(confirmations)],
    updated_at: `2030-01-01T00:01:0${confirmations}.000Z`,
  });

/** The page with its `meta`, as Remix renders them. */
function Page() {
  const [data, setData] = useState(() => makeOrderData(confirmed(1)));
  load = (order) => act(() => setData(makeOrderData(order)));
  const args: unknown = { data, matches: [] };
  const tags = meta(args as Parameters<typeof meta>[0]) as ComponentProps<"title">[];
  return (
    <>
      {createPortal(<title>{tags[0]?.title}</title>, document.head)}
      <OrderScreen data={data} result={undefined} />
    </>
  );
}

describe("the title of an open order's tab", () => {
  it("keeps the state of the newest event if older data is loaded afterwards", () => {
    const terms = { supportEmail: null, codeTtlMs: 1, decisionTtlMs: 1, recoveryHoldMs: 1, overpaidToleranceBps: 1 };
    const root = { locale: plainLocale, terms };
    const Stub = createRemixStub([
      { id: "root", path: "", loader: () => root, children: [{ path: "/", Component: Page }] },
    ]);
    render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { root } }} />);
    expect(document.title).toBe("1/12 confirmed · Antelope");
    act(() => void getStream()?.dispatchEvent(new MessageEvent("order", { data: JSON.stringify(confirmed(3)) })));
    expect(document.title).toBe("3/12 confirmed · Antelope");
    load(confirmed(2));
    expect(document.title).toBe("3/12 confirmed · Antelope");
  });
});
