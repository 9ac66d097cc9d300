import type { Logger } from "pino";
import { type Hex, TransactionReceiptNotFoundError } from "viem";
import type { EthereumHead, EthereumNode, EthereumNodes } from "./ethereum-nodes";
import { readTransfers, type TokenTransfer } from "./ethereum-token";
import type { ChainTransfer, SeenTransfer } from "./gateway";

type Options = {
  nodes: EthereumNodes;
  token: `0x${string}`;
  requiredConfirmations: number;
  /** micro-USDT; a larger deposit counts only in a block that the network calls finalized. Null: never asked. */
  finalizedAbove: bigint | null;
  log: Logger;
};

export type TransferLookup = ReturnType<typeof createTransferLookup>;

/** Where transfers stand: in which block, how deep, and whether the nodes agree on it (T50, T55). */
export function createTransferLookup({ nodes, token, requiredConfirmations, finalizedAbove, log }: Options) {
  const almost = requiredConfirmations - 1;

  /** One transfer as one node sees it now, or null where it is in no block of that node's chain. */
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
    if (block.hash !== receipt.blockHash) throw new Error("The node's chain changed between two of its answers.");
    const transfer = readTransfers(receipt.logs, token).find(({ ordinal }) => ordinal === logIndex);
    if (!transfer || transfer.value === 0n) return null;
    const confirmations = Number(height - receipt.blockNumber) + 1;
    const counts = confirmations < requiredConfirmations || (await isFinal(client, transfer));
    return toChainTransfer(transfer, block.timestamp, counts ? confirmations : almost);
  }

  /**
   * A missing receipt alone proves nothing: the node's index may lag, or another machine
   * behind its URL have answered. Gone is what the block at its height does not hold.
   */
  async function requireGone(client: EthereumNode["client"], { txHash, blockNumber }: SeenTransfer): Promise<void> {
    const block = await client.getBlock({ blockNumber: BigInt(blockNumber) });
    if (block.transactions.includes(txHash as Hex)) throw new Error("The node has a transaction and no receipt of it.");
  }

  async function isFinal(client: EthereumNode["client"], { value, blockNumber }: TokenTransfer): Promise<boolean> {
    if (finalizedAbove === null || value <= finalizedAbove) return true;
    const finalized = await client.getBlock({ blockTag: "finalized" });
    return blockNumber <= finalized.number;
  }

  /**
   * Asks every node. What most of them say alike holds, with the fewest confirmations among
   * them. Where they do not agree, the transfer is shown and does not count yet.
   */
  async function recheck(seen: SeenTransfer): Promise<ChainTransfer | null> {
    const answers = await nodes.askAll((node) => lookUp(node, seen));
    const votes = new Map<string, (ChainTransfer | null)[]>();
    for (const { answer } of answers) {
      if (answer instanceof Error) continue;
      const said = answer ? `${answer.blockHash} ${answer.address} ${answer.amount}` : "in no block";
      votes.set(said, [...(votes.get(said) ?? []), answer]);
    }
    const agreed = [...votes.values()].find((group) => group.length >= nodes.quorum);
    if (agreed)
      return agreed.reduce((least, one) => (least && one && one.confirmations < least.confirmations ? one : least));

    log.error({ txHash: seen.txHash, said: [...votes.keys()] }, "the Ethereum nodes do not agree on a transfer");
    const claim = [...votes.values()].flat().find((answer) => answer !== null);
    if (!claim) throw new Error("Too few Ethereum nodes answer to tell where a transfer stands.");
    return { ...claim, confirmations: Math.min(claim.confirmations, almost) };
  }

  /**
   * Transfers just read from logs, each with its block's time and its confirmations. What
   * would count by its depth but needs more than that is asked about at every node.
   */
  async function locate(head: EthereumHead, transfers: TokenTransfer[]): Promise<ChainTransfer[]> {
    const numbers = [...new Set(transfers.map(({ blockNumber }) => blockNumber))];
    const blocks = new Map(
      await Promise.all(
        numbers.map(async (number) => [number, await head.node.client.getBlock({ blockNumber: number })] as const),
      ),
    );
    const located: ChainTransfer[] = [];
    for (const transfer of transfers) {
      const block = blocks.get(transfer.blockNumber);
      // Reorged away between the two questions; the next scan reads what came instead.
      if (!block || block.hash !== transfer.blockHash) continue;
      const seen = toChainTransfer(transfer, block.timestamp, Number(head.number - transfer.blockNumber) + 1);
      const needsMore = nodes.all.length > 1 || (finalizedAbove !== null && transfer.value > finalizedAbove);
      const checked = needsMore && seen.confirmations >= requiredConfirmations ? await recheck(seen) : seen;
      if (checked) located.push(checked);
    }
    return located;
  }

  return { recheck, locate };
}

function toChainTransfer(transfer: TokenTransfer, timestamp: bigint, confirmations: number): ChainTransfer {
  return {
    txHash: transfer.txHash,
    logIndex: transfer.ordinal,
    address: transfer.to,
    amount: transfer.value,
    blockHash: transfer.blockHash,
    blockNumber: Number(transfer.blockNumber),
    blockTime: new Date(Number(timestamp) * 1000),
    confirmations,
    displayHash: transfer.txHash,
  };
}
