import type { Logger } from "pino";
import { maxBigint, minBigint } from "../../../lib/bigint";
import type { MatchAddresses, RangeResult, ScanCursor, ScanResult } from "../gateway";
import { createAgreedReader } from "./agreed-transfers";
import type { EthereumHeads } from "./heads";
import type { EthereumNodes } from "./nodes";
import { maxRange, type TransferReader } from "./transfer-reader";
import type { TransferLookup } from "./transfers";

/**
 * How far to go back after a reorg removed our last block: four epochs, because older blocks are finalized.
 */
const reorgDepth = 128n;
/** A second pass reads this many blocks behind the cursor again, because some nodes return logs many blocks late. */
const secondPassBlocks = 64n;
/** How often the second pass runs. Together with the interval of scans, a late log is seen within a minute. */
const secondPassEveryMs = 30_000;

type Options = {
  nodes: EthereumNodes;
  readTransfers: TransferReader;
  lookup: TransferLookup;
  /** Blocks that every scan reads again, so that it updates the confirmations of their deposits. */
  overlap: number;
  /** The first block to scan; null: the head. */
  startBlock: number | null;
  log: Logger;
  now: () => number;
};

/** A scan's progress. `reached` is the part of its next cursor that records it. */
type Progress = {
  reached: Pick<ScanCursor, "height" | "hash" | "timeMs">;
  caughtUp: boolean;
  scannedThrough: Date | null;
};

/**
 * Creates `ChainGateway.scan` and `readRange`. Reads all transfers of the token by block range,
 * so the cost depends on the chain and not on the number of addresses. Uses eth_getLogs and not
 * eth_newFilter: filters get lost behind load balancers, and the logs in between with them.
 *
 * A block counts as read only when a majority of the nodes returns the same logs for it.
 */
export function createScanner({ nodes, readTransfers, lookup, overlap, startBlock, log, now }: Options) {
  const readAgreed = createAgreedReader({ nodes, readTransfers, lookup, log });

  async function scan(cursor: ScanCursor | null, matchAddresses: MatchAddresses): Promise<ScanResult> {
    const heads = await nodes.readHeads();
    const startedAt = now();
    const needsSecondPass = isSecondPassDue(cursor, startedAt);
    const isUnchanged = cursor !== null && BigInt(cursor.height) === heads.number && cursor.hash === heads.hash;
    if (isUnchanged && cursor.timeMs !== undefined && !needsSecondPass) {
      const scannedThrough = heads.fresh ? new Date(cursor.timeMs) : null;
      const readFrom = cursor.height + 1;
      return { transfers: [], cursor, readFrom, finalizedHeight: null, caughtUp: true, scannedThrough };
    }

    const { from, lastRead, to, first } = await planRange(heads, cursor, needsSecondPass);
    // Read before the logs: a reorg can no longer change the logs of a block that is already final.
    const finalizedHeight = await lookup.readFinalizedHeight(heads);
    // Read the last block's hash before its logs: the next scan then detects a reorg in between.
    const last = await nodes.readBlock(to, heads);
    const agreed = await readAgreed({ from, firstNew: lastRead + 1n, to }, heads, matchAddresses);
    const through = last.agreed ? agreed.through : minBigint(agreed.through, to - 1n);
    const { reached, caughtUp, scannedThrough } =
      through === to ? toEnd(heads, to, last) : await toWaiting(heads, cursor, { through, lastRead });
    const secondPassAt = needsSecondPass ? startedAt : cursor?.secondPassAt;
    return {
      transfers: agreed.transfers,
      readFrom: Number(from),
      finalizedHeight,
      cursor: { ...reached, first, secondPassAt },
      caughtUp,
      scannedThrough,
    };
  }

  /**
   * The blocks that a scan reads, from `from` to `to`. Those up to `lastRead` have been read before. `first` is stored
   * in the next cursor.
   */
  async function planRange(
    heads: EthereumHeads,
    cursor: ScanCursor | null,
    needsSecondPass: boolean,
  ): Promise<{ from: bigint; lastRead: bigint; to: bigint; first: ScanCursor["first"] }> {
    const lastRead = cursor ? await findLastCanonicalBlock(heads, cursor) : BigInt(startBlock ?? heads.number) - 1n;
    const reread = needsSecondPass ? maxBigint(secondPassBlocks, BigInt(overlap)) : BigInt(overlap);
    const wanted = maxBigint(cursor ? lastRead + 1n - reread : lastRead + 1n, 0n);
    const { from, first } = await limitToFirst(heads, cursor, { wanted, lastRead });
    const to = minBigint(heads.number, lastRead + maxRange);
    if (to < from) throw tooShort(heads.number, from);
    return { from, lastRead, to, first };
  }

  /** The progress of a scan that has read its whole range. */
  function toEnd(heads: EthereumHeads, to: bigint, last: { hash: string; timeMs: number }): Progress {
    return {
      reached: { height: Number(to), hash: last.hash, timeMs: last.timeMs },
      caughtUp: to === heads.number,
      scannedThrough: heads.fresh ? new Date(last.timeMs) : null,
    };
  }

  /** The progress of a scan that stops at `through`: on the next block, nodes disagree or too few of them respond. */
  async function toWaiting(
    heads: EthereumHeads,
    cursor: ScanCursor | null,
    { through, lastRead }: { through: bigint; lastRead: bigint },
  ): Promise<Progress> {
    if (through <= lastRead) {
      return { reached: cursor ?? { height: Number(lastRead) }, caughtUp: true, scannedThrough: null };
    }
    const { timeMs, agreed } = await nodes.readBlock(through, heads);
    const isFresh = agreed && heads.fresh && nodes.isFresh(timeMs);
    return { reached: { height: Number(through) }, caughtUp: true, scannedThrough: isFresh ? new Date(timeMs) : null };
  }

  /** Implements `ChainGateway.readRange`. */
  async function readRange(
    { from, to }: { from: number; to: number },
    matchAddresses: MatchAddresses,
  ): Promise<RangeResult> {
    const heads = await nodes.readHeads();
    const first = BigInt(from);
    const last = minBigint(minBigint(BigInt(to), heads.number), first + maxRange - 1n);
    if (last < first) return { transfers: [], through: from - 1 };
    const { transfers, through } = await readAgreed({ from: first, firstNew: first, to: last }, heads, matchAddresses);
    return { transfers, through: Number(through) };
  }

  /** The height of the cursor's block if it is still canonical; otherwise a height below any reorg. */
  async function findLastCanonicalBlock(heads: EthereumHeads, cursor: ScanCursor): Promise<bigint> {
    const height = BigInt(cursor.height);
    if (height <= heads.number) {
      if (cursor.hash === undefined) return height;
      const block = await nodes.readBlock(height, heads);
      if (block.hash === cursor.hash) return height;
    }
    log.warn({ height: cursor.height, head: Number(heads.number) }, "a reorg removed the last block read; going back");
    return maxBigint(minBigint(height, heads.number) - reorgDepth, -1n);
  }

  /**
   * Where to read from: never below the first block ever scanned, because older transfers cannot be for an order of
   * this database. The exception is a reorg that replaced that block and may have moved a transfer below it. A
   * cursor stored before the first block was recorded has no such limit.
   */
  async function limitToFirst(
    heads: EthereumHeads,
    cursor: ScanCursor | null,
    { wanted, lastRead }: { wanted: bigint; lastRead: bigint },
  ): Promise<{ from: bigint; first: ScanCursor["first"] }> {
    const first = cursor?.first;
    if (cursor && (first === undefined || wanted >= BigInt(first.height))) return { from: wanted, first };
    if (cursor && first) {
      const height = BigInt(first.height);
      const mayBeReplaced = lastRead < BigInt(cursor.height) && height <= heads.number;
      if (!mayBeReplaced || (await nodes.readBlock(height, heads)).hash === first.hash) return { from: height, first };
    }
    if (wanted > heads.number) throw tooShort(heads.number, wanted);
    const { hash } = await nodes.readBlock(wanted, heads);
    return { from: wanted, first: { height: Number(wanted), hash } };
  }

  return { scan, readRange };
}

/** Whether 30 s have passed since the last stored second pass, or its time is in the future by our clock. */
function isSecondPassDue(cursor: ScanCursor | null, now: number): boolean {
  const last = cursor?.secondPassAt;
  return last === undefined || now - last >= secondPassEveryMs || last > now;
}

function tooShort(head: bigint, first: bigint): Error {
  return new Error(`The chain's newest block is ${head}, but reading starts at block ${first}: check ETH_START_BLOCK.`);
}
