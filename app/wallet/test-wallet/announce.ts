import { createPublicClient, http, parseEther } from "viem";
import { sandboxRpcPath } from "../chains";
import { requestFromFaucet } from "./faucet";
import { testWalletRdns } from "./identity";
import { openTestAccount } from "./key";
import { createTestWallet } from "./provider";

/** In ETH: enough for several thousand transfers. Connecting tops the account up to it. */
const gasAllowance = "0.1";
const icon =
  "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' rx='7' fill='%23ab3f18'/%3E%3Cpath d='M5 9.500h14v8.500H5zM5 9.500l9-4v4M15.500 13.700v.01' fill='none' stroke='%23fff8f1' stroke-width='1.800' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

let announced = false;

/**
 * Announces the test wallet to this page (https://eips.ethereum.org/EIPS/eip-6963). Call it only in the
 * sandbox; repeated calls do nothing. If the browser blocks storage, the wallet lasts until the page is left.
 * `faucetMax` is the most ETH that the faucet gives at a time, as a decimal string.
 */
export function announceTestWallet(faucetMax = gasAllowance): void {
  if (announced) return;
  announced = true;
  const { origin } = window.location;
  const rpcUrl = new URL(sandboxRpcPath, origin).href;
  const store = openStore();
  const chain = createPublicClient({ transport: http(rpcUrl) });
  const amount = parseEther(faucetMax) < parseEther(gasAllowance) ? faucetMax : gasAllowance;
  const provider = createTestWallet({
    account: openTestAccount(store),
    rpcUrl,
    store,
    async fund(address) {
      const balance = await chain.getBalance({ address: address as `0x${string}` });
      if (balance < parseEther(amount) / 2n) await requestFromFaucet({ address, asset: "ETH", amount }, origin);
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
    const entries = new Map<string, string>();
    return {
      getItem: (name) => entries.get(name) ?? null,
      setItem: (name, value) => void entries.set(name, value),
      removeItem: (name) => void entries.delete(name),
    };
  }
}
