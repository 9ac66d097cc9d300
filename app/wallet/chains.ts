import { type Chain, mainnet, sepolia } from "wagmi/chains";

/** RPC URLs for the browser; null if the server has none configured for it. */
export type WalletRpc = { mainnet: string | null; sepolia: string | null };

/** The path at which the site serves the sandbox chain's JSON-RPC. */
export const sandboxRpcPath = "/sandbox/ethereum";

/**
 * K09: mainnet and Sepolia. The sandbox chain uses Sepolia's ID, so that the same configuration
 * works for it. It has its own RPC, and neither Multicall3 nor an explorer.
 */
export function toWalletChains({ sandbox, origin }: { sandbox: boolean; origin: string }): readonly [Chain, Chain] {
  if (!sandbox) return [mainnet, sepolia];
  const { blockExplorers: _, ...sandboxChain } = sepolia;
  const url = new URL(sandboxRpcPath, origin).href;
  return [
    mainnet,
    { ...sandboxChain, name: "Antelope sandbox", contracts: {}, rpcUrls: { default: { http: [url] } } } satisfies Chain,
  ];
}
