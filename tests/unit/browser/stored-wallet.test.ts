// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { clearStoredWallet } from "~/browser/stored-wallet";
import { getWalletConfig } from "~/wallet/config";

const account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const stored = () => JSON.stringify({ ...localStorage });

afterEach(() => localStorage.clear());

describe("clearStoredWallet", () => {
  it("disconnects the wallet and removes its addresses from storage if wagmi is loaded", async () => {
    const config = await getWalletConfig({ mainnet: null, sepolia: null }, true);
    // As WagmiProvider does when it mounts.
    await (config._internal.store as unknown as { persist: { rehydrate(): Promise<void> } }).persist.rehydrate();
    const connector = config.connectors[0] as (typeof config.connectors)[number];
    localStorage.setItem("antelope.wallet.recentConnectorId", '"injected"');
    localStorage.setItem("antelope.wallet.injected.disconnected", "true");
    localStorage.setItem("antelope.test-wallet.key", "0x1");
    const connections = new Map([[connector.uid, { accounts: [account] as const, chainId: 1, connector }]]);
    config.setState((state) => ({ ...state, connections, current: connector.uid, status: "connected" }));
    expect(stored()).toContain(account);

    clearStoredWallet();
    expect(config.state).toMatchObject({ current: null, status: "disconnected" });
    expect(config.state.connections.size).toBe(0);
    expect(Object.keys(localStorage).sort()).toEqual([
      "antelope.test-wallet.key",
      "antelope.wallet.injected.disconnected",
    ]);
    expect(stored()).not.toContain(account);
  });

  it("removes what an earlier page stored if wagmi is not loaded", () => {
    localStorage.setItem("antelope.wallet.store", account);
    localStorage.setItem(`antelope.payment:${account}`, "asked");
    clearStoredWallet();
    expect(localStorage.length).toBe(0);
  });
});
