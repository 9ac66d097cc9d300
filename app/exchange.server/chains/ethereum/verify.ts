import { BaseError, BlockNotFoundError, InvalidParamsRpcError } from "viem";
import { assets } from "../../../lib/assets";
import { invariant } from "../../errors";
import type { EthereumNodes } from "./nodes";
import { WrongChainError } from "./query-nodes";
import { tokenAbi } from "./token";
import { groupByVote } from "./votes";

/**
 * Throws unless the nodes are on the configured chain, the token there is USDT as we count it, and enough nodes know
 * which blocks are finalized.
 */
export async function requireNetwork(nodes: EthereumNodes, token: `0x${string}`, chainId: number): Promise<void> {
  for (const { node, result } of await nodes.queryAll(async ({ client }) => client.getChainId())) {
    if (result instanceof WrongChainError) throw result;
    if (typeof result === "number" && result !== chainId) throw new WrongChainError(node.name, result, chainId);
  }
  const decimals = await readDecimals(nodes, token);
  if (decimals === null) throw new Error(`There is no contract at USDT_ADDRESS ${token} on chain ${chainId}.`);
  if (Number(decimals) !== assets.USDT.decimals) {
    throw new Error(`The token at USDT_ADDRESS has ${decimals} decimals, not ${assets.USDT.decimals}.`);
  }
  await requireFinalized(nodes);
}

/**
 * The decimals of the token according to most of the nodes that respond, because a faulty node must not prevent a start;
 * null if there is no contract.
 */
async function readDecimals(nodes: EthereumNodes, token: `0x${string}`): Promise<bigint | null> {
  const heads = await nodes.readHeads();
  const responses = await nodes.queryAll(async ({ client }) => {
    if ((await client.getCode({ address: token })) === undefined) return null;
    return client.readContract({ address: token, abi: tokenAbi, functionName: "decimals" });
  }, heads.nodes);
  const [largest] = groupByVote(responses, String);
  invariant(largest, "some node has responded");
  return largest[0];
}

/**
 * Without the block tag `finalized`, large deposits would never be credited, and large payments never final. A node that
 * fails for another reason does not count as one without the tag, but if all nodes fail, so does the start. Nodes use the
 * same codes for other refusals, so a node without the tag must return its newest block.
 */
async function requireFinalized(nodes: EthereumNodes): Promise<void> {
  const responses = await nodes.queryAll(async ({ client }) => {
    try {
      await client.getBlock({ blockTag: "finalized" });
      return true;
    } catch (error) {
      if (!isUnknownBlock(error)) throw error;
      await client.getBlock({ blockTag: "latest" });
      return false;
    }
  });
  const lacking = responses.flatMap(({ node, result }) => (result === false ? [node.name] : []));
  if (nodes.all.length - lacking.length >= nodes.quorum) return;
  throw new Error(
    `Ethereum ${lacking.join(", ")} cannot return the newest finalized block: use nodes in ETH_RPC_URLS that support the block tag "finalized" and are in sync.`,
  );
}

/** Whether a node has no such block, or does not know its tag: geth's -39001, or an error that names one of them. */
function isUnknownBlock(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((e) => e instanceof BlockNotFoundError || e instanceof InvalidParamsRpcError)) return true;
  return /finali[sz]ed|unknown block|block (?:tag|number)|hex string/i.test(error.details ?? "");
}
