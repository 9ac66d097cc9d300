import { createWalletClient, type Hex, hexToBigInt, http, isHex, type PrivateKeyAccount } from "viem";
import { sepolia } from "viem/chains";

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;
type Listener = (...values: unknown[]) => void;
type RequestArguments = { method: string; params?: unknown };

type TestWalletOptions = {
  account: PrivateKeyAccount;
  /** The absolute URL of the sandbox chain's JSON-RPC. */
  rpcUrl: string;
  store: Store;
  /** Called when a site connects, to provide ETH for network fees. */
  fund(address: string): Promise<void>;
};

const chainIdHex: Hex = `0x${sepolia.id.toString(16)}`;
const allowedName = "antelope.test-wallet.allowed";

/** The error that EIP-1193 providers reject with. */
class ProviderRpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "ProviderRpcError";
    this.code = code;
  }
}

/**
 * An EIP-1193 provider (https://eips.ethereum.org/EIPS/eip-1193) with its own key, which signs in the
 * page and sends transactions to the sandbox chain. wagmi treats it like any other wallet.
 */
export function createTestWallet({ account, rpcUrl, store, fund }: TestWalletOptions) {
  const chain = { ...sepolia, contracts: {}, rpcUrls: { default: { http: [rpcUrl] } } };
  const client = createWalletClient({ account, chain, transport: http(rpcUrl, { retryCount: 0 }) });
  const listeners = new Map<string, Set<Listener>>();
  const emit = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value);
  };
  const isAllowed = () => store.getItem(allowedName) === "true";

  async function connect(): Promise<readonly string[]> {
    store.setItem(allowedName, "true");
    // If this fails, the wallet still connects, and the page shows that ETH is missing.
    await fund(account.address).catch(() => undefined);
    emit("accountsChanged", [account.address]);
    return [account.address];
  }

  async function send(params: unknown): Promise<Hex> {
    if (!isAllowed()) throw new ProviderRpcError(4100, "This site is not connected to the test wallet.");
    const transaction = readTransaction(params);
    if (transaction.from.toLowerCase() !== account.address.toLowerCase()) {
      throw new ProviderRpcError(4100, "The test wallet doesn't have that account.");
    }
    const { from: _, ...rest } = transaction;
    return client.sendTransaction(rest);
  }

  async function request({ method, params }: RequestArguments): Promise<unknown> {
    switch (method) {
      case "eth_requestAccounts":
        return connect();
      case "eth_accounts":
        return isAllowed() ? [account.address] : [];
      case "eth_chainId":
        return chainIdHex;
      case "net_version":
        return String(sepolia.id);
      case "eth_sendTransaction":
        return send(params);
      case "wallet_requestPermissions":
        return [{ parentCapability: "eth_accounts", caveats: [{ type: "", value: await connect() }] }];
      case "wallet_revokePermissions":
        store.removeItem(allowedName);
        emit("accountsChanged", []);
        return null;
      case "wallet_switchEthereumChain":
        if (readFirst(params).chainId === chainIdHex) return null;
        throw new ProviderRpcError(4902, "The test wallet only supports the sandbox chain.");
      default:
        if (/^(eth|net|web3)_/.test(method) && !/^eth_(sign|sendRaw)/.test(method)) {
          return client.request({ method, params } as Parameters<typeof client.request>[0]);
        }
        throw new ProviderRpcError(4200, `The test wallet doesn't support ${method}.`);
    }
  }

  return {
    request,
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener);
    },
  };
}

function readFirst(params: unknown): Record<string, unknown> {
  const first: unknown = Array.isArray(params) ? params[0] : null;
  if (typeof first === "object" && first !== null) return first as Record<string, unknown>;
  throw new ProviderRpcError(-32602, "The call has no parameters.");
}

function readTransaction(params: unknown) {
  const { from, to, data, value, gas } = readFirst(params);
  const hex = (name: string, field: unknown): Hex => {
    if (isHex(field)) return field;
    throw new ProviderRpcError(-32602, `The transaction's ${name} is not hexadecimal.`);
  };
  return {
    from: hex("from", from),
    to: hex("to", to),
    ...(data !== undefined && { data: hex("data", data) }),
    ...(value !== undefined && { value: hexToBigInt(hex("value", value)) }),
    ...(gas !== undefined && { gas: hexToBigInt(hex("gas", gas)) }),
  };
}
