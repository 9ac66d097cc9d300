import type { Logger } from "pino";
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
  timeMs: number;
  /** Whether a majority of all configured nodes is on our chain and in sync. */
  fresh: boolean;
  headOf(node: EthereumNode): EthereumHead | undefined;
  /** The height of one of these nodes. */
  numberOf(node: EthereumNode): bigint;
};

type Options = {
  all: EthereumNode[];
  /** How many nodes are a majority. */
  quorum: number;
  queries: NodeQueries;
  /** Whether a block with this time is new enough. */
  isFresh(timeMs: number): boolean;
  log: Logger;
};

/** Reads the newest blocks of nodes (T55). */
export function createHeadReader({ all, quorum, queries, isFresh, log }: Options) {
  async function readHead(node: EthereumNode): Promise<EthereumHead> {
    const [, block] = await Promise.all([queries.requireOurChain(node), node.client.getBlock()]);
    const timeMs = Number(block.timestamp) * 1000;
    const fresh = isFresh(timeMs);
    return { node, number: block.number, hash: block.hash, timeMs, baseFeePerGas: block.baseFeePerGas ?? 0n, fresh };
  }

  /** Reads the head of every node. Rejects if none on our chain responds. */
  async function readHeads(): Promise<EthereumHeads> {
    const answers = (await queries.queryAll(readHead)).flatMap(({ result }) =>
      result instanceof Error ? [] : [result],
    );
    const inSync = answers.filter(({ fresh }) => fresh);
    const fresh = inSync.length >= quorum;
    const heads = (fresh ? inSync : answers).toSorted((a, b) => Number(b.number - a.number));
    const head = heads[Math.min(quorum, heads.length) - 1];
    if (!head) throw new Error("No Ethereum node responds.");
    const known = new Map(heads.map((one) => [one.node, one]));
    return {
      nodes: heads.map(({ node }) => node),
      number: head.number,
      hash: head.hash,
      timeMs: head.timeMs,
      fresh,
      headOf: (node) => known.get(node),
      numberOf: (node) => known.get(node)?.number ?? -1n,
    };
  }

  /**
   * The head of the first node that is on our chain and in sync. If none is in sync, the highest head and `fresh` =
   * false. Rejects if none on our chain responds.
   */
  async function pickHead(): Promise<EthereumHead> {
    let best: EthereumHead | null = null;
    let firstError: unknown = null;
    for (const node of all) {
      try {
        const head = await readHead(node);
        if (head.fresh) return head;
        if (!best || head.number > best.number) best = head;
      } catch (error) {
        firstError ??= error;
        log.warn({ node: node.name, err: error }, "could not read the head of an Ethereum node");
      }
    }
    if (best) return best;
    throw firstError;
  }

  return { readHeads, pickHead };
}
