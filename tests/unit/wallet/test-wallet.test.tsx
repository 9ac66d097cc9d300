// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import TestFunds from "~/wallet/test-wallet/test-funds";
import { renderPart } from "../../support/wallet-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/**
 * Stands in for the faucet, and for a chain on which every account is empty. Returns what was requested from the
 * faucet.
 */
function openFaucet(): unknown[] {
  const requested: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string | URL, { body }: RequestInit) => {
    const request = JSON.parse(String(body)) as { id: number };
    if (!String(url).endsWith("/sandbox/faucet"))
      return Response.json({ jsonrpc: "2.0", id: request.id, result: "0x0" });
    requested.push(request);
    return Response.json({ hash: "0x1" });
  });
  return requested;
}

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

it.each([
  ["25.5", "10000", "1000"],
  ["2500", "10000", "2500"],
  ["12000", "10000", "10000"],
  ["25.5", "500", "500"],
  ["700", "500.25", "500.25"],
])("to pay %s USDT, the test wallet asks a faucet that gives %s at a time for %s", async (amount, max, expected) => {
  const requested = openFaucet();
  const funds = <TestFunds address={address} amount={amount} onFunded={() => undefined} />;
  renderPart(() => funds, { faucetMax: { ETH: "1", USDT: max } });
  await screen.findByText(/test USDT arrived\./);
  expect(requested).toEqual([{ address, asset: "USDT", amount: expected }]);
});

it("asks for less ETH than usual if the faucet gives less at a time", { timeout: 30_000 }, async () => {
  // The test wallet is announced only once per page, and test files of the same worker share the page and its modules.
  vi.resetModules();
  const { WalletProvider } = await import("~/wallet/wallet-provider");
  const requested = openFaucet();
  type Wallet = { provider: { request(call: { method: string }): Promise<[string]> } };
  const announced = new Promise<Wallet>((resolve) => {
    const listen = (event: Event) => resolve((event as CustomEvent<Wallet>).detail);
    window.addEventListener("eip6963:announceProvider", listen, { once: true });
  });
  const part = (
    <WalletProvider rpc={{ mainnet: null, sepolia: null }}>
      <p>ready</p>
    </WalletProvider>
  );
  renderPart(() => part, { faucetMax: { ETH: "0.05", USDT: "500" } });
  const { provider } = await announced;
  const [account] = await provider.request({ method: "eth_requestAccounts" });
  expect(requested).toEqual([{ address: account, asset: "ETH", amount: "0.05" }]);
});
