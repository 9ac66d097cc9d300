import type { Logger } from "pino";
import type { PublicClient } from "viem";
import { onceAMinute } from "../../../lib/once-a-minute";
import { toError } from "../to-error";
import { SilentNodeError, waitForMajority } from "./wait-for-majority";

export type EthereumNode = { name: string; client: PublicClient };

/** A node on a different chain from the configured one. Nothing else is read from it. */
export class WrongChainError extends Error {
  constructor(name: string, actual: number, expected: number) {
    super(`Ethereum ${name} is on chain ${actual}, not on ${expected}. Check ETH_RPC_URLS and ETH_CHAIN_ID.`);
    this.name = "WrongChainError";
  }
}

type Options = {
  all: EthereumNode[];
  /** How many nodes are a majority. */
  quorum: number;
  chainId: number;
  log: Logger;
};

export type NodeQueries = ReturnType<typeof createNodeQueries>;

/** Queries several nodes at once, except those on another chain, and remembers which ones are silent. */
export function createNodeQueries({ all, quorum, chainId, log }: Options) {
  const onWrongChain = new Set<EthereumNode>();
  /** Nodes that did not respond in time. They are still called, but not waited for, until they respond again. */
  const silent = new Set<EthereumNode>();

  /**
   * Checks the chain id of a node. While the node is on another chain, `queryAll` sends it no other calls.
   * @throws WrongChainError
   */
  async function requireOurChain(node: EthereumNode): Promise<void> {
    const actual = await node.client.getChainId();
    if (actual === chainId) {
      onWrongChain.delete(node);
      return;
    }
    onWrongChain.add(node);
    throw new WrongChainError(node.name, actual, chainId);
  }

  const mayLog = onceAMinute<EthereumNode>();

  /**
   * Runs a query on every node, or on some. A failed query is returned as its `Error`. When a majority of all nodes has
   * responded, the others get a few more seconds, unless they have been silent before. Rejects when the query failed on
   * all nodes.
   */
  async function queryAll<T>(
    query: (node: EthereumNode) => Promise<T>,
    from: EthereumNode[] = all,
  ): Promise<{ node: EthereumNode; result: T | Error }[]> {
    const waits = from.map((node) => !silent.has(node));
    const responses = from.map(async (node) => {
      try {
        if (onWrongChain.has(node)) await requireOurChain(node);
        const result = await query(node);
        silent.delete(node);
        return result;
      } catch (error) {
        return toError(error);
      }
    });
    const results = await waitForMajority(responses, { majority: quorum, waits });
    for (const [index, node] of from.entries())
      if (waits[index] && results[index] instanceof SilentNodeError) silent.add(node);
    const failed = results.filter((result) => result instanceof Error);
    if (failed.length === results.length) throw failed[0];
    return from.map((node, index) => {
      const result = results[index] as T | Error;
      if (result instanceof Error && mayLog(node))
        log.warn({ node: node.name, err: result }, "an Ethereum node failed");
      return { node, result };
    });
  }

  return { requireOurChain, queryAll };
}
