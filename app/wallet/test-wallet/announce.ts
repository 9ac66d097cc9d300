import { createPublicClient, http, parseEther } from "viem";
import { sandboxRpcPath } from "../chains";
import { askFaucet } from "./faucet";
import { testWalletRdns } from "./identity";
import { openTestAccount } from "./key";
import { createTestWallet } from "./provider";

/** Enough for some thousand transfers; what a connect tops up to. */
const gasMoney = "0.1";
const icon =
  "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' rx='7' fill='%23ab3f18'/%3E%3Cpath d='M5 9.500h14v8.500H5zM5 9.500l9-4v4M15.500 13.700v.01' fill='none' stroke='%23fff8f1' stroke-width='1.800' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

let announced = false;

/**
 * Puts the test wallet among this page's wallets (https://eips.ethereum.org/EIPS/eip-6963).
 * Once a page, in the sandbox alone; a browser that keeps nothing gets a wallet for the page's life.
 */
export function announceTestWallet(): void {
  if (announced) return;
  announced = true;
  const { origin } = window.location;
  const rpcUrl = new URL(sandboxRpcPath, origin).href;
  const store = openStore();
  const chain = createPublicClient({ transport: http(rpcUrl) });
  const provider = createTestWallet({
    account: openTestAccount(store),
    rpcUrl,
    store,
    async fund(address) {
      const balance = await chain.getBalance({ address: address as `0x${string}` });
      if (balance < parseEther(gasMoney) / 2n) await askFaucet({ address, asset: "ETH", amount: gasMoney }, origin);
    },
  });
  const info = { uuid: crypto.randomUUID(), name: "Test wallet", icon, rdns: testWalletRdns };
  const event = new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) });
  window.addEventListener("eip6963:requestProvider", () => window.dispatchEvent(event));
  window.dispatchEvent(event);
}

function openStore(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    window.localStorage.setItem("antelope.probe", "");
    window.localStorage.removeItem("antelope.probe");
    return window.localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    };
  }
}
