import { assets } from "../../../lib/assets";
import type { EthereumNodes } from "./nodes";
import { WrongChainError } from "./query-nodes";
import { tokenAbi } from "./token";

/** Throws unless the nodes are on the configured chain, and the token there is USDT as we count it. */
export async function requireNetwork(nodes: EthereumNodes, token: `0x${string}`, chainId: number): Promise<void> {
  for (const { node, result } of await nodes.queryAll(async ({ client }) => client.getChainId())) {
    if (result instanceof WrongChainError) throw result;
    if (typeof result === "number" && result !== chainId) throw new WrongChainError(node.name, result, chainId);
  }
  const { node } = await nodes.pickHead();
  if ((await node.client.getCode({ address: token })) === undefined) {
    throw new Error(`There is no contract at USDT_ADDRESS ${token} on chain ${chainId}.`);
  }
  const decimals = await node.client.readContract({ address: token, abi: tokenAbi, functionName: "decimals" });
  if (Number(decimals) !== assets.USDT.decimals) {
    throw new Error(`The token at USDT_ADDRESS has ${decimals} decimals, not ${assets.USDT.decimals}.`);
  }
}
