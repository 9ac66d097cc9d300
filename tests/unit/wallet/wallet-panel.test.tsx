// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storePayment } from "~/wallet/stored-payment";
import { funding, hashOf, openBrowser, patience } from "../../support/wallet-page";

let browser: ReturnType<typeof openBrowser>;
beforeEach(() => {
  browser = openBrowser("Stubborn");
});
afterEach(() => browser.close());

const [sent, replacement] = [hashOf("a"), hashOf("b")];

describe("a payment that was sent", () => {
  it("is not on its way any more once it was cancelled", async () => {
    browser.ethereum.add(sent);
    storePayment(funding, sent);
    const { isPaying } = browser.showPanel();
    await screen.findByText("Waiting for a block", undefined, patience);
    expect(isPaying()).toBe(true);
    // It is replaced only once the page knows it.
    await waitFor(() => expect(browser.ethereum.asked).toContain("eth_getTransactionByHash"), patience);
    browser.ethereum.cancel(replacement);
    await screen.findAllByText("The payment was cancelled in the wallet.", undefined, patience);
    expect(isPaying()).toBe(false);
  });

  it("is not on its way any more once it has failed", async () => {
    browser.ethereum.add(sent);
    browser.ethereum.mine(sent, "reverted");
    storePayment(funding, sent);
    const { isPaying } = browser.showPanel();
    await screen.findAllByText("The payment failed.", undefined, patience);
    expect(isPaying()).toBe(false);
  });
});
