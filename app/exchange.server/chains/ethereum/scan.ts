import type { Logger } from "pino";
import { maxBigint, minBigint } from "../../../lib/bigint";
import type { MatchAddresses, RangeResult, ScanCursor, ScanResult } from "../gateway";
import { createAgreedReader } from "./agreed-transfers";
import type { EthereumHeads, EthereumNodes } from "./nodes";
import { maxRange, type TransferReader } from "./transfer-reader";
import type { TransferLookup } from "./transfers";

/** How far to go back after a reorg removed our last block: four epochs, because older blocks are finalized. */
const reorgDepth = 128n;
/** A second pass reads this many blocks behind the cursor again: some nodes return logs many blocks late. */
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
    if (cursor && !needsSecondPass && BigInt(cursor.height) === heads.number && cursor.hash === heads.hash) {
      const scannedThrough = heads.fresh ? new Date(heads.timeMs) : null;
      const readFrom = cursor.height + 1;
      return { transfers: [], cursor, readFrom, finalizedHeight: null, caughtUp: true, scannedThrough };
    }

    const lastRead = cursor ? await findLastCanonicalBlock(heads, cursor) : BigInt(startBlock ?? heads.number) - 1n;
    const reread = needsSecondPass ? maxBigint(secondPassBlocks, BigInt(overlap)) : BigInt(overlap);
    const wanted = maxBigint(cursor ? lastRead + 1n - reread : lastRead + 1n, 0n);
    const { from, first } = await limitToFirst(heads, cursor, { wanted, lastRead });
    const kept = { ...first, secondPassAt: needsSecondPass ? startedAt : cursor?.secondPassAt };
    const to = minBigint(heads.number, lastRead + maxRange);
    if (to < from) throw tooShort(heads.number, from);
    // Read the last block's hash before its logs: the next scan then detects a reorg in between.
    const last = await nodes.readBlock(to, heads);
    const result = await readAgreed({ from, firstNew: lastRead + 1n, to }, heads, matchAddresses);
    const read = {
      transfers: result.transfers,
      readFrom: Number(from),
      finalizedHeight: await lookup.readFinalizedHeight(heads),
    };

    const through = last.agreed ? result.through : minBigint(result.through, to - 1n);
    if (through === to) {
      const scannedThrough = heads.fresh ? new Date(last.timeMs) : null;
      const next = { height: Number(to), hash: last.hash, ...kept };
      return { ...read, cursor: next, caughtUp: to === heads.number, scannedThrough };
    }
    // The nodes do not agree on the next block, or too few of them answer: the scan waits there.
    const timeMs = through > lastRead ? (await nodes.readBlock(through, heads)).timeMs : null;
    return {
      ...read,
      cursor:
        through > lastRead
          ? { height: Number(through), ...kept }
          : { ...(cursor ?? { height: Number(lastRead) }), ...kept },
      caughtUp: true,
      scannedThrough: timeMs !== null && heads.fresh && nodes.isFresh(timeMs) ? new Date(timeMs) : null,
    };
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
   * Where to read from: not below the first block ever scanned, because older transfers were not made to
   * an order of this database. Only a reorg that replaced that block may have moved a transfer below it.
   * A cursor stored before the first block was recorded has no such limit.
   */
  async function limitToFirst(
    heads: EthereumHeads,
    cursor: ScanCursor | null,
    { wanted, lastRead }: { wanted: bigint; lastRead: bigint },
  ): Promise<{ from: bigint; first: Pick<ScanCursor, "first"> }> {
    if (cursor && (cursor.first === undefined || wanted >= BigInt(cursor.first.height))) {
      return { from: wanted, first: { first: cursor.first } };
    }
    if (cursor?.first) {
      const height = BigInt(cursor.first.height);
      const isReorged = lastRead < BigInt(cursor.height) && height <= heads.number;
      if (!isReorged || (await nodes.readBlock(height, heads)).hash === cursor.first.hash) {
        return { from: height, first: { first: cursor.first } };
      }
    }
    if (wanted > heads.number) throw tooShort(heads.number, wanted);
    return {
      from: wanted,
      first: { first: { height: Number(wanted), hash: (await nodes.readBlock(wanted, heads)).hash } },
    };
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
