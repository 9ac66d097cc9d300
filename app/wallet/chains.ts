import { type Chain, mainnet, sepolia } from "wagmi/chains";

/** Where the browser's own questions go; null where the server's configuration names none. */
export type WalletRpc = { mainnet: string | null; sepolia: string | null };

/** The sandbox's chain answers under this path of the site. */
export const sandboxRpcPath = "/sandbox/ethereum";

/**
 * K09: mainnet and Sepolia. The sandbox's chain bears Sepolia's number, so that the same
 * configuration serves it; it has neither Multicall3 nor an explorer, and an RPC of its own.
 */
export function toWalletChains({ sandbox, origin }: { sandbox: boolean; origin: string }): readonly [Chain, Chain] {
  if (!sandbox) return [mainnet, sepolia];
  const { blockExplorers: _, ...known } = sepolia;
  const url = new URL(sandboxRpcPath, origin).href;
  return [
    mainnet,
    { ...known, name: "Antelope sandbox", contracts: {}, rpcUrls: { default: { http: [url] } } } satisfies Chain,
  ];
}
