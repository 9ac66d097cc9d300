import { setTimeout as sleep } from "node:timers/promises";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { type ReactNode, useSyncExternalStore } from "react";
import { expect, vi } from "vitest";
import type { RootData } from "~/loaded-data/root-data";
import { getQueryClient } from "~/query-cache/query-client";
import { sandboxRpcPath, type WalletRpc } from "~/wallet/chains";
import type { WalletFunding } from "~/wallet/funding";
import { onStoredPayment, readStoredPayment, type StoredPayment, storePayment } from "~/wallet/stored-payment";
import WalletPanel from "~/wallet/wallet-panel";
import { deferred } from "./deferred";

/** Parts of a page that pay from a wallet, in jsdom, with a chain and wallets that the test controls. */

const account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const funding: WalletFunding = {
  tokenAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  chainId: 11_155_111,
  address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  amount: "25.5",
};
/** Starting a page compiles wagmi, which takes a long time on a busy machine. */
export const patience = { timeout: 30_000 };

type Call = { method: string; params?: unknown[] };
export type Hash = `0x${string}`;

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, "0")}`;
export const hashOf = (digit: string): Hash => `0x${digit.repeat(64)}`;

type Mined = { transaction: object; replaced: readonly string[]; block: number; status: Hash };

function toTransfer(hash: string, changes: object = {}): object {
  const call = { from: account, to: funding.tokenAddress, value: "0x0", input: "0xa9059cbb", nonce: "0x7" };
  return { hash, type: "0x2", gas: "0x5208", chainId: hex(funding.chainId), ...call, ...changes };
}

/** A page that has not sent a request for this long has finished what it was doing. */
const quietMs = 50;

/** A chain with one account, which holds an ether. */
class FakeEthereum {
  /** The account's micro-USDT. */
  balance = 1_000_000_000n;
  /** The methods that were called. */
  readonly requested: string[] = [];
  /** Transactions that pages are waiting for: a page has requested the receipt, and there was none yet. */
  readonly #followed = new Set<string>();
  #isOver = false;
  #height = 100;
  readonly #pending = new Map<string, object>();
  readonly #mined = new Map<string, Mined>();

  /** A transfer of the funding's amount that waits for a block. */
  add(hash: Hash, changes: object = {}): void {
    this.#pending.set(hash, toTransfer(hash, changes));
  }

  /** Puts a transaction into the next block. Another with the same nonce disappears. */
  mine(hash: Hash, status: "success" | "reverted" = "success"): void {
    const transaction = this.#pending.get(hash) ?? {};
    const replaced = [...this.#pending.keys()].filter((other) => other !== hash);
    this.#pending.clear();
    this.#height += 1;
    this.#mined.set(hash, { transaction, replaced, block: this.#height, status: status === "success" ? "0x1" : "0x0" });
  }

  /** The wallet's owner cancels the payment: a transaction to themselves takes its place. */
  cancel(hash: Hash): void {
    this.add(hash, { to: account, input: "0x" });
    this.mine(hash);
  }

  /**
   * Puts every transaction that a page still follows into a block, and waits until no page follows any of them. viem
   * polls for them on a timer, even after the page is closed. If another test then faked the clock, viem would never call
   * this chain again.
   */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#height += 1;
    await vi.waitFor(() => expect([...this.#followed], "transactions that are still followed").toEqual([]), patience);
    for (let calls = -1; calls !== this.requested.length; await sleep(quietMs)) calls = this.requested.length;
  }

  #find(hash: string): Mined | undefined {
    const mined = this.#mined.get(hash);
    if (mined || !this.#isOver) return mined;
    return { transaction: toTransfer(hash), replaced: [], block: this.#height, status: "0x1" };
  }

  handle({ method, params = [] }: Call): unknown {
    this.requested.push(method);
    const [first] = params;
    const mined = this.#find(String(first));
    const place = (block: number) => ({ blockNumber: hex(block), blockHash: word(block), transactionIndex: "0x0" });
    switch (method) {
      case "eth_chainId":
        return hex(funding.chainId);
      case "eth_blockNumber":
        return hex(this.#height);
      case "eth_getCode":
        return "0x60";
      case "eth_getBalance":
        return hex(10n ** 18n);
      case "eth_estimateGas":
        return "0x5208";
      case "eth_call": {
        const { data } = first as { data: string };
        if (!data.startsWith("0xa9059cbb")) return word(this.balance);
        if (BigInt(`0x${data.slice(-64)}`) <= this.balance) return "0x";
        throw Object.assign(new Error("execution reverted: balance too small"), { code: 3 });
      }
      case "eth_getTransactionByHash":
        return mined ? { ...mined.transaction, ...place(mined.block) } : (this.#pending.get(String(first)) ?? null);
      case "eth_getTransactionReceipt":
        if (mined) for (const hash of [String(first), ...mined.replaced]) this.#followed.delete(hash);
        else this.#followed.add(String(first));
        return mined
          ? {
              ...place(mined.block),
              transactionHash: first,
              from: account,
              logs: [],
              status: mined.status,
              type: "0x2",
            }
          : null;
      case "eth_getBlockByNumber": {
        const here = [...this.#mined.values()].filter(({ block }) => hex(block) === first);
        const transactions = here.map(({ transaction, block }) => ({ ...transaction, ...place(block) }));
        return { number: first, hash: word(Number(first)), timestamp: "0x0", transactions };
      }
      default:
        throw Object.assign(new Error(`${method} is not supported`), { code: -32601 });
    }
  }
}

export type FakeWallet = {
  /** The prompts that the wallet's owner has not responded to yet. */
  readonly prompts: { method: string; respond(value: unknown): void; refuse(code: number): void }[];
  /** Approves the oldest request for an account. */
  connect(): void;
  /** Loses its connection: it refuses every further request. */
  disconnect(): void;
  /** Makes the wallet unresponsive, so that it doesn't say which accounts the page may use. */
  sleep(): { queried: Promise<void>; wake(): void };
};

/** A wallet in this browser, which announces itself on request (EIP-6963). */
function announce(ethereum: FakeEthereum, name: string): FakeWallet & { stop(): void } {
  const prompts: FakeWallet["prompts"] = [];
  let isConnected = false;
  let isLost = false;
  let onQuery: (() => Promise<void>) | undefined;
  const request = async (call: Call): Promise<unknown> => {
    const { method } = call;
    if (isLost) throw Object.assign(new Error("disconnected"), { code: 4900 });
    if (method === "eth_accounts") {
      await onQuery?.();
      return isConnected ? [account] : [];
    }
    if (!["eth_requestAccounts", "eth_sendTransaction"].includes(method)) return ethereum.handle(call);
    if (method === "eth_requestAccounts" && isConnected) return [account];
    const { promise, resolve, reject } = deferred<unknown>();
    prompts.push({
      method,
      respond: resolve,
      refuse: (code) => reject(Object.assign(new Error(`refused with ${code}`), { code })),
    });
    return promise;
  };
  const provider = { request, on: () => undefined, removeListener: () => undefined };
  const info = {
    uuid: crypto.randomUUID(),
    name,
    rdns: `org.example.${name.toLowerCase()}`,
    icon: "data:image/svg+xml,x",
  };
  const send = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("eip6963:requestProvider", send);
  return {
    prompts,
    connect() {
      isConnected = true;
      prompts.find(({ method }) => method === "eth_requestAccounts")?.respond([account]);
    },
    disconnect() {
      isLost = true;
    },
    sleep() {
      const [queried, woken] = [deferred<void>(), deferred<void>()];
      onQuery = () => {
        queried.resolve();
        return woken.promise;
      };
      return { queried: queried.promise, wake: woken.resolve };
    },
    stop: () => window.removeEventListener("eip6963:requestProvider", send),
  };
}

/** The wallet's part of the page of an order that has received nothing. */
function Panel({ rpc }: { rpc: WalletRpc }) {
  const stored = useSyncExternalStore(onStoredPayment, () => readStoredPayment(funding.address));
  const underWay = stored?.state === "dropped" ? null : stored;
  return <WalletPanel funding={funding} underWay={underWay} canPay rpc={rpc} requiredConfirmations={3} />;
}

/** What is stored of the payment. */
export const readState = () => readStoredPayment(funding.address)?.state ?? null;
export const storeState = (state: StoredPayment["state"], changes: Partial<WalletFunding> = {}) =>
  storePayment(funding.address, { ...funding, ...changes, state });

let pages = 0;

/** Opens a browser with wallets of these names. The node of its chain is the site's, as in the sandbox. */
export function openBrowser(...names: string[]) {
  const ethereum = new FakeEthereum();
  const wallets = names.map((name) => announce(ethereum, name));
  const respond = ({ id, ...call }: Call & { id: number }) => {
    try {
      return { jsonrpc: "2.0", id, result: ethereum.handle(call) };
    } catch (error) {
      const { code, message } = error as Error & { code: number };
      return { jsonrpc: "2.0", id, error: { code, message } };
    }
  };
  vi.stubGlobal("fetch", async (url: string | URL, { body }: RequestInit) => {
    if (!String(url).endsWith(sandboxRpcPath)) throw new TypeError("Failed to fetch");
    const calls = JSON.parse(String(body)) as (Call & { id: number }) | (Call & { id: number })[];
    return Response.json(Array.isArray(calls) ? calls.map(respond) : respond(calls));
  });
  const browser = {
    ethereum,
    wallets,
    /** The page's settings. */
    rpc: { mainnet: "", sepolia: null },
    /** Leaves the page and loads it again: nothing is left of it except what it has stored. */
    reload() {
      cleanup();
      getQueryClient().clear();
      pages += 1;
      // Other settings, so that the page does not reuse the configuration of the last one.
      browser.rpc = { mainnet: `https://node-${pages}.invalid/`, sepolia: null };
    },
    /** Opens the order's page. */
    showPanel() {
      return renderPart(() => <Panel rpc={browser.rpc} />);
    },
    async close() {
      browser.reload();
      await ethereum.end();
      for (const { stop } of wallets) stop();
      localStorage.clear();
      vi.unstubAllGlobals();
    },
  };
  browser.reload();
  return browser;
}

/** Renders a part of a page of the sandbox. */
export function renderPart(Component: () => ReactNode, data: Pick<RootData, "faucetMax"> = { faucetMax: null }) {
  const root = { hasSandbox: true, ...data };
  const Stub = createRemixStub([{ id: "root", path: "", loader: () => root, children: [{ path: "/", Component }] }]);
  return render(<Stub hydrationData={{ loaderData: { root } }} />);
}
