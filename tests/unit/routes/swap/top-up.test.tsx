// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import type { OrderData } from "~/routes/swap/quote/loader.server";
import { OrderScreen } from "~/routes/swap/quote/order/order-screen";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { stubEventSource } from "../../../support/stub-event-source";
import { funding, hashOf, openBrowser, patience, renderPart, storeState } from "../../../support/wallet-page";
import { makeOrderData } from "./fixtures";

let browser: ReturnType<typeof openBrowser>;
let getStream: () => EventTarget | undefined;
beforeEach(() => {
  browser = openBrowser("Stubborn");
  getStream = stubEventSource();
});
afterEach(() => browser.close());

const [sent, replacement] = [hashOf("a"), hashOf("b")];

const undecided = {
  status: "needs_decision",
  decision: { reason: "underpaid", deadline: "2030-01-04T00:00:00.000Z", choices: ["accept", "refund"], offer: null },
} satisfies Partial<Order>;

const due = { source_amount: "100", funding_address: funding.address };

/** The page of an order for 100 USDT of which 40 have arrived. */
function showOrder(changes: Partial<Order>, shown: Partial<OrderData> = {}) {
  const order = makeOrder({ ...due, received_amount: "40", ...changes });
  const { tokenAddress, chainId, address } = funding;
  const uri = `ethereum:${tokenAddress}@${chainId}/transfer?address=${address}&uint256=100000000`;
  const data = makeOrderData(order, {
    pay: {
      funding: {
        asset_symbol: "USDT",
        network: "ethereum",
        chain_id: chainId,
        address,
        amount: "100",
        uri,
        wallet_link: uri,
        expires_at: order.expires_at,
      },
      paymentCode: { path: "", size: 1 },
      addressCode: { path: "", size: 1 },
    },
    wallet: { rpc: browser.rpc, requiredConfirmations: 3 },
    ...shown,
  });
  renderPart(() => <OrderScreen data={data} result={undefined} />);
}

async function update(changes: Partial<Order>) {
  const data = JSON.stringify(makeOrder({ ...due, status: "confirming", ...changes }));
  await act(async () => getStream()?.dispatchEvent(new MessageEvent("order", { data })));
}

/** The amount that the page asks for, if it asks for a payment. */
const amount = () => screen.queryByText("Exact amount")?.parentElement?.textContent;
const isPrimary = (name: RegExp) => /kinds_primary/.test(screen.getByRole("button", { name }).className);
const title = () => screen.getByRole("heading", { level: 1 }).textContent;

describe("the page of an order that is only partly paid", () => {
  it("says that the rest is on its way, and does not highlight either choice, until the payment is cancelled", async () => {
    browser.ethereum.add(sent);
    storeState(sent, { amount: "60" });
    showOrder(undecided);
    await waitFor(() => expect(title()).toBe("Your 60.00\u00a0USDT is on its way to us"), patience);
    expect(screen.getByText("You don't have to choose: your payment is on its way")).toBeTruthy();
    expect(isPrimary(/^Swap 40/)).toBe(false);
    const progress = await screen.findByText("Waiting for a block", undefined, patience);
    expect(screen.getByRole("heading", { name: "Your wallet" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Pay with a wallet" })).toBeNull();
    const details = progress.closest("details");
    expect(details?.open).toBe(true);
    // The choice still has its deadline.
    expect(screen.getByText(/to decide$/)).toBeTruthy();
    await waitFor(() => expect(browser.ethereum.requested).toContain("eth_getTransactionByHash"), patience);
    browser.ethereum.cancel(replacement);
    await screen.findAllByText("The payment was cancelled in the wallet.", undefined, patience);
    await waitFor(() => expect(title()).toBe("60.00\u00a0USDT is still missing"));
    expect(isPrimary(/^Swap 40/)).toBe(true);
    expect(details?.open).toBe(true);
  });

  it("accepts the rest while the first part is being confirmed, until the rest has been seen or the time is over", async () => {
    const timeLeft = () => screen.queryByText(/left to pay$/);
    vi.stubGlobal("Notification", { permission: "default" });
    showOrder({ status: "confirming" });
    expect(amount()).toContain("60.00\u00a0USDT");
    expect(timeLeft()).toBeTruthy();
    expect([isPrimary(/^Pay with/), isPrimary(/^Notify me/)]).toEqual([true, false]);
    await update({
      received_amount: "40",
      expires_at: "2030-01-01T00:10:00.000Z",
      updated_at: "2030-01-01T00:10:01.000Z",
    });
    expect([amount(), timeLeft()]).toEqual([undefined, null]);
    expect(isPrimary(/^Notify me/)).toBe(true);

    browser.ethereum.add(sent);
    storeState(sent, { amount: "60" });
    await update({ received_amount: "40", updated_at: "2030-01-01T00:10:02.000Z" });
    await waitFor(() => expect(title()).toBe("Your 60.00\u00a0USDT is on its way to us"), patience);
    expect([amount(), timeLeft()]).toEqual([undefined, null]);
    await update({ received_amount: "100", updated_at: "2030-01-01T00:10:03.000Z" });
    expect(title()).toBe("We've seen your 100.00\u00a0USDT");
    expect(screen.queryByText("Pay with a wallet")).toBeNull();
    browser.ethereum.mine(sent);
  });
});

describe("the page of an order while a payment of this browser is under way", () => {
  const unpaid = { status: "awaiting_deposit", received_amount: "0" } as const;
  const warning = "The wallet may have sent this payment already";
  const onItsWay = "Your 100.00\u00a0USDT is on its way to us";
  /** What a payment is for, the order, the amount, and the page's title once the time to pay is over. */
  const afterTheDeadline = [
    ["of everything", unpaid, "100", "Please don't send anything now"],
    ["of the rest", undecided, "60", "40.00\u00a0USDT has arrived, 60.00\u00a0USDT less than agreed"],
  ] as const;

  it("asks the customer to check the wallet instead of paying, before a wallet is connected", async () => {
    storeState("asked", { amount: "100" });
    showOrder(unpaid);
    expect(title()).toBe("Check your wallet");
    expect(document.title).toBe("Check your wallet · Antelope");
    expect(amount()).toBeUndefined();
    expect(screen.queryByText("Open my wallet app")).toBeNull();
    expect(screen.queryByText("Cancel this swap")).toBeNull();
    await screen.findByText(warning, undefined, patience);
    expect(screen.queryByRole("button", { name: "Connect Stubborn" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Pay again" }));
    expect(title()).toBe("Send exactly 100.00\u00a0USDT");
    expect(amount()).toContain("100.00\u00a0USDT");
  });

  it("says that a payment of the rest that the wallet has not responded to still counts, next to the choices", async () => {
    storeState("asked", { amount: "60" });
    showOrder(undecided);
    expect(title()).toBe("Check your wallet");
    screen.getByText("You don't have to choose if your wallet sends the rest");
    const note = await screen.findByText(warning, undefined, patience);
    expect(note.closest("details")?.open).toBe(true);
    expect(isPrimary(/^Swap 40/)).toBe(false);
  });

  it("no longer asks the customer to check the wallet once the time to pay is over", () => {
    storeState("asked", { amount: "100" });
    showOrder({ ...unpaid, expires_at: "2030-01-01T00:05:00.000Z" });
    expect(title()).toBe("Please don't send anything now");
    expect(screen.queryByText(warning)).toBeNull();
  });

  it("follows it after the time to pay is over, and once the exchange no longer gives an address", async () => {
    browser.ethereum.add(sent);
    storeState(sent, { amount: "100" });
    showOrder({ ...unpaid, expires_at: "2030-01-01T00:05:00.000Z" }, { pay: null });
    expect(title()).toBe(onItsWay);
    await screen.findByText("Waiting for a block", undefined, patience);
    screen.getByText(sent);
    expect(amount()).toBeUndefined();
  });

  it.each(afterTheDeadline)(
    "reports that a payment %s has failed after the time to pay, without an offer to pay again",
    async (_, state, amount, later) => {
      browser.ethereum.add(sent);
      storeState(sent, { amount });
      const over = { ...state, expires_at: "2030-01-01T00:05:00.000Z" };
      showOrder(over, { pay: null });
      await screen.findByText("Waiting for a block", undefined, patience);
      expect(screen.queryByText("Cancelled, failed or missing in your wallet?")).toBeNull();
      browser.ethereum.mine(sent, "reverted");
      await screen.findAllByText("The payment failed.", undefined, patience);
      await waitFor(() => expect(title()).toBe(later));
      screen.getByText("Your USDT hasn't moved. Only the network fee was spent.");
      expect(screen.queryByRole("button", { name: /Pay/ })).toBeNull();
      await update({ ...over, status: "refunding", updated_at: "2030-01-01T00:10:01.000Z" });
      expect(screen.queryByText("The payment failed.")).toBeNull();
    },
  );

  it.each(afterTheDeadline)(
    "no longer mentions a failed payment %s once the customer has chosen to pay again, even if time runs out",
    async (_, state, amount, later) => {
      browser.ethereum.add(sent);
      storeState(sent, { amount });
      showOrder(state);
      await screen.findByText("Waiting for a block", undefined, patience);
      browser.ethereum.mine(sent, "reverted");
      await screen.findAllByText("The payment failed.", undefined, patience);
      fireEvent.click(await screen.findByRole("button", { name: "Pay again" }));
      const over = { expires_at: "2030-01-01T00:05:00.000Z", updated_at: "2030-01-01T00:10:01.000Z" };
      await update({ received_amount: "40", ...state, ...over });
      expect(title()).toBe(later);
      expect(screen.queryByText("Your payment")).toBeNull();
    },
  );

  it("is about the same payment when another arrives, until the exchange has seen it", async () => {
    browser.ethereum.add(sent);
    storeState(sent, { amount: "100" });
    showOrder(unpaid);
    await screen.findByText("Waiting for a block", undefined, patience);
    await update({ received_amount: "1", updated_at: "2030-01-01T00:10:01.000Z" });
    expect(title()).toBe(onItsWay);
    expect(amount()).toBeUndefined();
    await screen.findByText("Waiting for a block", undefined, patience);
    expect(screen.queryByRole("button", { name: /^Pay 99/ })).toBeNull();
    // It was undone: it is seen, and its amount is missing again.
    const incoming_txs = [makeTransaction({ hash: sent, amount: "100", status: "failed" })];
    await update({ received_amount: "1", incoming_txs, updated_at: "2030-01-01T00:10:02.000Z" });
    expect(title()).toBe("We've seen your 1.00\u00a0USDT");
    expect(amount()).toContain("99.00\u00a0USDT");
  });

  it("is not changed by a payment on another chain", () => {
    storeState(sent, { amount: "100", chainId: 1 });
    showOrder(unpaid);
    expect(title()).toBe("Send exactly 100.00\u00a0USDT");
  });
});
