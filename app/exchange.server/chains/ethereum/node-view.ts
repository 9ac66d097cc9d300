import { LRUCache } from "lru-cache";
import { type Hex, TransactionReceiptNotFoundError } from "viem";
import type { SeenTransfer } from "../gateway";
import type { EthereumNode } from "./query-nodes";
import { parseTransfers, type TokenTransfer } from "./token";

/** Transfers of looked-up transactions that are kept per node, some 10 MB. */
const maxKept = 20_000;

/** A transaction as a node included it: its token transfers by their number, none if it failed. */
type Included = { blockHash: Hex; blockNumber: bigint; transfers: Map<number, TokenTransfer> };

/** What one node currently reports. */
export type NodeView = Awaited<ReturnType<ReturnType<typeof createNodeViews>["open"]>>;

/**
 * Reads transactions from nodes. One transaction can make thousands of transfers to us, so its receipt is read and
 * parsed once and kept: the contents of a block with a known hash never change.
 */
export function createNodeViews(token: `0x${string}`) {
  const keptOf = new Map<EthereumNode, LRUCache<string, Included>>();

  async function readIncluded({ client }: EthereumNode, txHash: string): Promise<Included | null> {
    const receipt = await client.getTransactionReceipt({ hash: txHash as Hex }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (receipt === null) return null;
    const { blockHash, blockNumber } = receipt;
    const transfers = receipt.status === "success" ? parseTransfers(receipt.logs, token) : [];
    return { blockHash, blockNumber, transfers: new Map(transfers.map((one) => [one.ordinal, one])) };
  }

  return {
    /** What a node currently reports. Reads the head at once, and every block at most once. */
    async open(node: EthereumNode) {
      const { client } = node;
      const kept = keptOf.get(node) ?? new LRUCache<string, Included>({ maxSize: maxKept, sizeCalculation: countKept });
      keptOf.set(node, kept);
      const height = await client.getBlockNumber();
      const readBlock = readOnce((blockNumber: bigint) => client.getBlock({ blockNumber }));
      const readFinalized = readOnce((blockTag: "finalized") => client.getBlock({ blockTag }));

      /**
       * The transaction of a known transfer and its block; null if it is not in a block. A missing receipt alone proves
       * nothing: the node's index may lag, or a different machine behind the URL may have responded. So this rejects
       * unless the transfer's block no longer contains its transaction.
       */
      async function findTransaction({ txHash, blockNumber }: SeenTransfer) {
        const before = kept.get(txHash);
        if (before) {
          const block = await readBlock(before.blockNumber).catch(() => null);
          if (block?.hash === before.blockHash) return { ...before, block };
          kept.delete(txHash);
        }
        const included = await readIncluded(node, txHash);
        if (included === null) {
          const block = await readBlock(BigInt(blockNumber));
          if (!block.transactions.includes(txHash as Hex)) return null;
          throw new Error("The node has no receipt of a known transaction.");
        }
        const block = await readBlock(included.blockNumber);
        if (block.hash !== included.blockHash) throw new Error("The node's chain changed between two requests.");
        kept.set(txHash, included);
        return { ...included, block };
      }

      const isFinalized = async (number: bigint) => number <= (await readFinalized("finalized")).number;
      return { height, findTransaction, isFinalized };
    },

    /** Drops the transaction, so that it is read again: the nodes did not agree on it. */
    invalidate(txHash: string): void {
      for (const kept of keptOf.values()) kept.delete(txHash);
    },
  };
}

/** Wraps `read`, so that each key is read only once. */
function readOnce<K, V>(read: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new Map<K, Promise<V>>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

/** What a transaction counts as: its transfers, and one more, because a failed one has none. */
const countKept = ({ transfers }: Included): number => transfers.size + 1;
