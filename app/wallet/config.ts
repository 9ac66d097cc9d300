import { type Config, createConfig, createStorage, http, injected, noopStorage, unstable_connector } from "wagmi";
import { mainnet, sepolia } from "wagmi/chains";
import { onForgetWallet, walletStorageKey } from "~/browser/kept-wallet";
import { walletRpcBatchSize, walletRpcRetries, walletRpcRetryDelayMs, walletRpcTimeoutMs } from "~/lib/constants";
import { sandboxRpcPath, toWalletChains, type WalletRpc } from "./chains";

export type WalletConfigOptions = {
  rpc: WalletRpc;
  sandbox: boolean;
  /** Scheme, host and port of this page. */
  origin: string;
  /** Where the last used wallet is remembered, so that a reload connects again. */
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;
};

/**
 * C12, K09, K10: wagmi's configuration. Wallets are found by EIP-6963; the one connector that
 * is named takes in a wallet that only sets `window.ethereum`. What is stored says which wallet
 * was used, nothing more: a connected wallet signs nobody in.
 */
export function createWalletConfig({ rpc, sandbox, origin, storage }: WalletConfigOptions): Config {
  const chains = toWalletChains({ sandbox, origin });
  return createConfig({
    chains: [chains[0], chains[1]],
    connectors: [injected()],
    multiInjectedProviderDiscovery: true,
    // Wallets are then looked for after the first paint; else React is told of them while it renders.
    ssr: true,
    batch: { multicall: true },
    pollingInterval: sandbox ? 1_000 : 4_000,
    storage: createStorage({ storage: storage ?? noopStorage, key: walletStorageKey }),
    transports: {
      [mainnet.id]: toTransport(rpc.mainnet),
      [sepolia.id]: toTransport(sandbox ? new URL(sandboxRpcPath, origin).href : rpc.sepolia),
    },
  });
}

/** Without an RPC of ours the connected wallet's own node is asked: the CSP lets the page reach no other. */
function toTransport(url: string | null) {
  const patience = { retryCount: walletRpcRetries, retryDelay: walletRpcRetryDelayMs };
  if (url === null) return unstable_connector(injected, patience);
  return http(url, { batch: { batchSize: walletRpcBatchSize }, timeout: walletRpcTimeoutMs, ...patience });
}

let browserConfig: { key: string; config: Config } | undefined;

/** One in a browser, so that two parts of a page share one connection. Never called on the server. */
export function getWalletConfig(rpc: WalletRpc, sandbox: boolean): Config {
  const key = JSON.stringify([rpc.mainnet, rpc.sepolia, sandbox]);
  if (browserConfig?.key !== key) {
    const { origin } = window.location;
    const config = createWalletConfig({ rpc, sandbox, origin, storage: findStorage() });
    browserConfig = { key, config };
    onForgetWallet(() =>
      config.setState((state) => ({ ...state, connections: new Map(), current: null, status: "disconnected" })),
    );
  }
  return browserConfig.config;
}

/** A browser that keeps nothing throws at the mere mention of its store. */
function findStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
