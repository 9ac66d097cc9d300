import type { EthereumHead, EthereumHeads } from "./heads";
import type { NodeQueries } from "./query-nodes";
import { groupByVote, reachedBy } from "./votes";

type Options = {
  /** How many nodes there are. */
  total: number;
  /** How many of them are a majority. */
  quorum: number;
  queryAll: NodeQueries["queryAll"];
  readHeads(): Promise<EthereumHeads>;
};

/** Queries nodes for what a majority of them has to agree on (T55). */
export function createMajorityQueries({ total, quorum, queryAll, readHeads }: Options) {
  /**
   * Queries the nodes in sync, or all that responded if too few are in sync. Rejects if fewer than a majority of
   * all nodes respond.
   */
  async function queryMajority<T>(query: (head: EthereumHead) => Promise<T>, heads: EthereumHeads): Promise<T[]> {
    const responses = await queryAll(async (node) => {
      const head = heads.headOf(node);
      if (!head) throw new Error("The node has no head.");
      return query(head);
    }, heads.nodes);
    const results = responses.flatMap(({ result }) => (result instanceof Error ? [] : [result]));
    if (results.length >= quorum) return results;
    const failed = responses.find(({ result }) => result instanceof Error)?.result;
    throw new Error(`Only ${results.length} of ${total} Ethereum nodes responded.`, { cause: failed });
  }

  /** The response of a majority of all nodes. Rejects when too few agree. */
  async function agree<T extends string | boolean | null>(
    query: (head: EthereumHead) => Promise<T>,
    heads?: EthereumHeads,
  ): Promise<T> {
    const results = await queryMajority(query, heads ?? (await readHeads()));
    const [largest] = groupByVote(
      results.map((result) => ({ result })),
      String,
    );
    if (largest && largest.length >= quorum) return largest[0];
    throw new Error("The Ethereum nodes do not agree.");
  }

  /** The highest number that a majority of all nodes reaches: of three responses, the middle one. */
  async function reach<T extends number | bigint>(
    query: (head: EthereumHead) => Promise<T>,
    heads?: EthereumHeads,
  ): Promise<T> {
    return reachedBy(quorum, await queryMajority(query, heads ?? (await readHeads()))) as T;
  }

  /** The block at a height as most nodes see it; `agreed` if they are a majority of all configured nodes. */
  async function readBlock(
    number: bigint,
    heads: EthereumHeads,
  ): Promise<{ hash: `0x${string}`; timeMs: number; agreed: boolean }> {
    const reached = heads.nodes.filter((node) => heads.numberOf(node) >= number);
    const responses = await queryAll(({ client }) => client.getBlock({ blockNumber: number }), reached);
    const [best] = groupByVote(responses, ({ hash, timestamp }) => `${hash} ${timestamp}`);
    if (!best) throw new Error(`No Ethereum node has block ${number}.`);
    const [{ hash, timestamp }] = best;
    return { hash, timeMs: Number(timestamp) * 1000, agreed: best.length >= quorum };
  }

  return { queryMajority, agree, reach, readBlock };
}
