// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readStoredPayment, storePayment } from "~/wallet/stored-payment";
import { funding, hashOf, openBrowser, patience } from "../../support/wallet-page";

let browser: ReturnType<typeof openBrowser>;
beforeEach(() => {
  browser = openBrowser("Stubborn");
});
afterEach(() => browser.close());

const [sent, replacement] = [hashOf("a"), hashOf("b")];

/** Opens the page of a payment that waits for a block. */
async function followPending() {
  browser.ethereum.add(sent);
  storePayment(funding, sent);
  const page = browser.showPanel();
  await screen.findByText("Waiting for a block", undefined, patience);
  // The page recognizes a replacement only of a transaction that it has seen.
  await waitFor(() => expect(browser.ethereum.asked).toContain("eth_getTransactionByHash"), patience);
  return page;
}

describe("a payment that was sent", () => {
  it("is not on its way any more once it was cancelled", async () => {
    const { isPaying } = await followPending();
    expect(isPaying()).toBe(true);
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

  it("can be made again after it was cancelled, on this page, on a later one and after a reload", async () => {
    const { unmount } = await followPending();
    browser.ethereum.cancel(replacement);
    await screen.findAllByText("The payment was cancelled in the wallet.", undefined, patience);
    unmount();
    browser.showPanel();
    await screen.findByRole("button", { name: "Connect Stubborn" }, patience);
    browser.reload();
    browser.showPanel();
    await screen.findByRole("button", { name: "Connect Stubborn" }, patience);
  });

  it("can be made again after it was cancelled while another page was open", async () => {
    const { unmount } = await followPending();
    unmount();
    browser.ethereum.cancel(replacement);
    await waitFor(() => expect(readStoredPayment(funding)).toBeNull(), patience);
    browser.showPanel();
    await screen.findByRole("button", { name: "Connect Stubborn" }, patience);
  });

  it("is followed after a reload by the hash of the transaction with which the wallet sped it up", async () => {
    await followPending();
    browser.ethereum.add(replacement);
    browser.ethereum.mine(replacement);
    await screen.findByText(
      "You sped up the payment in your wallet. This is the new transaction.",
      undefined,
      patience,
    );
    browser.reload();
    browser.showPanel();
    await screen.findByText(replacement, undefined, patience);
    await screen.findByText("In a block", undefined, patience);
  });

  it("can be made again after it has failed, also after a reload", async () => {
    await followPending();
    browser.ethereum.mine(sent, "reverted");
    await screen.findAllByText("The payment failed.", undefined, patience);
    browser.reload();
    browser.showPanel();
    await screen.findByRole("button", { name: "Connect Stubborn" }, patience);
  });
});
