import { type Chain, mainnet, sepolia } from "wagmi/chains";

/** The servers that wallets in the browser call: a node of each chain, null if none is configured, and a relay. */
export type WalletRpc = { mainnet: string | null; sepolia: string | null; walletConnect?: WalletConnectSettings };

/** The relay that connects this page with wallets on phones. Without these settings, WalletConnect is not offered. */
export type WalletConnectSettings = { projectId: string; relayUrl: string };

/** The path at which the site serves the sandbox chain's JSON-RPC. */
export const sandboxRpcPath = "/sandbox/ethereum";

/**
 * K09: mainnet and Sepolia. The sandbox chain uses Sepolia's ID, so that the same configuration
 * works for it. It has its own RPC, and neither Multicall3 nor an explorer.
 */
export function toWalletChains({
  hasSandbox,
  origin,
}: {
  hasSandbox: boolean;
  origin: string;
}): readonly [Chain, Chain] {
  if (!hasSandbox) return [mainnet, sepolia];
  const { blockExplorers: _, ...sandboxChain } = sepolia;
  const url = new URL(sandboxRpcPath, origin).href;
  return [
    mainnet,
    { ...sandboxChain, name: "Antelope sandbox", contracts: {}, rpcUrls: { default: { http: [url] } } } satisfies Chain,
  ];
}
