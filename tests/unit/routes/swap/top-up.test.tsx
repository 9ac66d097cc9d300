// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OrderScreen } from "~/routes/swap/quote/order-screen";
import { storePayment } from "~/wallet/stored-payment";
import { funding, hashOf, openBrowser, patience, renderPart } from "../../../support/wallet-page";
import { makeOrder, makeOrderData } from "./fixtures";

let browser: ReturnType<typeof openBrowser>;
beforeEach(() => {
  browser = openBrowser("Stubborn");
  vi.stubGlobal(
    "EventSource",
    class extends EventTarget {
      close() {}
    },
  );
});
afterEach(() => browser.close());

const [sent, replacement] = [hashOf("a"), hashOf("b")];
const missing = { ...funding, amount: "60" };

/** The page of an order for 100 USDT of which 40 have arrived. */
function showOrder() {
  const order = makeOrder({
    status: "needs_decision",
    source_amount: "100",
    received_amount: "40",
    decision: { reason: "underpaid", deadline: "2030-01-04T00:00:00.000Z", choices: ["accept", "refund"], offer: null },
  });
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
  });
  renderPart(() => <OrderScreen data={data} result={undefined} />);
}

const isPrimary = (name: RegExp) => /kinds_primary/.test(screen.getByRole("button", { name }).className);
const title = () => screen.getByRole("heading", { level: 1 }).textContent;

describe("the page of an order of which a part is missing", () => {
  it("says that the rest is on its way, and makes no choice the obvious one, until the payment is cancelled", async () => {
    browser.ethereum.add(sent);
    storePayment(missing, sent);
    showOrder();
    await waitFor(() => expect(title()).toBe("Your 60.00\u00a0USDT is on its way to us"), patience);
    expect(screen.getByText("You don't have to choose: your payment is on its way")).toBeTruthy();
    expect(isPrimary(/^Swap 40/)).toBe(false);
    const details = screen.getByText("Waiting for a block").closest("details");
    expect(details?.open).toBe(true);
    // The choice still has its deadline.
    expect(screen.getByText(/to decide$/)).toBeTruthy();
    await waitFor(() => expect(browser.ethereum.asked).toContain("eth_getTransactionByHash"), patience);
    browser.ethereum.cancel(replacement);
    await screen.findAllByText("The payment was cancelled in the wallet.", undefined, patience);
    await waitFor(() => expect(title()).toBe("60.00\u00a0USDT is still missing"));
    expect(isPrimary(/^Swap 40/)).toBe(true);
    expect(details?.open).toBe(true);
  });
});
