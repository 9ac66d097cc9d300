// @vitest-environment jsdom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import { OrderScreen } from "~/routes/swap/quote/order-screen";
import { storePayment } from "~/wallet/stored-payment";
import { makeOrder } from "../../../support/orders";
import { funding, hashOf, openBrowser, patience, renderPart } from "../../../support/wallet-page";
import { makeOrderData } from "./fixtures";

let browser: ReturnType<typeof openBrowser>;
let stream: EventTarget | undefined;
beforeEach(() => {
  browser = openBrowser("Stubborn");
  vi.stubGlobal(
    "EventSource",
    class extends EventTarget {
      constructor() {
        super();
        stream = this;
      }
      close() {}
    },
  );
});
afterEach(() => browser.close());

const [sent, replacement] = [hashOf("a"), hashOf("b")];
const missing = { ...funding, amount: "60" };

const undecided = {
  status: "needs_decision",
  decision: { reason: "underpaid", deadline: "2030-01-04T00:00:00.000Z", choices: ["accept", "refund"], offer: null },
} satisfies Partial<Order>;

/** The page of an order for 100 USDT of which 40 have arrived. */
function showOrder(changes: Partial<Order>) {
  const order = makeOrder({ source_amount: "100", received_amount: "40", ...changes });
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
  it("says that the rest is on its way, and does not highlight either choice, until the payment is cancelled", async () => {
    browser.ethereum.add(sent);
    storePayment(missing, sent);
    showOrder(undecided);
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

  it("accepts the rest while the first part is being confirmed, until the rest has been seen or the time is over", async () => {
    const update = async (changes: Partial<Order>) => {
      const data = JSON.stringify(makeOrder({ status: "confirming", source_amount: "100", ...changes }));
      await act(async () => stream?.dispatchEvent(new MessageEvent("order", { data })));
    };
    const amount = () => screen.queryByText("Exact amount")?.parentElement?.textContent;
    const timeLeft = () => screen.queryByText(/left to pay$/);
    showOrder({ status: "confirming" });
    expect(amount()).toContain("60.00\u00a0USDT");
    expect(timeLeft()).toBeTruthy();
    await update({
      received_amount: "40",
      expires_at: "2030-01-01T00:10:00.000Z",
      updated_at: "2030-01-01T00:10:01.000Z",
    });
    expect([amount(), timeLeft()]).toEqual([undefined, null]);

    browser.ethereum.add(sent);
    storePayment(missing, sent);
    await update({ received_amount: "40", updated_at: "2030-01-01T00:10:02.000Z" });
    await waitFor(() => expect(title()).toBe("Your 60.00\u00a0USDT is on its way to us"), patience);
    expect([amount(), timeLeft()]).toEqual([undefined, null]);
    await update({ received_amount: "100", updated_at: "2030-01-01T00:10:03.000Z" });
    expect(title()).toBe("We've detected your 100.00\u00a0USDT");
    expect(screen.queryByText("Pay with a wallet")).toBeNull();
    browser.ethereum.mine(sent);
  });
});
