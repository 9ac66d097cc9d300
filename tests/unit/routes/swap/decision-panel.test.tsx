// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Decision, Order } from "~/api/contract";
import type { OrderPageData } from "~/routes/swap/quote/loader.server";
import { DecisionPanel } from "~/routes/swap/quote/order/decision-panel";
import { OrderViewProvider } from "~/routes/swap/quote/order/order-view";
import { toSituation } from "~/routes/swap/quote/order/situation";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { makeQuote } from "../../../support/quotes";
import { translate } from "../../../support/translate";
import { rates } from "./fixtures";

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const nowMs = Date.parse("2030-01-01T00:10:00.000Z");
const deposit = (amount: string, asset: "USDT" | "MOB" = "USDT") =>
  makeTransaction({ id: amount, asset_symbol: asset, amount, created_at: "2030-01-01T00:01:00.000Z" });

let shown: { order: Order; page: OrderPageData };
let update: () => void = () => undefined;
const posted: FormData[] = [];
function Panel() {
  const [, setCount] = useState(0);
  update = () => act(() => setCount((count) => count + 1));
  const situation = toSituation(shown.order, shown.page, nowMs, { underWay: null, ended: null });
  return (
    <OrderViewProvider value={{ ...shown, situation, nowMs, here: "/here" }}>
      <DecisionPanel />
    </OrderViewProvider>
  );
}

function show(changes: Partial<Order>, changedRates: Partial<typeof rates> = {}) {
  const order = makeOrder({ status: "needs_decision", ...changes });
  const names = { deliveryName: "“My Signal” · 6UEtk…r2Uh", refundName: "“My wallet” · 0x3C44…93BC" };
  // Without `pay`, the panel offers no further payment.
  shown = { order, page: { ...names, pay: null, rates: { ...rates, ...changedRates } } as unknown as OrderPageData };
  posted.length = 0;
  const action = async ({ request }: { request: Request }) => {
    posted.push(await request.formData());
    return new Promise<never>(() => undefined);
  };
  const Stub = createRemixStub([
    { path: "/", Component: Panel },
    { path: "/here", action },
  ]);
  render(<Stub initialEntries={["/"]} />);
  /** The terms and values of a choice, in the order in which they are read. The last opens the whole address. */
  return (name: string) => {
    const choice = screen.getByRole("region", { name });
    const rows = [...choice.querySelectorAll("dl > div, summary > :first-child > span")];
    const outcome = rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(": "));
    const button = within(choice).getByRole("button");
    const follows = button.compareDocumentPosition(rows.at(-1) as Node) & Node.DOCUMENT_POSITION_PRECEDING;
    return { outcome, address: choice.querySelector("code")?.textContent, button: button.textContent, follows };
  };
}

const decision = (
  reason: "underpaid" | "late",
  choices: ("accept" | "requote" | "refund")[],
  accept?: Decision["accept"],
): Decision => ({
  reason,
  deadline: "2030-01-04T00:00:00.000Z",
  choices,
  accept,
  offer: choices.includes("requote")
    ? makeQuote({ source_amount: "60", target_amount: "165.1234", fee_amount: "0.3", exchange_rate: "2.766" })
    : null,
});

describe("a decision about a payment", () => {
  it("covers what is confirmed, and says that another payment is being confirmed", () => {
    const pending = { ...deposit("40"), status: "pending" } as const;
    const incoming_txs = [deposit("60"), pending];
    const read = show({ decision: { ...decision("underpaid", ["refund"]), amount: "60" }, incoming_txs });
    expect(read("Get it back").outcome[0]).toMatch(/^You get back: (5\d|60)\./);
    screen.getByText(/^Another 40\.00.USDT is being confirmed\. If you wait/);
    cleanup();
    // A surplus that was refunded is not refunded again.
    const refunded = show({
      decision: { ...decision("late", ["refund"]), amount: "60" },
      incoming_txs: [deposit("300")],
    });
    expect(refunded("Get it back").outcome[0]).toMatch(/^You get back: (5\d|60)\./);
    expect(screen.queryByText(/is being confirmed/)).toBeNull();
  });

  it("shows before each button what it leads to: amount, fee, rate and address", () => {
    const stated = { target_amount: "170.571428571377", fee_amount: "0.3" };
    const read = show({ decision: decision("underpaid", ["accept", "refund"], stated), incoming_txs: [deposit("60")] });
    const accept = read("Swap what arrived");
    expect(accept.outcome).toEqual([
      "You receive: 170.5714\u00a0MOB",
      "Fee, included: 0.30\u00a0USDT (0.5%)",
      "Rate: 1 USDT = 2.8571 MOB",
      "To: “My Signal” · 6UEtk…r2Uh",
    ]);
    expect(accept).toMatchObject({ address: "mob-address", button: expect.stringMatching(/^Swap 60\.00.USDT/) });
    expect(accept.follows).toBeTruthy();
    // Pointing at the amount shows all its digits.
    expect(screen.getByTitle("170.571428571377 MOB").textContent).toBe("170.5714\u00a0MOB");
    const refund = read("Get it back");
    expect(refund.outcome).toEqual([
      "You get back: 60.00\u00a0USDT",
      "Network fee, deducted: none",
      "To: “My wallet” · 0x3C44…93BC",
    ]);
    expect(refund.address).toBe(makeOrder().refund_address);
    expect(refund.follows).toBeTruthy();
  });

  it("shows the minimum fee that a small underpayment costs", () => {
    const read = show({
      decision: decision("underpaid", ["accept", "refund"], {
        target_amount: "9.999999",
        fee_amount: "1.428571428572",
      }),
      source_asset_symbol: "MOB",
      target_asset_symbol: "USDT",
      source_amount: "300",
      exchange_rate: "0.350000000000",
      incoming_txs: [deposit("30", "MOB")],
    });
    expect(read("Swap what arrived").outcome).toEqual(
      expect.arrayContaining(["You receive: 9.999999\u00a0USDT", "Minimum fee, included: 1.4286\u00a0MOB (4.8%)"]),
    );
  });

  it("does not state an amount for a swap at the locked rate if the exchange states none, whatever is published now", () => {
    const read = show({ decision: decision("underpaid", ["accept", "refund"]), incoming_txs: [deposit("60")] });
    expect(read("Swap what arrived").outcome).toEqual(["Rate: 1 USDT = 2.8571 MOB", "To: “My Signal” · 6UEtk…r2Uh"]);
  });

  it("shows the new price of a late payment, and what a refund costs", () => {
    const late = { decision: decision("late", ["requote", "refund"]), incoming_txs: [deposit("60")] };
    const read = show(late, { refund_cost: { USDT: "1.5", MOB: "0" } });
    const swap = read("Swap what arrived at a new price");
    expect(swap.outcome).toEqual(
      expect.arrayContaining(["You receive: 165.1234\u00a0MOB", "Rate: 1 USDT = 2.7660 MOB"]),
    );
    expect(swap.button).toBe("Swap for 165.1234\u00a0MOB at the new price");
    expect(read("Get it back").outcome).toEqual(
      expect.arrayContaining(["You get back: 58.50\u00a0USDT", "Network fee, deducted: 1.50\u00a0USDT"]),
    );
  });

  it("is said to be final before the choices", () => {
    show({ decision: decision("underpaid", ["accept", "refund"]), incoming_txs: [deposit("60")] });
    const [first] = screen.getAllByRole("region");
    const warning = screen.getByText("Choose one. You can't change it later.");
    expect(warning.compareDocumentPosition(first as Node) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    cleanup();
    show({ decision: decision("late", ["refund"]), incoming_txs: [deposit("60")] });
    expect(screen.getByText("You can't change this later.")).toBeTruthy();
    cleanup();
    show(
      { decision: decision("late", ["refund"]), incoming_txs: [deposit("1")] },
      { refund_cost: { USDT: "1.5", MOB: "0" } },
    );
    expect(screen.queryByText(/You can't change/)).toBeNull();
    expect(screen.getByText(/is less than the network fee/)).toBeTruthy();
  });

  it.each<[string, Parameters<typeof decision>, string]>([
    ["nothing else is possible", ["late", ["refund"]], "We'll hold it"],
    ["it can be swapped", ["late", ["requote", "refund"]], "Unless you swap it, we'll hold it"],
    ["the rest can be sent", ["underpaid", ["refund"]], "Unless you send more, we'll hold it"],
    ["either is possible", ["underpaid", ["accept", "refund"]], "Unless you swap it or send more, we'll hold it"],
  ])("says when we hold an amount below the network fee if %s", (_, given, text) => {
    show({ decision: decision(...given), incoming_txs: [deposit("60")] }, { refund_cost: { USDT: "70", MOB: "0" } });
    expect(screen.getByText(/is less than the network fee/).textContent).toContain(`for sending it back. ${text} and`);
  });

  const noOffer = "We can't offer a new price for this amount right now";
  const ended = "2030-01-01T00:09:00.000Z";

  it.each<[string, Parameters<typeof decision>, string?]>([
    ["after a late payment that is outside the limits", ["late", ["refund"]]],
    ["after a late payment while no price is offered", ["late", ["requote", "refund"]]],
    ["for what arrived in time", ["underpaid", ["refund"]], ended],
    ["when the locked price ends on an open page", ["underpaid", ["accept", "refund"]], "2030-01-01T00:07:55.000Z"],
  ])("says that there is no new price %s", (_, given, expires_at = makeOrder().expires_at) => {
    show({ decision: { ...decision(...given), offer: null }, incoming_txs: [deposit("60")], expires_at });
    expect(screen.getByText(noOffer).parentElement?.textContent).toMatch(
      /get your money back, or check this page again while/,
    );
    expect(screen.getAllByRole("region").map((choice) => choice.getAttribute("aria-label"))).toEqual(["Get it back"]);
  });

  it.each([
    ["USDT", "0.7", "0.70\u00a0USDT is below our minimum of 10\u00a0USDT, so we can't swap it."],
    ["MOB", "20", "20.00\u00a0MOB is now worth less than our minimum of 10\u00a0USDT, so we can't swap it."],
  ] as const)("says that a late payment in %s is too small for a swap", (source, amount, text) => {
    show({
      decision: decision("late", ["refund"]),
      source_asset_symbol: source,
      target_asset_symbol: source === "USDT" ? "MOB" : "USDT",
      incoming_txs: [deposit(amount, source)],
    });
    expect(screen.getByText(text, { normalizer: (shown) => shown })).toBeTruthy();
    expect(screen.queryByText(noOffer)).toBeNull();
    expect(screen.getByRole("button", { name: /back to me$/ })).toBeTruthy();
  });

  it("says how long the locked price can be chosen, and what follows", () => {
    show({
      decision: decision("underpaid", ["accept", "refund"]),
      incoming_txs: [deposit("60")],
      expires_at: "2030-01-01T00:30:00.000Z",
    });
    const accept = screen.getByRole("region", { name: "Swap what arrived" });
    expect(accept.textContent).toContain(
      "The locked price is valid for 22 minutes. After that, we offer you a new price, if we can.",
    );
  });

  it.each<[string, Parameters<typeof decision>, string?]>([
    ["with a new price", ["late", ["requote", "refund"]]],
    ["while the rest can be sent", ["underpaid", ["refund"]]],
    ["while the locked price still counts", ["underpaid", ["accept", "refund"]], ended],
  ])("does not say that %s", (_, given, expires_at = makeOrder().expires_at) => {
    show({ decision: decision(...given), incoming_txs: [deposit("60")], expires_at });
    expect(screen.queryByText(noOffer)).toBeNull();
  });

  it.each([
    ["until the last millisecond of the grace period", "2030-01-01T00:08:00.000Z", 2],
    ["not after it, even if the page has not been updated", "2030-01-01T00:07:59.999Z", 1],
  ])("offers the locked price %s", (_, expires_at, choices) => {
    show({ decision: decision("underpaid", ["accept", "refund"]), incoming_txs: [deposit("60")], expires_at });
    expect(screen.getAllByRole("region")).toHaveLength(choices);
    expect(screen.queryByRole("button", { name: /at the locked price/ }) !== null).toBe(choices === 2);
    // The exchange still has to make an offer.
    expect(screen.queryByText(noOffer)).toBeNull();
  });

  it.each(["swap", "refund"])("is not made by a click that was meant for the amount before: %s", async (choice) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const late = decision("late", ["requote", "refund"]);
    show({ decision: late, incoming_txs: [deposit("60")] });
    await pass(1_000);
    const button = screen.getByRole("button", { name: choice === "swap" ? /^Swap for 165\.1234/ : /back to me$/ });
    button.focus();
    // The exchange replaces its offer every minute, on the open page.
    const offer = makeQuote({ id: 99, source_amount: "60", target_amount: "160", exchange_rate: "2.68" });
    shown.order = { ...shown.order, decision: { ...late, offer } };
    update();
    fireEvent.click(button);
    await pass(900);
    fireEvent.click(button);
    await pass(0);
    expect(posted).toHaveLength(0);
    expect(document.activeElement).toBe(button);
    await pass(100);
    fireEvent.click(button);
    await vi.waitFor(() => expect(posted).toHaveLength(1));
    expect(Object.fromEntries(posted[0] ?? [])).toMatchObject(
      choice === "swap" ? { intent: "requote", offer: "99" } : { intent: "refund" },
    );
  });

  it("can be made on a page that the browser has translated", async () => {
    show({ decision: decision("late", ["requote", "refund"]), incoming_txs: [deposit("60")] });
    translate(document.body);
    const [swap] = screen.getAllByRole("button");
    expect(swap?.textContent).toMatch(/^¿Swap for/);
    await act(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
    fireEvent.click(swap as HTMLElement);
    await waitFor(() => expect(swap?.textContent).toBe("Starting the swap…"));
  });
});
