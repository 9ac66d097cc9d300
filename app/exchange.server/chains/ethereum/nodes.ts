import type { Logger } from "pino";
import { createPublicClient, defineChain, type PublicClient, type Transport } from "viem";
import { minuteMs } from "../../../lib/durations";
import { createRpcTransport } from "../../rpc-transport";
import { toError } from "../to-error";
import { groupByVote, reachedBy } from "./votes";

export type EthereumNode = { name: string; client: PublicClient };
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
 * The nodes in sync, or all that answered if too few are; and the highest block that a majority of all nodes has
 * reached.
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

/** How long to wait for the other nodes once a majority has responded. */
const patienceMs = 3_000;

type Options = {
  rpcUrls: string[];
  chainId: number;
  maxHeadAgeMs: number;
  log: Logger;
  now: () => number;
  /** Connects to a node; HTTP by default. */
  toTransport?: (url: string) => Transport;
};

/** A node on a different chain from the configured one. Nothing else is read from it. */
export class WrongChainError extends Error {
  constructor(name: string, actual: number, expected: number) {
    super(`Ethereum ${name} is on chain ${actual}, not on ${expected}. Check ETH_RPC_URLS and ETH_CHAIN_ID.`);
    this.name = "WrongChainError";
  }
}

export type EthereumNodes = ReturnType<typeof openNodes>;

/**
 * The gateway's nodes, in order of preference. Logs and errors identify them by position
 * ("node 1"), because an RPC URL often contains an API key.
 */
export function openNodes({ rpcUrls, chainId, maxHeadAgeMs, log, now, toTransport = toHttpTransport }: Options) {
  if (rpcUrls.length === 0) throw new Error("ETH_RPC_URLS is empty.");
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const all: EthereumNode[] = rpcUrls.map((url, index) => ({
    name: `node ${index + 1}`,
    // cacheTime 0: by default viem returns block numbers that are up to four seconds old.
    client: createPublicClient({ chain, transport: toTransport(url), cacheTime: 0 }),
  }));

  const quorum = Math.floor(rpcUrls.length / 2) + 1;
  const isFresh = (timeMs: number) => now() - timeMs <= maxHeadAgeMs;

  const onWrongChain = new Set<EthereumNode>();
  /** Nodes that did not respond in time. They are still called, but not waited for, until they respond again. */
  const silent = new Set<EthereumNode>();

  async function requireOurChain(node: EthereumNode): Promise<void> {
    const actual = await node.client.getChainId();
    if (actual === chainId) {
      onWrongChain.delete(node);
      return;
    }
    onWrongChain.add(node);
    throw new WrongChainError(node.name, actual, chainId);
  }

  async function readHead(node: EthereumNode): Promise<EthereumHead> {
    const [, block] = await Promise.all([requireOurChain(node), node.client.getBlock()]);
    const timeMs = Number(block.timestamp) * 1000;
    const fresh = isFresh(timeMs);
    return { node, number: block.number, hash: block.hash, timeMs, baseFeePerGas: block.baseFeePerGas ?? 0n, fresh };
  }

  /**
   * When a failure of each node was last logged: at most once a minute, so that a node that always fails does not fill
   * the log.
   */
  const loggedAt = new Map<EthereumNode, number>();
  function logFailure(node: EthereumNode, error: Error): void {
    const at = performance.now();
    if (at - (loggedAt.get(node) ?? Number.NEGATIVE_INFINITY) < minuteMs) return;
    loggedAt.set(node, at);
    log.warn({ node: node.name, err: error }, "an Ethereum node failed");
  }

  /**
   * Runs a query on every node, or on some. A failed query is returned as its `Error`. When a majority of all nodes has
   * answered, the others get a few more seconds, unless they have been silent before. Rejects when the query failed on
   * all nodes.
   */
  async function queryAll<T>(
    query: (node: EthereumNode) => Promise<T>,
    from: EthereumNode[] = all,
  ): Promise<{ node: EthereumNode; result: T | Error }[]> {
    const waits = from.map((node) => !silent.has(node));
    const answers = from.map(async (node) => {
      try {
        if (onWrongChain.has(node)) await requireOurChain(node);
        const result = await query(node);
        silent.delete(node);
        return result;
      } catch (error) {
        return toError(error);
      }
    });
    const results = await waitForMajority(answers, { majority: quorum, waits });
    for (const [index, node] of from.entries())
      if (waits[index] && results[index] instanceof SilentNodeError) silent.add(node);
    const failed = results.filter((result) => result instanceof Error);
    if (failed.length === results.length) throw failed[0];
    return from.map((node, index) => {
      const result = results[index] as T | Error;
      if (result instanceof Error) logFailure(node, result);
      return { node, result };
    });
  }

  /** Reads the head of every node. Rejects when no node on our chain answers. */
  async function readHeads(): Promise<EthereumHeads> {
    const answers = (await queryAll(readHead)).flatMap(({ result }) => (result instanceof Error ? [] : [result]));
    const inSync = answers.filter(({ fresh }) => fresh);
    const fresh = inSync.length >= quorum;
    const heads = (fresh ? inSync : answers).toSorted((a, b) => Number(b.number - a.number));
    const head = heads[Math.min(quorum, heads.length) - 1];
    if (!head) throw new Error("No Ethereum node answers.");
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
   * Asks the nodes in sync, or all that answered if too few are. Rejects if fewer than a majority of all nodes answer.
   */
  async function askMajority<T>(query: (head: EthereumHead) => Promise<T>, heads: EthereumHeads): Promise<T[]> {
    const answers = await queryAll(async (node) => {
      const head = heads.headOf(node);
      if (!head) throw new Error("The node has no head.");
      return query(head);
    }, heads.nodes);
    const results = answers.flatMap(({ result }) => (result instanceof Error ? [] : [result]));
    if (results.length >= quorum) return results;
    const failed = answers.find(({ result }) => result instanceof Error)?.result;
    throw new Error(`Only ${results.length} of ${all.length} Ethereum nodes answered.`, { cause: failed });
  }

  return {
    all,
    chain,
    /** A strict majority: both of two nodes, two of three. */
    quorum,
    isFresh,
    queryAll,
    askMajority,

    readHeads,

    /** The answer of a majority of all nodes. Rejects when too few agree. */
    async agree<T extends string | boolean | null>(
      query: (head: EthereumHead) => Promise<T>,
      heads?: EthereumHeads,
    ): Promise<T> {
      const results = await askMajority(query, heads ?? (await readHeads()));
      const [largest] = groupByVote(
        results.map((result) => ({ result })),
        String,
      );
      if (largest && largest.length >= quorum) return largest[0];
      throw new Error("The Ethereum nodes do not agree.");
    },

    /** The highest number that a majority of all nodes reaches: of three answers, the middle one. */
    async reach<T extends number | bigint>(
      query: (head: EthereumHead) => Promise<T>,
      heads?: EthereumHeads,
    ): Promise<T> {
      return reachedBy(quorum, await askMajority(query, heads ?? (await readHeads()))) as T;
    },

    /** The block at a height as most nodes see it; `agreed` if they are a majority of all configured nodes. */
    async readBlock(
      number: bigint,
      heads: EthereumHeads,
    ): Promise<{ hash: `0x${string}`; timeMs: number; agreed: boolean }> {
      const reached = heads.nodes.filter((node) => heads.numberOf(node) >= number);
      const answers = await queryAll(({ client }) => client.getBlock({ blockNumber: number }), reached);
      const [best] = groupByVote(answers, ({ hash, timestamp }) => `${hash} ${timestamp}`);
      if (!best) throw new Error(`No Ethereum node has block ${number}.`);
      const [{ hash, timestamp }] = best;
      return { hash, timeMs: Number(timestamp) * 1000, agreed: best.length >= quorum };
    },

    /**
     * The head of the first node that is on our chain and in sync. When none is in sync: the
     * highest head, with `fresh: false`. Rejects when no node on our chain answers.
     */
    async pickHead(): Promise<EthereumHead> {
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
    },
  };
}

function toHttpTransport(url: string): Transport {
  return createRpcTransport(url, { timeout: 10_000, retryCount: 2 });
}

class SilentNodeError extends Error {
  constructor() {
    super("The node did not answer in time.");
    this.name = "SilentNodeError";
  }
}

/** Waits until all answer, or a majority has and the others had extra time. `waits`: which nodes get extra time. */
async function waitForMajority<T>(
  answers: Promise<T | Error>[],
  { majority, waits }: { majority: number; waits: boolean[] },
): Promise<(T | Error)[]> {
  const results: (T | Error)[] = answers.map(() => new SilentNodeError());
  let timer: NodeJS.Timeout | undefined;
  const open = new Set(answers.keys());
  let succeeded = 0;
  await new Promise<void>((resolve) => {
    if (open.size === 0) resolve();
    for (const [index, answer] of answers.entries()) {
      void answer.then((result) => {
        results[index] = result;
        open.delete(index);
        if (!(result instanceof Error)) succeeded += 1;
        if (open.size === 0) resolve();
        else if (succeeded < majority) return;
        else if ([...open].some((other) => waits[other])) timer ??= setTimeout(resolve, patienceMs);
        else resolve();
      });
    }
  });
  clearTimeout(timer);
  return [...results];
}
