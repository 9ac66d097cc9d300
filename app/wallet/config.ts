import {
  type Config,
  type CreateConnectorFn,
  createConfig,
  createStorage,
  http,
  injected,
  noopStorage,
  unstable_connector,
} from "wagmi";
import { mainnet, sepolia } from "wagmi/chains";
import { onClearStoredWallet, walletStorageKey } from "~/browser/stored-wallet";
import { walletRpcBatchSize, walletRpcRetries, walletRpcRetryDelayMs, walletRpcTimeoutMs } from "~/lib/constants";
import { sandboxRpcPath, toWalletChains, type WalletRpc } from "./chains";
import { walletConnectType } from "./wallet-connect/pairing";

export type WalletConfigOptions = {
  rpc: WalletRpc;
  hasSandbox: boolean;
  /** Scheme, host and port of this page. */
  origin: string;
  /** Stores which wallet was used last, so that it reconnects after a reload. */
  storage: BrowserStorage | null;
  /** For wallets that connect through a relay, if it is configured. */
  relayConnector?: CreateConnectorFn | null;
};

type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * C12, K09, K10: wagmi's configuration. Wallets are discovered by EIP-6963; the `injected` connector
 * covers wallets that only set `window.ethereum`. Connecting a wallet does not sign anyone in.
 */
export function createWalletConfig({ rpc, hasSandbox, origin, storage, relayConnector }: WalletConfigOptions): Config {
  const chains = toWalletChains({ hasSandbox, origin });
  return createConfig({
    chains: [chains[0], chains[1]],
    connectors: relayConnector ? [injected(), relayConnector] : [injected()],
    multiInjectedProviderDiscovery: true,
    // Discovers wallets after hydration. Otherwise wagmi updates React components while they render.
    ssr: true,
    batch: { multicall: true },
    pollingInterval: hasSandbox ? 1_000 : 4_000,
    storage: createStorage({ storage: storage ? keepUntilRead(storage) : noopStorage, key: walletStorageKey }),
    transports: {
      [mainnet.id]: toTransport(rpc.mainnet),
      [sepolia.id]: toTransport(hasSandbox ? new URL(sandboxRpcPath, origin).href : rpc.sepolia),
    },
  });
}

/**
 * Keeps the stored state until wagmi has read it. With `ssr`, wagmi 3.6 stores its empty state when it is
 * created, before it reads the stored one, so it would forget which wallet was connected.
 */
function keepUntilRead(storage: BrowserStorage): BrowserStorage {
  const stateKey = `${walletStorageKey}.store`;
  let wasRead = false;
  return {
    getItem(key) {
      wasRead ||= key === stateKey;
      return storage.getItem(key);
    },
    setItem(key, value) {
      if (wasRead || key !== stateKey) storage.setItem(key, value);
    },
    removeItem: (key) => storage.removeItem(key),
  };
}

/** Without a configured RPC, the connected wallet's node is used: the CSP blocks every other. */
function toTransport(url: string | null) {
  const retry = { retryCount: walletRpcRetries, retryDelay: walletRpcRetryDelayMs };
  if (url === null) return unstable_connector(injected, retry);
  return http(url, { batch: { batchSize: walletRpcBatchSize }, timeout: walletRpcTimeoutMs, ...retry });
}

let browserConfig: { key: string; config: Config } | undefined;

/** The browser's only configuration, so that all parts of a page share one connection. Not for the server. */
export async function getWalletConfig(rpc: WalletRpc, hasSandbox: boolean): Promise<Config> {
  const key = JSON.stringify([rpc, hasSandbox]);
  const storage = findStorage();
  const relayConnector = await loadRelayConnector(rpc, storage);
  if (browserConfig?.key !== key) {
    const { origin } = window.location;
    const config = createWalletConfig({ rpc, hasSandbox, origin, storage, relayConnector });
    browserConfig = { key, config };
    onClearStoredWallet(() => {
      endRelaySessions(config);
      config.setState((state) => ({ ...state, connections: new Map(), current: null, status: "disconnected" }));
    });
  }
  return browserConfig.config;
}

/** The connector is in a separate chunk, and loads the client when a wallet connects or has been connected. */
async function loadRelayConnector({ walletConnect: settings }: WalletRpc, storage: Storage | null) {
  if (!settings) return null;
  const { walletConnect } = await import("./wallet-connect/connector");
  return walletConnect(async () => {
    const { openClient } = await import("./wallet-connect/client");
    return openClient(settings, window.location.origin, storage);
  });
}

/** Ends the sessions with wallets that are connected through the relay. Other wallets don't have sessions. */
function endRelaySessions(config: Config): void {
  for (const { connector } of config.state.connections.values()) {
    if (connector.type === walletConnectType) connector.disconnect().catch(() => undefined);
  }
}

/** Accessing localStorage throws in browsers that block it. */
function findStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
