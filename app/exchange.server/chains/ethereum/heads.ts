import type { Logger } from "pino";
import { onceAMinute } from "../../../lib/once-a-minute";
import type { EthereumNode, NodeQueries } from "./query-nodes";

/** The newest block of a node. */
export type EthereumHead = {
  node: EthereumNode;
  number: bigint;
  hash: `0x${string}`;
  timeMs: number;
  /** wei. */
  baseFeePerGas: bigint;
  /** Whether the block is at most `maxHeadAgeMs` old: the node is in sync. */
  fresh: boolean;
};

/**
 * The nodes in sync, or all nodes that responded if too few are in sync, with the highest block that a majority of all
 * nodes has reached.
 */
export type EthereumHeads = {
  nodes: EthereumNode[];
  number: bigint;
  hash: `0x${string}`;
  /** Whether a majority of all configured nodes is on our chain and in sync. */
  fresh: boolean;
  headOf(node: EthereumNode): EthereumHead | undefined;
  /** The height of one of these nodes. */
  numberOf(node: EthereumNode): bigint;
};

type Options = {
  /** How many nodes are a majority. */
  quorum: number;
  queries: NodeQueries;
  /** Whether a block with this time is new enough. */
  isFresh(timeMs: number): boolean;
  log: Logger;
};

/** Returns a function that reads the newest block of every node (T55). It rejects if none on our chain responds. */
export function createHeadReader({ quorum, queries, isFresh, log }: Options) {
  const mayLog = onceAMinute<EthereumNode>();

  async function readHead(node: EthereumNode): Promise<EthereumHead> {
    const [, block] = await Promise.all([queries.requireOurChain(node), node.client.getBlock()]);
    // A node may return a block without a number, such as a pending one, although viem's types exclude it.
    if (block.number === null) throw new Error("The node's newest block has no number.");
    const timeMs = Number(block.timestamp) * 1000;
    const fresh = isFresh(timeMs);
    return { node, number: block.number, hash: block.hash, timeMs, baseFeePerGas: block.baseFeePerGas ?? 0n, fresh };
  }

  return async function readHeads(): Promise<EthereumHeads> {
    const responses = (await queries.queryAll(readHead)).flatMap(({ result }) =>
      result instanceof Error ? [] : [result],
    );
    const inSync = responses.filter(({ fresh }) => fresh);
    for (const { node, number, fresh } of responses)
      if (!fresh && mayLog(node))
        log.warn({ node: node.name, block: Number(number) }, "an Ethereum node is out of sync");
    const fresh = inSync.length >= quorum;
    const heads = (fresh ? inSync : responses).toSorted((a, b) => Number(b.number - a.number));
    const head = heads[Math.min(quorum, heads.length) - 1];
    if (!head) throw new Error("No Ethereum node responds.");
    const known = new Map(heads.map((one) => [one.node, one]));
    return {
      nodes: heads.map(({ node }) => node),
      number: head.number,
      hash: head.hash,
      fresh,
      headOf: (node) => known.get(node),
      numberOf: (node) => known.get(node)?.number ?? -1n,
    };
  };
}
