import { mapInBatches } from "../../../lib/map-in-batches";
import type { ChainTransfer, SeenTransfer } from "../gateway";
import { toError } from "../to-error";
import type { EthereumHeads } from "./heads";
import type { LookupOptions } from "./lookup-options";
import { createNodeViews, type NodeView } from "./node-view";
import type { EthereumNode } from "./query-nodes";
import type { TokenTransfer } from "./token";
import { chooseReachedBy, groupByVote, reachedBy } from "./votes";

/** Transactions that are looked up at a node at the same time. */
const transactionsAtOnce = 8;

/** Null: not in a block. An error: unknown. */
type LookedUp = ChainTransfer | null | Error;

export type TransferLookup = ReturnType<typeof createTransferLookup>;

/** Looks up the block and confirmations of transfers, and whether the nodes agree on them (T50, T55). */
export function createTransferLookup({ nodes, token, requiredConfirmations, finalizedAbove, log }: LookupOptions) {
  const views = createNodeViews(token);
  /** The confirmations to show for a transfer that is deep enough but must not be credited yet. */
  const oneShort = requiredConfirmations - 1;

  /** A transfer as one node sees it; null when it is not in a block of that node's chain. */
  async function lookUp(view: NodeView, seen: SeenTransfer): Promise<ChainTransfer | null> {
    const transaction = await view.findTransaction(seen);
    const transfer = transaction?.transfers.get(seen.ordinal);
    if (!transaction || !transfer || transfer.value === 0n) return null;
    const confirmations = Math.max(1, Number(view.height - transfer.blockNumber) + 1);
    const needsFinality = finalizedAbove !== null && transfer.value > finalizedAbove;
    const isShort = confirmations >= requiredConfirmations && needsFinality;
    const canCount = !isShort || (await view.isFinalized(transfer.blockNumber));
    const timeMs = Number(transaction.block.timestamp) * 1000;
    return toChainTransfer(transfer, timeMs, canCount ? confirmations : oneShort);
  }

  /** Looks up transfers on one node: all transfers of a transaction together, and several transactions at a time. */
  async function lookUpAll(node: EthereumNode, seen: readonly SeenTransfer[]): Promise<LookedUp[]> {
    const view = await views.open(node);
    const results: LookedUp[] = [];
    const byTransaction = new Map<string, [number, SeenTransfer][]>();
    for (const entry of seen.entries()) {
      const [, { txHash }] = entry;
      const others = byTransaction.get(txHash);
      if (others) others.push(entry);
      else byTransaction.set(txHash, [entry]);
    }
    await mapInBatches([...byTransaction.values()], transactionsAtOnce, async (transfers) => {
      // One after the other, so that all but the first use the transaction that the first has read.
      for (const [index, transfer] of transfers) results[index] = await lookUp(view, transfer).catch(toError);
    });
    const failed = results.filter((result) => result instanceof Error);
    const [err] = failed;
    if (err)
      log.warn({ node: node.name, transfers: failed.length, err }, "an Ethereum node could not look up transfers");
    return results;
  }

  /**
   * Implements `ChainGateway.recheck`: queries all nodes and returns what a majority agrees on, with the confirmations
   * that a majority has: a node that is stuck at the transfer's block must not keep it from being credited. Without a
   * majority the transfer is reported with too few confirmations to be credited.
   */
  async function recheck(seen: readonly SeenTransfer[]): Promise<LookedUp[]> {
    if (seen.length === 0) return [];
    const responses = await nodes
      .queryAll((node) => lookUpAll(node, seen))
      .catch((error: unknown) => [{ result: toError(error) }]);
    const disputed = new Map<string, string[]>();
    const decided = seen.map(({ txHash }, index) => {
      const results = responses.map(({ result }) => (result instanceof Error ? result : (result[index] as LookedUp)));
      const groups = groupByVote(
        results.map((result) => ({ result })),
        toVote,
      );
      const [largest = []] = groups;
      const agreed = chooseReachedBy(nodes.quorum, largest, (result) => result?.confirmations ?? 0);
      if (agreed !== undefined) return agreed;
      // None of the nodes could look it up.
      if (groups.length === 0) return results[0] as Error;
      const votes = groups.map(([result]) => toVote(result));
      disputed.set(txHash, votes);
      const claim = groups.flat().find((result) => result !== null);
      if (!claim) return new Error("A transfer cannot be looked up, because too few Ethereum nodes responded.");
      return { ...claim, confirmations: Math.min(claim.confirmations, oneShort), disputed: true };
    });
    for (const [txHash, votes] of disputed) {
      views.invalidate(txHash);
      log.error({ txHash, votes }, "the Ethereum nodes do not agree on a transfer");
    }
    return decided;
  }

  /**
   * Adds block time and confirmations to transfers parsed from logs. Rechecks transfers that too few nodes returned,
   * and those deep enough to be credited: if a node missed an earlier log of the transaction, the transfer has the
   * wrong number. A transfer is returned once, even if nodes report it differently. If enough nodes returned a
   * transfer but none can look it up, it waits as if they disagreed on it: it must neither be lost nor stop the
   * scan.
   */
  async function locate(
    heads: EthereumHeads,
    found: { transfer: TokenTransfer; agreed: boolean }[],
  ): Promise<ChainTransfer[]> {
    const numbers = [...new Set(found.map(({ transfer }) => transfer.blockNumber))];
    const blocks = new Map(
      await Promise.all(numbers.map(async (number) => [number, await nodes.readBlock(number, heads)] as const)),
    );
    const claims = found.flatMap(({ transfer, agreed }) => {
      const block = blocks.get(transfer.blockNumber);
      // A reorg happened between the two requests; the next scan reads the new block.
      if (!block || block.hash !== transfer.blockHash) return [];
      const confirmations = Math.max(1, Number(heads.number - transfer.blockNumber) + 1);
      const mustCheck = !agreed || confirmations >= requiredConfirmations;
      return [{ seen: toChainTransfer(transfer, block.timeMs, confirmations), agreed, mustCheck }];
    });
    const located = chooseOnePerTransfer(claims);
    const suspects = located.filter(({ mustCheck }) => mustCheck);
    const checked = await recheck(suspects.map(({ seen }) => seen));
    const resultOf = new Map(suspects.map(({ seen }, index) => [seen, checked[index]]));
    return located.flatMap(({ seen, agreed, mustCheck }) => {
      const result = (mustCheck ? resultOf.get(seen) : seen) ?? null;
      const isUnclear = result instanceof Error || result?.disputed === true;
      if (agreed && isUnclear) {
        // Enough nodes returned this log, so its contents count, and not what a single node reports now.
        return { ...seen, confirmations: Math.min(seen.confirmations, oneShort), disputed: true };
      }
      if (!(result instanceof Error)) return result ?? [];
      log.warn({ txHash: seen.txHash, err: result }, "a transfer that few Ethereum nodes know could not be looked up");
      return [];
    });
  }

  /** The highest block that a majority of the nodes calls finalized; null if too few respond. */
  async function readFinalizedHeight(heads: EthereumHeads): Promise<number | null> {
    const responses = await nodes
      .queryAll(({ client }) => client.getBlock({ blockTag: "finalized" }), heads.nodes)
      .catch(() => []);
    const heights = responses.flatMap(({ result }) => (result instanceof Error ? [] : [Number(result.number)]));
    return reachedBy(nodes.quorum, heights);
  }

  return { recheck, locate, readFinalizedHeight };
}

/** The version of a transfer that enough nodes report, otherwise any. */
function chooseOnePerTransfer<Claim extends { seen: SeenTransfer; agreed: boolean }>(claims: Claim[]): Claim[] {
  const chosen = new Map<string, Claim>();
  for (const claim of claims) {
    const key = `${claim.seen.txHash}:${claim.seen.ordinal}`;
    if (claim.agreed || !chosen.has(key)) chosen.set(key, claim);
  }
  return [...chosen.values()];
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
    ordinal: transfer.ordinal,
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
