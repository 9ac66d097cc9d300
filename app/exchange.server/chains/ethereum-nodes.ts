import type { Logger } from "pino";
import { createPublicClient, defineChain, http, type PublicClient } from "viem";

export type EthereumNode = { name: string; client: PublicClient };
export type EthereumHead = {
  node: EthereumNode;
  number: bigint;
  hash: `0x${string}`;
  timeMs: number;
  baseFeePerGas: bigint;
  /** Younger than `maxHeadAgeMs`. */
  fresh: boolean;
};

type Options = { rpcUrls: string[]; chainId: number; maxHeadAgeMs: number; log: Logger; now: () => number };

/** A node of another chain is never read from. */
export class WrongChainError extends Error {
  constructor(name: string, found: number, wanted: number) {
    super(`Ethereum ${name} is on chain ${found}, not on ${wanted}. Look at ETH_RPC_URLS and ETH_CHAIN_ID.`);
    this.name = "WrongChainError";
  }
}

export type EthereumNodes = ReturnType<typeof openNodes>;

/**
 * The nodes the gateway may ask, in the order of preference. They are named by their place:
 * an RPC's URL often holds a key and belongs into no log.
 */
export function openNodes({ rpcUrls, chainId, maxHeadAgeMs, log, now }: Options) {
  if (rpcUrls.length === 0) throw new Error("ETH_RPC_URLS names no node.");
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const all: EthereumNode[] = rpcUrls.map((url, index) => ({
    name: `node ${index + 1}`,
    // cacheTime 0: viem would answer a block number that is four seconds old.
    client: createPublicClient({ chain, transport: http(url, { timeout: 10_000, retryCount: 2 }), cacheTime: 0 }),
  }));

  async function readHead(node: EthereumNode): Promise<EthereumHead> {
    const [foundChain, block] = await Promise.all([node.client.getChainId(), node.client.getBlock()]);
    if (foundChain !== chainId) throw new WrongChainError(node.name, foundChain, chainId);
    const timeMs = Number(block.timestamp) * 1000;
    const fresh = now() - timeMs <= maxHeadAgeMs;
    return { node, number: block.number, hash: block.hash, timeMs, baseFeePerGas: block.baseFeePerGas ?? 0n, fresh };
  }

  return {
    all,
    chain,
    /** Of an even number of nodes more than half, too: two must agree, three need two. */
    quorum: Math.floor(all.length / 2) + 1,

    /**
     * The head of the first node that is on our chain and in step; where none is in step,
     * the best head there is, `fresh: false`. Rejects where no node answers for our chain.
     */
    async pickHead(): Promise<EthereumHead> {
      let best: EthereumHead | null = null;
      let failure: unknown = null;
      for (const node of all) {
        try {
          const head = await readHead(node);
          if (head.fresh) return head;
          if (!best || head.number > best.number) best = head;
        } catch (error) {
          failure ??= error;
          log.warn({ node: node.name, err: error }, "an Ethereum node gave no head");
        }
      }
      if (best) return best;
      throw failure;
    },

    /** Asks every node; an answer that failed is null here and in the log. Rejects where all failed. */
    async askAll<T>(
      question: (node: EthereumNode) => Promise<T>,
    ): Promise<{ node: EthereumNode; answer: T | Error }[]> {
      const answers = await Promise.all(
        all.map(async (node) => {
          try {
            return { node, answer: await question(node) };
          } catch (error) {
            const answer = error instanceof Error ? error : new Error("no answer", { cause: error });
            return { node, answer };
          }
        }),
      );
      const failed = answers.filter(({ answer }) => answer instanceof Error);
      if (failed.length === answers.length) throw failed[0]?.answer;
      for (const { node, answer } of failed) log.warn({ node: node.name, err: answer }, "an Ethereum node failed");
      return answers;
    },
  };
}
