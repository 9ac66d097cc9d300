// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { KycStatus, Order, Transaction } from "~/api/contract";
import { plainLocale } from "~/lib/locale";
import { usualTerms } from "~/loaded-data/root-data";
import type { OrderData } from "~/routes/swap/quote/loader.server";
import { OrderScreen } from "~/routes/swap/quote/order/order-screen";
import { PageUpdates } from "~/routes/swap/quote/order/page-updates";
import { storePayment } from "~/wallet/stored-payment";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { stubEventSource } from "../../../support/stub-event-source";
import { makeOrderData, rates } from "./fixtures";
import "../../../support/site";

let getStream: () => EventTarget | undefined;
beforeEach(() => {
  getStream = stubEventSource();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

let shown = makeOrderData(makeOrder());
/** Loads the page's data again. */
const load = vi.fn<() => object>();
const Page = () => <OrderScreen data={shown} result={undefined} />;

function show(changes: Partial<Order> = {}, data: Partial<OrderData> = {}, supportEmail: string | null = null) {
  shown = makeOrderData(makeOrder(changes), data);
  const root = { locale: plainLocale, terms: { ...usualTerms, supportEmail } };
  load.mockReset().mockReturnValue(root);
  const Stub = createRemixStub([{ id: "root", path: "", loader: load, children: [{ path: "/", Component: Page }] }]);
  return render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { root } }} />).container;
}

/** The parts of the page that screen readers announce when they change, in their order. */
const announced = () => screen.getAllByRole("status").map(({ textContent }) => textContent);

it("names the day on which the price was locked, which may be days ago", () => {
  const container = show({ status: "on_hold", hold: { reason: "A check", deadline: "2030-01-04T00:00:00.000Z" } });
  const times = [...container.querySelectorAll(`time[datetime="${makeOrder().created_at}"]`)];
  expect(times.length).toBe(2);
  for (const { textContent } of times) expect(textContent).toMatch(/\b20\d\d\b/);
});

describe("the headings of the page of an order", () => {
  const readHeadings = () => screen.getAllByRole("heading").map(({ tagName, textContent }) => [tagName, textContent]);

  it("lead to how to pay, and to the progress", () => {
    const funding = { uri: "ethereum:0x1", address: "0x1", amount: "250", chain_id: 1, wallet_link: null };
    const code = { path: "", size: 1 };
    show({}, { pay: { funding, paymentCode: code, addressCode: code } as unknown as OrderData["pay"] });
    expect(readHeadings()).toEqual([
      ["H1", expect.stringMatching(/^Send exactly/)],
      ["H2", "How to pay"],
      ["H2", "Progress"],
    ]);
    expect(screen.getByRole("complementary", { name: "Progress" })).toBeTruthy();
    expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        "Network: only Ethereum",
        "Coin: only USDT",
        "Amount: exactly this, plus your wallet's network fee",
      ]),
    );
  });
});

describe("the page of an order whose owner is no longer verified", () => {
  const isPrimary = (name: string) =>
    /kinds_primary/.test(screen.getByText(name).closest("a, button")?.className ?? "");

  it("asks not to pay yet, and leads to Verification before any way to pay", () => {
    const token = `0x${"1".repeat(40)}`;
    const uri = `ethereum:${token}@1/transfer?address=${token}&uint256=250000000`;
    const funding = { uri, asset_symbol: "USDT", address: token, amount: "250", chain_id: 1, wallet_link: null };
    const code = { path: "", size: 1 };
    const pay = { funding, paymentCode: code, addressCode: code } as unknown as OrderData["pay"];
    show({}, { pay, kycStatus: "rejected" });
    screen.getByText("Don't pay yet: your identity isn't verified");
    screen.getByRole("link", { name: "Go to Verification" });
    expect([isPrimary("Go to Verification"), isPrimary("Pay with a wallet")]).toEqual([true, false]);
    cleanup();
    show({}, { pay, kycStatus: "approved" });
    expect(screen.queryByText(/Don't pay yet/)).toBeNull();
    expect(isPrimary("Pay with a wallet")).toBe(true);
  });
});

describe("the page of an order that needs a decision", () => {
  const decision = { reason: "late", deadline: "2030-01-04T00:00:00.000Z", choices: ["refund"], offer: null } as const;
  const deposit = (amount: string): Transaction => ({
    id: amount,
    status: "confirmed",
    asset_symbol: "USDT",
    amount,
    hash: "0x1",
    confirmations: 3,
    required_confirmations: 3,
    purpose: "deposit",
    created_at: "2030-01-01T00:31:00.000Z",
  });
  const late = (amount: string, cost: string) =>
    show(
      { status: "needs_decision", decision: { ...decision, choices: ["refund"] }, incoming_txs: [deposit(amount)] },
      { rates: { ...rates, refund_cost: { USDT: cost, MOB: "0" } } },
    ).textContent;

  it("says that there is nothing to do if what arrived is too little for either a swap or a refund", () => {
    expect(late("0.7", "1")).toContain("There is nothing you need to do");
    expect(screen.queryByText(/to decide$|your decision|as you choose/)).toBeNull();
    expect(screen.getAllByText("Too little to send back")).toHaveLength(2);
    expect(document.title).toBe("Too little to send back · Antelope");
    // The page can be left as it is, but an open swap prevents the deletion of the account.
    expect(screen.getByRole("button", { name: "Close this swap" }).getAttribute("value")).toBe("refund");
    cleanup();
    late("1.7", "1");
    expect(screen.queryByRole("button", { name: "Close this swap" })).toBeNull();
  });

  it("can also be closed after a failed payout, which no new price can replace", () => {
    const failed = { ...decision, reason: "payout_failed" as const, choices: ["refund" as const], refund_cost: "70" };
    show({ status: "needs_decision", decision: failed, incoming_txs: [deposit("60")] });
    expect(screen.getByRole("button", { name: "Close this swap" })).toBeTruthy();
    expect(screen.queryByText(/to decide$/)).toBeNull();
  });

  it("can't be closed while the rest is on its way", () => {
    const short = { ...decision, reason: "below_minimum" as const, choices: ["refund" as const], refund_cost: "1.5" };
    const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const rest = { address, tokenAddress: address, chainId: 1, amount: "249" } as const;
    storePayment(address, { ...rest, state: `0x${"ab".repeat(32)}` });
    show({ status: "needs_decision", decision: short, incoming_txs: [deposit("1")] });
    expect(screen.getByRole("heading", { name: /is on its way to us/ })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Close this swap" })).toBeNull();
    storePayment(address, null);
  });

  it.each([
    ["a refund", "5", "1"],
    ["a swap once there is a price", "60", "100"],
  ])("says how much time there is if it is enough for %s", (_, amount, cost) => {
    expect(late(amount, cost)).not.toContain("There is nothing you need to do");
    expect(screen.getByText(/to decide$/)).toBeTruthy();
  });
});

describe("the page of an order whose deadline has passed without its refund", () => {
  const costs = { rates: { ...rates, refund_cost: { USDT: "1", MOB: "0" } } };
  const deadline = "2029-12-31T00:00:00.000Z";

  it("says that the time to decide is over, and what happens unless the customer still chooses", () => {
    const decision: Order["decision"] = { reason: "late", deadline, choices: ["refund"], offer: null };
    const { textContent } = show({ status: "needs_decision", decision, received_amount: "250" }, costs);
    expect(textContent).toMatch(/The time to decide is overIt ended on Dec .*2029, /);
    expect(textContent).toContain("You can still choose. Otherwise, we refund you, less the network fee.");
    expect(textContent).not.toMatch(/0 seconds|If you don't choose/);
  });

  it("says that the hold has ended, and does not promise a longer one", () => {
    const hold = { reason: "A check.", deadline };
    const { textContent } = show({ status: "on_hold", hold, received_amount: "250" }, costs);
    expect(textContent).toMatch(/The hold has endedOn Dec .*2029, .*Next, we refund you, less the network fee\./);
    expect(textContent).not.toMatch(/0 seconds|If it isn't resolved|extend/);
  });
});

it.each([
  [[], true],
  [[makeTransaction()], false],
])("the page of an expired order offers a new price first only if nothing has arrived: %j", (incoming_txs, isFirst) => {
  const kindOf = (name: string) => screen.getByRole("link", { name }).className;
  show({ status: "expired" });
  const primary = kindOf("Get a new price");
  cleanup();
  show({ status: "expired", incoming_txs });
  expect(kindOf("Get a new price") === primary).toBe(isFirst);
});

describe("the page of an order whose payout has to wait", () => {
  const delayed = (choices: NonNullable<Order["decision"]>["choices"]) =>
    show({
      status: "needs_decision",
      payout_not_before: "2030-01-01T23:10:00.000Z",
      decision: { reason: "late", deadline: "2030-01-04T00:00:00.000Z", choices, offer: null },
      incoming_txs: [makeTransaction()],
    }).textContent;

  it("says so before a choice that leads to a payout", () => {
    expect(delayed(["requote", "refund"])).toMatch(/If you swap: payout in 23 hours/);
    expect(delayed(["refund"])).not.toContain("payout in");
  });
});

describe("the page of a paid order", () => {
  it("is loaded again when its payment has left the chain, because it does not show an address to pay to", async () => {
    const update = async (changes: Partial<Order>) => {
      const data = JSON.stringify(makeOrder(changes));
      await act(async () => getStream()?.dispatchEvent(new MessageEvent("order", { data })));
    };
    show({ status: "confirming", received_amount: "250" });
    await update({ status: "confirming", received_amount: "251", updated_at: "2030-01-01T00:10:01.000Z" });
    expect(load).not.toHaveBeenCalled();
    await update({ updated_at: "2030-01-01T00:10:02.000Z" });
    await update({ updated_at: "2030-01-01T00:10:03.000Z" });
    expect(load).toHaveBeenCalledOnce();
  });
});

describe("the page of an order for which a reorg left too little", () => {
  it("is loaded again, because it does not show an address for the rest", async () => {
    const decision = {
      reason: "underpaid" as const,
      deadline: "2030-01-04T00:00:00.000Z",
      choices: ["accept" as const, "refund" as const],
      accept: null,
      offer: null,
    };
    const update = async (changes: Partial<Order>) => {
      const data = JSON.stringify(
        makeOrder({ status: "needs_decision", received_amount: "150", decision, ...changes }),
      );
      await act(async () => getStream()?.dispatchEvent(new MessageEvent("order", { data })));
    };
    show({ status: "confirming", received_amount: "250" });
    await update({ expires_at: "2030-01-01T00:10:00.000Z", updated_at: "2030-01-01T00:10:01.000Z" });
    expect(load).not.toHaveBeenCalled();
    await update({ updated_at: "2030-01-01T00:10:02.000Z" });
    expect(load).toHaveBeenCalledOnce();
  });
});

describe("what an order's page announces", () => {
  it("is its state whenever that changes, and the time left to pay", async () => {
    show({ expires_at: "2030-01-01T00:14:30.000Z" });
    const title = () => screen.getByRole("heading", { level: 1 }).textContent ?? "";
    const [state, timeLeft] = screen.getAllByRole("status");
    expect(state?.textContent).toMatch(new RegExp(`^${title()}\\. .`));
    expect(timeLeft?.textContent).toBe("Less than 5 minutes left to pay.");
    const before = title();
    const confirming = makeOrder({
      status: "confirming",
      received_amount: "250",
      updated_at: "2031-01-01T00:00:00.000Z",
    });
    await act(async () => getStream()?.dispatchEvent(new MessageEvent("order", { data: JSON.stringify(confirming) })));
    expect(title()).not.toBe(before);
    // The same regions: a new one would not be announced.
    expect(state?.isConnected && timeLeft?.isConnected).toBe(true);
    expect(state?.textContent).toMatch(new RegExp(`^${title()}\\. .`));
    expect(timeLeft?.textContent).toBe("");
  });

  it("is that the browser is offline", async () => {
    show();
    expect(announced().join()).not.toContain("offline");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await act(async () => window.dispatchEvent(new Event("offline")));
    expect(announced().filter((text) => text?.startsWith("You're offline. Your swap is safe."))).toHaveLength(1);
    vi.restoreAllMocks();
  });
});

describe("a payout that waits to protect the customer", () => {
  const delayed = { payout_not_before: "2030-01-02T00:00:00.000Z" };
  const waits = () => screen.queryByText(/^Payout in/)?.parentElement?.textContent;

  it("is announced before the payment, so that the customer can cancel instead", () => {
    show(delayed);
    expect(screen.getByText(/left to pay$/)).toBeTruthy();
    expect(waits()).toMatch(/recovered recently.* cancel this swap before you pay/);
  });

  it("is not announced once the time to pay is over", () => {
    show({ ...delayed, expires_at: "2030-01-01T00:10:00.000Z" });
    expect(waits()).toBeUndefined();
  });

  it("is explained once the payment has arrived", () => {
    show({ ...delayed, status: "confirming" });
    expect(waits()).toMatch(/^Payout in 24 hours/);
  });

  it("may also be explained by a new payout address", () => {
    show({ ...delayed, status: "paying_out" });
    expect(waits()).toMatch(/your account was recovered, or the payout address was changed, a short time ago\.$/);
  });
});

describe("a payment that left its blockchain", () => {
  const deposit = (status: Transaction["status"]) => makeTransaction({ status, amount: "250", confirmations: 0 });
  const gone = /^This payment is no longer on the blockchain/;

  it.each([
    ["help@antelope.example", "/contact?swap=1CRT-8K55-KRE"],
    [null, undefined],
  ])("is explained, with the support address %s", (supportEmail, path) => {
    show({ incoming_txs: [deposit("failed")] }, {}, supportEmail);
    expect(screen.getByText(gone)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "send us its hash" })?.getAttribute("href")).toBe(path);
  });

  it("is not mentioned while a payment is being confirmed", () => {
    show({ status: "confirming", incoming_txs: [deposit("pending")] });
    expect(screen.queryByText(gone)).toBeNull();
  });
});

describe("a swap on hold", () => {
  it("no longer asks for verification once a hold has ended", () => {
    const hold = { reason: "A reason.", deadline: "2029-12-31T00:00:00.000Z" };
    show({ status: "on_hold", hold }, { kycStatus: "not_started" });
    expect(screen.queryByRole("link", { name: "Go to Verification" })).toBeNull();
    expect(screen.queryByText(/it continues once you are verified/)).toBeNull();
  });

  it.each<[KycStatus, string | null, RegExp]>([
    ["not_started", "/kyc?redirect=%2Fswap%2Fquote%2F1575403237068558", /We can only pay out to verified customers/],
    ["rejected", "/kyc?redirect=%2Fswap%2Fquote%2F1575403237068558", /We can only pay out to verified customers/],
    [
      "action_required",
      "/kyc?redirect=%2Fswap%2Fquote%2F1575403237068558",
      /We can only pay out to verified customers/,
    ],
    ["pending", null, /We e-mail you when it is done.* it continues once you are verified/],
    ["approved", null, /^Unless the reason asks you for something, there is nothing you need to do\.$/],
  ])("says what an owner whose verification is %s can do", (kycStatus, path, advice) => {
    show({ status: "on_hold" }, { kycStatus });
    expect(screen.queryByRole("link", { name: "Go to Verification" })?.getAttribute("href") ?? null).toBe(path);
    expect(screen.getByText(advice)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Ask us about this swap" })).toBeNull();
  });

  it.each([
    [
      "500.000000",
      "we refund you, less the network fee. If we need longer, we extend the hold before then and e-mail you.",
    ],
    [
      "0.000001",
      "we'll hold your money until the fee is low enough to send it back. If we need longer, we extend the hold before then and e-mail you.",
    ],
  ])("says what happens to %s USDT at the deadline, which may move", (received_amount, outcome) => {
    const costly = { rates: { ...rates, refund_cost: { USDT: "1", MOB: "0" } } };
    const hold = { reason: "A check.", deadline: "2030-01-04T00:00:00.000Z" };
    const { textContent } = show({ status: "on_hold", hold, received_amount }, costly);
    // The e-mail gives the same time in UTC.
    expect(textContent).toMatch(/On hold for up to .*Until Jan \d, 2030, \d+:\d\d [AP]M \S+\.If/);
    expect(textContent).toContain(`, ${outcome}`);
  });

  it("leads to the form for messages, if there is a support address", () => {
    show({ status: "on_hold" }, {}, "help@antelope.example");
    const link = screen.getByRole("link", { name: "Ask us about this swap" });
    expect(link.getAttribute("href")).toBe("/contact?swap=1CRT-8K55-KRE");
  });
});

describe("the page of an order that is refunded to another address", () => {
  const refund = (waits_until: string) =>
    show({
      status: "refunding",
      outgoing_txs: [makeTransaction({ purpose: "refund", status: "pending", hash: null, waits_until })],
    }).textContent;

  it("says until when the refund waits, and why", () => {
    expect(refund("2030-01-02T00:10:00.000Z")).toMatch(
      /We'll send your USDT back.*Refund in 24 hours.*the refund waits until then, because its address was changed/,
    );
  });

  it("doesn't mention that a replacement waits for a moment", () => {
    expect(refund("2030-01-01T00:10:30.000Z")).not.toMatch(/Refund in|waits/);
  });
});

describe("the page of an order whose payment takes a long time", () => {
  const slow = /longer than usual/;
  /** A payout that was planned at this time. The page's time is 00:10. */
  const pay = (created_at: string, changes: Partial<Order> = {}, tx: Partial<Transaction> = {}) =>
    show({
      status: "paying_out",
      ...changes,
      outgoing_txs: [makeTransaction({ purpose: "payout", status: "pending", hash: null, created_at, ...tx })],
    }).textContent;

  it("says so after half an hour, until the payment is final", () => {
    expect(pay("2029-12-31T23:40:00.000Z")).toMatch(slow);
    expect(pay("2029-12-31T23:40:00.000Z", {}, { hash: "0x1" })).toMatch(slow);
    expect(pay("2029-12-31T23:40:00.000Z", { status: "refunding" }, { purpose: "refund" })).toMatch(slow);
    expect(pay("2029-12-31T23:41:00.000Z")).not.toMatch(slow);
    expect(pay("2029-12-31T23:40:00.000Z", { status: "completed" }, { status: "confirmed" })).not.toMatch(slow);
  });

  it("counts from the time at which the payment was due", () => {
    const day = "2029-12-31T00:00:00.000Z";
    expect(pay(day, { payout_not_before: "2029-12-31T23:50:00.000Z" })).not.toMatch(slow);
    expect(pay(day, { payout_not_before: "2029-12-31T23:30:00.000Z" })).toMatch(slow);
    expect(
      pay(day, { status: "refunding" }, { purpose: "refund", waits_until: "2030-01-01T01:00:00.000Z" }),
    ).not.toMatch(slow);
    expect(pay(day, { status: "on_hold" })).not.toMatch(slow);
  });
});

describe("an order's page without scripts", () => {
  const open = (isStopped: boolean) => {
    const part = document.createElement("div");
    part.innerHTML = renderToStaticMarkup(<PageUpdates here="/swap/quote/1?id=1" isStopped={isStopped} />);
    const links = [...part.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")]);
    return { refresh: part.querySelector("meta")?.content, links: Object.fromEntries(links) };
  };

  it("WCAG 2.2.1 is loaded again every 15 seconds, until the visitor stops that", () => {
    const [here, stopped] = ["/swap/quote/1?id=1", "/swap/quote/1?id=1&updates=off"];
    expect(open(false)).toEqual({
      refresh: "15",
      links: { "Update now": here, "Stop updating this page automatically": stopped },
    });
    expect(open(true)).toEqual({ links: { "Update now": stopped, "Update automatically": here } });
  });

  it.each([
    ["confirming", true],
    ["completed", false],
  ] as const)("is loaded again while the swap is %s: %s", (status, isUpdated) => {
    // React leaves it empty in a browser.
    expect(show({ status }).firstElementChild?.matches("noscript")).toBe(isUpdated);
  });

  it("is loaded again after the swap until its refund is confirmed", () => {
    const outgoing_txs = [makeTransaction({ purpose: "refund", status: "pending" })];
    expect(show({ status: "completed", outgoing_txs }).firstElementChild?.matches("noscript")).toBe(true);
  });
});
