// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getWalletConfig } from "~/wallet/config";
import WalletAddressButton from "~/wallet/wallet-address-button";
import WalletPanel from "~/wallet/wallet-panel";
import { translate } from "../../support/translate";
import {
  type FakeWallet,
  funding,
  hashOf,
  openBrowser,
  patience,
  readState,
  renderPart,
  storeState,
} from "../../support/wallet-page";

let browser: ReturnType<typeof openBrowser>;
beforeEach(() => {
  browser = openBrowser("Stubborn");
});
afterEach(() => browser.close());

const wallet = () => browser.wallets[0] as FakeWallet;
const [sent, replacement] = [hashOf("a"), hashOf("b")];

let setCanPay: (canPay: boolean) => void = () => undefined;
/** A page on which a test can set whether paying is still possible. */
function LimitedPage() {
  const [canPay, set] = useState(true);
  setCanPay = set;
  const panel = { funding, underWay: null, canPay, rpc: browser.rpc, requiredConfirmations: 3 };
  return <WalletPanel {...panel} />;
}

/** Opens the page of a payment that waits for a block. */
async function followPending() {
  browser.ethereum.add(sent);
  storeState(sent);
  const page = browser.showPanel();
  await screen.findByText("Waiting for a block", undefined, patience);
  // The page recognises a replacement only if it has seen the original transaction.
  await waitFor(() => expect(browser.ethereum.requested).toContain("eth_getTransactionByHash"), patience);
  return page;
}

describe("the list of wallets", () => {
  it("has each wallet once, however often it is shown", async () => {
    const connect = () => screen.findAllByRole("button", { name: "Connect Stubborn" }, patience);
    for (let times = 0; times < 3; times += 1) {
      const { unmount } = browser.showPanel();
      expect(await connect()).toHaveLength(1);
      // Safari would not say that a list without markers is one.
      expect(screen.getByLabelText("Wallets").getAttribute("role")).toBe("list");
      unmount();
    }
  });
});

describe("a wallet's own name", () => {
  it("is one short line wherever it is shown, without marks that would change its direction", async () => {
    await browser.close();
    browser = openBrowser(`Stub\u202eborn ${"N".repeat(500)}`);
    const name = `Stubborn ${"N".repeat(31)}`;
    browser.showPanel();
    fireEvent.click(await screen.findByRole("button", { name: `Connect ${name}` }, patience));
    await waitFor(() => expect(wallet().prompts).toHaveLength(1), patience);
    wallet().connect();
    await screen.findByText(name, undefined, patience);
    cleanup();
    renderPart(() => <WalletAddressButton onAddress={() => undefined} rpc={browser.rpc} />);
    await screen.findByRole("button", { name: `Use 0x7099…79C8 from ${name}` }, patience);
  });
});

describe("the state of the connection", () => {
  it("is not “confirm in your wallet” while a sleeping wallet is only queried for the accounts that the page may use", async () => {
    const { queried, wake } = wallet().sleep();
    browser.showPanel();
    await queried;
    await screen.findByText("Disconnected", undefined, patience);
    expect(screen.queryByText("Confirm the connection in your wallet.")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Connect Stubborn" }));
    await screen.findByText("Confirm the connection in your wallet.", undefined, patience);
    wake();
    await waitFor(() => expect(wallet().prompts).toHaveLength(1), patience);
    wallet().connect();
    await screen.findByText("Connected", undefined, patience);
  });
});

describe("a payment that was sent", () => {
  it("is no longer on its way once it was cancelled", async () => {
    await followPending();
    browser.ethereum.cancel(replacement);
    await screen.findAllByText("The payment was cancelled in the wallet.", undefined, patience);
    expect(readState()).toBeNull();
  });

  it("is no longer on its way once it has failed", async () => {
    browser.ethereum.add(sent);
    browser.ethereum.mine(sent, "reverted");
    storeState(sent);
    browser.showPanel();
    await screen.findAllByText("The payment failed.", undefined, patience);
    expect(readState()).toBeNull();
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
    await waitFor(() => expect(readState()).toBeNull(), patience);
    browser.showPanel();
    await screen.findByRole("button", { name: "Connect Stubborn" }, patience);
  });

  it("is no longer on its way after another transaction took its place, even after a reload", async () => {
    await followPending();
    browser.ethereum.add(replacement, { to: funding.address, input: "0x" });
    browser.ethereum.mine(replacement);
    await screen.findAllByText("The wallet sent another transaction in its place.", undefined, patience);
    expect(readState()).toBeNull();
    browser.reload();
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

  it("can be made again after it has failed, even after a reload", async () => {
    await followPending();
    browser.ethereum.mine(sent, "reverted");
    await screen.findAllByText("The payment failed.", undefined, patience);
    browser.reload();
    browser.showPanel();
    await screen.findByRole("button", { name: "Connect Stubborn" }, patience);
  });
});

describe("a payment that is requested from a wallet", () => {
  const pay = () => screen.findByRole("button", { name: "Pay 25.50 USDT" }, patience);
  const warning = "The wallet may have sent this payment already";
  const earlier = "If your wallet's history shows the earlier payment, don't pay again.";
  const safe = /No money has moved|still in your wallet/;
  const key = `antelope.payment:${funding.address.toLowerCase()}`;

  /** Connects the wallet and presses "Pay". Returns the prompt that the wallet's owner sees. */
  async function requestPayment() {
    const page = browser.showPanel();
    fireEvent.click(await screen.findByRole("button", { name: "Connect Stubborn" }, patience));
    await waitFor(() => expect(wallet().prompts).toHaveLength(1), patience);
    wallet().connect();
    fireEvent.click(await pay());
    await waitFor(() => expect(wallet().prompts).toHaveLength(2), patience);
    return { ...page, prompt: wallet().prompts[1] as FakeWallet["prompts"][number] };
  }

  const storeElsewhere = (state: string, askedAt = "") =>
    localStorage.setItem(key, `${state} ${funding.amount} ${funding.chainId} ${funding.tokenAddress}${askedAt}`);
  /** What another tab has stored arrives as an event. */
  const hearOfIt = () => act(() => void window.dispatchEvent(new StorageEvent("storage", { key })));

  it("is not requested once the visitor has left the page, or can no longer pay", async () => {
    let page = renderPart(LimitedPage);
    fireEvent.click(await screen.findByRole("button", { name: "Connect Stubborn" }, patience));
    await waitFor(() => expect(wallet().prompts).toHaveLength(1), patience);
    wallet().connect();
    for (const end of [() => act(() => setCanPay(false)), () => page.unmount()]) {
      browser.ethereum.requested.length = 0;
      fireEvent.click(await pay());
      end();
      await waitFor(() => expect(browser.ethereum.requested).toContain("eth_estimateGas"), patience);
      page.unmount();
      page = renderPart(LimitedPage);
      await pay();
      expect([readState(), wallet().prompts.length]).toEqual([null, 1]);
    }
  });

  it("is followed in a panel that is opened while the wallet shows its prompt", async () => {
    const { unmount, prompt } = await requestPayment();
    expect(screen.getByText(warning).closest("details")?.open).toBe(false);
    unmount();
    browser.showPanel();
    await screen.findByText(warning, undefined, patience);
    browser.ethereum.add(sent);
    prompt.respond(sent);
    await screen.findByText("Waiting for a block", undefined, patience);
    expect(screen.queryByRole("button", { name: /^Pay 25/ })).toBeNull();
    expect(readState()).toBe(sent);
  });

  it("can be made on a page that the browser has translated", async () => {
    browser.showPanel();
    fireEvent.click(await screen.findByRole("button", { name: "Connect Stubborn" }, patience));
    await waitFor(() => expect(wallet().prompts).toHaveLength(1), patience);
    wallet().connect();
    const button = await pay();
    translate(document.body);
    fireEvent.click(button);
    await waitFor(() => expect(wallet().prompts).toHaveLength(2), patience);
    expect(button.textContent).toBe("Confirm in your wallet…");
    wallet().prompts[1]?.refuse(4001);
    await waitFor(() => expect(button.textContent).toBe("Pay 25.50 USDT"), patience);
  });

  it("can be made again if the wallet shows no request; a late response to the old one does not affect the new one", async () => {
    const { prompt } = await requestPayment();
    fireEvent.click(screen.getByText("No request in your wallet?"));
    fireEvent.click(screen.getByRole("button", { name: "Pay again" }));
    expect(readState()).toBe("dropped");
    fireEvent.click(await pay());
    await waitFor(() => expect(wallet().prompts).toHaveLength(3), patience);
    expect(readState()).toBe("asked");
    await act(async () => prompt.refuse(4001));
    expect(screen.queryByText("You declined the payment")).toBeNull();
    screen.getByRole("button", { name: "Confirm in your wallet…" });
    expect(readState()).toBe("asked");
    wallet().prompts[2]?.refuse(4001);
    await screen.findByText("You declined the payment", undefined, patience);
    expect(readState()).toBe("dropped");
  });

  it("may have been sent if the page was left while the wallet showed its prompt", async () => {
    await requestPayment();
    browser.reload();
    browser.showPanel();
    await screen.findByText(warning, undefined, patience);
  });

  it("can be made again after its owner has declined it", async () => {
    const { prompt } = await requestPayment();
    prompt.refuse(4001);
    await screen.findByText("You declined the payment", undefined, patience);
    screen.getByText("Nothing was sent. Your USDT is still in your wallet.", { exact: false });
    expect(readState()).toBeNull();
    await pay();
  });

  it("can be made again after an unclear response only if the wallet hasn't sent it", async () => {
    const { prompt } = await requestPayment();
    prompt.refuse(4900);
    await screen.findByText("The payment may have been sent anyway.", undefined, patience);
    expect(readState()).toBe("asked");
    expect(screen.queryByRole("button", { name: /^Pay 25/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Pay again" }));
    fireEvent.click(await pay());
    await waitFor(() => expect(wallet().prompts).toHaveLength(3), patience);
    wallet().prompts[2]?.refuse(4001);
    await screen.findByText("You declined the payment", undefined, patience);
    // Declining it now says nothing about the first request.
    expect(readState()).toBe("dropped");
    screen.getByText(earlier, { exact: false });
    expect(screen.queryByText(safe, { exact: false })).toBeNull();
  });

  it.each([null, "", "ok", { hash: sent }])("may have been sent if the wallet responds with %j", async (response) => {
    const { prompt } = await requestPayment();
    prompt.respond(response);
    await screen.findByText("The payment may have been sent anyway.", { exact: false }, patience);
    expect(readState()).toBe("asked");
    expect(screen.queryByRole("button", { name: /^Pay 25/ })).toBeNull();
  });

  it("is not said to have moved no money if too little is left to pay again", async () => {
    await requestPayment();
    browser.reload();
    browser.ethereum.balance = 10_000_000n;
    browser.showPanel();
    await screen.findByText(warning, undefined, patience);
    expect(screen.queryByRole("button", { name: /^Pay 25/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Pay again" }));
    fireEvent.click(await pay());
    await screen.findByText("There isn't enough USDT in this account", undefined, patience);
    screen.getByText(earlier, { exact: false });
    expect(screen.queryByText(safe, { exact: false })).toBeNull();
  });

  it("has moved no money if the wallet disconnects before the request", async () => {
    browser.showPanel();
    fireEvent.click(await screen.findByRole("button", { name: "Connect Stubborn" }, patience));
    await waitFor(() => expect(wallet().prompts).toHaveLength(1), patience);
    wallet().connect();
    const button = await pay();
    wallet().disconnect();
    fireEvent.click(button);
    await screen.findByText("The wallet is no longer connected", undefined, patience);
    await screen.findByText("No money has moved.", { exact: false }, patience);
    expect(readState()).toBeNull();
  });

  it("is not requested if another tab has requested or sent it", async () => {
    const { prompt } = await requestPayment();
    prompt.refuse(4001);
    await screen.findByText("You declined the payment", undefined, patience);
    // The event of the other tab has not arrived yet.
    storeElsewhere("asked");
    fireEvent.click(await pay());
    await screen.findByText("Pay 25.50 USDT", undefined, patience);
    hearOfIt();
    await screen.findByText(warning, undefined, patience);
    expect(wallet().prompts).toHaveLength(2);
    browser.ethereum.add(sent);
    storeElsewhere(sent);
    hearOfIt();
    await screen.findByText("Waiting for a block", undefined, patience);
  });

  it("may still be sent if only an earlier request is declined, which another tab has replaced", async () => {
    const { prompt } = await requestPayment();
    // The other tab's requests have their own times.
    storeElsewhere("dropped");
    storeElsewhere("asked", " 1");
    hearOfIt();
    await act(async () => prompt.refuse(4001));
    await screen.findByText(warning, undefined, patience);
    expect(readState()).toBe("asked");
  });

  it("replaces a cancelled one when another tab pays again", async () => {
    await followPending();
    browser.ethereum.cancel(replacement);
    await screen.findAllByText("The payment was cancelled in the wallet.", undefined, patience);
    storeElsewhere("asked");
    hearOfIt();
    await screen.findByText(warning, undefined, patience);
    const again = hashOf("c");
    browser.ethereum.add(again, { nonce: "0x8" });
    storeElsewhere(again);
    hearOfIt();
    await screen.findByText(again, undefined, patience);
    expect(screen.queryByText("The payment was cancelled in the wallet.")).toBeNull();
    expect(readState()).toBe(again);
  });
});

describe("a wallet that does not respond", () => {
  it("does not block another wallet, or replace it when it responds later", async () => {
    await browser.close();
    browser = openBrowser("Silent", "Stubborn");
    const [silent, stubborn] = browser.wallets as unknown as [FakeWallet, FakeWallet];
    browser.showPanel();
    const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }, patience));
    await press("Connect Silent");
    await waitFor(() => expect(silent.prompts).toHaveLength(1), patience);
    // A second press does not send a second request.
    await press("Confirm in your wallet…");
    await press("Connect Stubborn");
    await waitFor(() => expect(stubborn.prompts).toHaveLength(1), patience);
    expect(silent.prompts).toHaveLength(1);
    stubborn.connect();
    await screen.findByText("Stubborn", undefined, patience);
    const { connections } = await getWalletConfig(browser.rpc, true).then(({ state }) => state);
    expect(connections.size).toBe(1);
    silent.connect();
    await waitFor(() => expect(localStorage.getItem("antelope.wallet.org.example.silent.disconnected")).toBe("true"));
    await screen.findByText("Stubborn", undefined, patience);
    expect(screen.queryByText("Silent")).toBeNull();
  });
});
