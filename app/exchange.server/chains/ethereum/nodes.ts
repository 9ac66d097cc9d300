import type { Logger } from "pino";
import { createPublicClient, defineChain, type Transport } from "viem";
import { createRpcTransport } from "../../rpc-transport";
import { createHeadReader } from "./heads";
import { createMajorityQueries } from "./majority";
import { createNodeQueries, type EthereumNode } from "./query-nodes";

type Options = {
  rpcUrls: string[];
  chainId: number;
  maxHeadAgeMs: number;
  log: Logger;
  now: () => number;
  /** Connects to a node; HTTP by default. */
  toTransport?: (url: string) => Transport;
};

export type EthereumNodes = ReturnType<typeof openNodes>;

/**
 * The gateway's nodes. Logs and errors identify them by position ("node 1"), because an RPC URL often contains an API
 * key.
 * @throws Error without any URL
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
    client: createPublicClient({
      chain,
      transport: toTransport(url),
      // By default, viem returns block numbers that are up to four seconds old.
      cacheTime: 0,
      // By default, viem fetches any URL that a node returns as the error of a contract call (T19).
      ccipRead: false,
    }),
  }));

  /** A strict majority: both of two nodes, two of three. */
  const quorum = Math.floor(rpcUrls.length / 2) + 1;
  const isFresh = (timeMs: number) => now() - timeMs <= maxHeadAgeMs;
  const queries = createNodeQueries({ all, quorum, chainId, log });
  const readHeads = createHeadReader({ quorum, queries, isFresh, log });
  const { queryAll } = queries;
  const majority = createMajorityQueries({ total: all.length, quorum, queryAll, readHeads });
  return { all, chain, quorum, isFresh, queryAll, readHeads, ...majority };
}

function toHttpTransport(url: string): Transport {
  return createRpcTransport(url, { timeout: 10_000, retryCount: 2 });
}
