import type { Logger } from "pino";
import { type Hex, TransactionReceiptNotFoundError } from "viem";
import type { ChainTransfer, SeenTransfer } from "../gateway";
import type { EthereumHeads, EthereumNode, EthereumNodes } from "./nodes";
import { parseTransfers, type TokenTransfer } from "./token";
import { groupByVote } from "./votes";

type Options = {
  nodes: EthereumNodes;
  token: `0x${string}`;
  requiredConfirmations: number;
  /** micro-USDT. Larger deposits are credited only after their block is finalized; null: no such limit. */
  finalizedAbove: bigint | null;
  log: Logger;
};

export type TransferLookup = ReturnType<typeof createTransferLookup>;

/** Looks up the block and confirmations of transfers, and whether the nodes agree on them (T50, T55). */
export function createTransferLookup({ nodes, token, requiredConfirmations, finalizedAbove, log }: Options) {
  /** Shown for a transfer that is deep enough but must not be credited yet. */
  const oneShort = requiredConfirmations - 1;

  /** A transfer as one node sees it; null when it is in no block of that node's chain. */
  async function lookUp({ client }: EthereumNode, seen: SeenTransfer): Promise<ChainTransfer | null> {
    const { txHash, logIndex } = seen;
    const receipt = await client.getTransactionReceipt({ hash: txHash as Hex }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (receipt === null) await requireGone(client, seen);
    if (receipt?.status !== "success") return null;
    const [block, height] = await Promise.all([
      client.getBlock({ blockNumber: receipt.blockNumber }),
      client.getBlockNumber(),
    ]);
    if (block.hash !== receipt.blockHash) throw new Error("The node's chain changed between two requests.");
    const transfer = parseTransfers(receipt.logs, token).find(({ ordinal }) => ordinal === logIndex);
    if (!transfer || transfer.value === 0n) return null;
    const confirmations = Number(height - receipt.blockNumber) + 1;
    const canCount = confirmations < requiredConfirmations || (await isFinal(client, transfer));
    return toChainTransfer(transfer, Number(block.timestamp) * 1000, canCount ? confirmations : oneShort);
  }

  /**
   * Throws unless the transfer's block no longer contains its transaction. A missing receipt
   * alone proves nothing: the node's index may lag, or a different machine behind the URL
   * may have answered.
   */
  async function requireGone(client: EthereumNode["client"], { txHash, blockNumber }: SeenTransfer): Promise<void> {
    const block = await client.getBlock({ blockNumber: BigInt(blockNumber) });
    if (block.transactions.includes(txHash as Hex)) throw new Error("The node has no receipt of a known transaction.");
  }

  async function isFinal(client: EthereumNode["client"], { value, blockNumber }: TokenTransfer): Promise<boolean> {
    if (finalizedAbove === null || value <= finalizedAbove) return true;
    const finalized = await client.getBlock({ blockTag: "finalized" });
    return blockNumber <= finalized.number;
  }

  /**
   * Implements `ChainGateway.recheck`: queries all nodes and returns what a majority agrees
   * on, with the lowest number of confirmations among them. Without a majority the transfer
   * is reported with too few confirmations to be credited.
   */
  async function recheck(seen: SeenTransfer): Promise<ChainTransfer | null> {
    const groups = groupByVote(await nodes.queryAll((node) => lookUp(node, seen)), toVote);
    const [largest] = groups;
    if (largest && largest.length >= nodes.quorum)
      return largest.reduce((least, one) => (least && one && one.confirmations < least.confirmations ? one : least));

    const votes = groups.map(([result]) => toVote(result));
    log.error({ txHash: seen.txHash, votes }, "the Ethereum nodes do not agree on a transfer");
    const claim = groups.flat().find((result) => result !== null);
    if (!claim) throw new Error("Too few Ethereum nodes answered to look up a transfer.");
    return { ...claim, confirmations: Math.min(claim.confirmations, oneShort), disputed: true };
  }

  /**
   * Adds block time and confirmations to transfers parsed from logs. Rechecks a transfer that
   * too few nodes returned, and one deep enough to be credited when there are other nodes to
   * agree with or its amount requires a finalized block.
   */
  async function locate(
    heads: EthereumHeads,
    found: { transfer: TokenTransfer; agreed: boolean }[],
  ): Promise<ChainTransfer[]> {
    const numbers = [...new Set(found.map(({ transfer }) => transfer.blockNumber))];
    const blocks = new Map(
      await Promise.all(numbers.map(async (number) => [number, await nodes.readBlock(number, heads)] as const)),
    );
    const located: ChainTransfer[] = [];
    for (const { transfer, agreed } of found) {
      const block = blocks.get(transfer.blockNumber);
      // A reorg happened between the two requests; the next scan reads the new block.
      if (!block || block.hash !== transfer.blockHash) continue;
      const confirmations = Math.max(1, Number(heads.number - transfer.blockNumber) + 1);
      const seen = toChainTransfer(transfer, block.timeMs, confirmations);
      const needsFinality = finalizedAbove !== null && transfer.value > finalizedAbove;
      const isDeep = confirmations >= requiredConfirmations;
      if (agreed && !(isDeep && (nodes.all.length > 1 || needsFinality))) {
        located.push(seen);
        continue;
      }
      const checked = await recheck(seen).catch((error: unknown) => {
        if (agreed) throw error;
        log.warn({ txHash: seen.txHash, err: error }, "a transfer that few Ethereum nodes know could not be looked up");
        return null;
      });
      if (checked) located.push(checked);
    }
    return located;
  }

  /** The highest block that a majority of the nodes calls finalized; null when too few answer. */
  async function readFinalizedHeight(heads: EthereumHeads): Promise<number | null> {
    const answers = await nodes
      .queryAll(({ client }) => client.getBlock({ blockTag: "finalized" }), heads.nodes)
      .catch(() => []);
    const heights = answers.flatMap(({ result }) => (result instanceof Error ? [] : [Number(result.number)]));
    return heights.toSorted((a, b) => b - a)[nodes.quorum - 1] ?? null;
  }

  return { recheck, locate, readFinalizedHeight };
}

/** Equal for two views only if they agree on everything except the confirmations. */
function toVote(transfer: ChainTransfer | null): string {
  if (transfer === null) return "in no block";
  const { blockHash, blockLogIndex, blockTime, address, amount } = transfer;
  return `${blockHash} ${blockLogIndex} ${blockTime?.getTime()} ${address} ${amount}`;
}

function toChainTransfer(transfer: TokenTransfer, timeMs: number, confirmations: number): ChainTransfer {
  return {
    txHash: transfer.txHash,
    logIndex: transfer.ordinal,
    blockLogIndex: transfer.blockLogIndex,
    address: transfer.to,
    amount: transfer.value,
    blockHash: transfer.blockHash,
    blockNumber: Number(transfer.blockNumber),
    blockTime: new Date(timeMs),
    confirmations,
    displayHash: transfer.txHash,
  };
}
