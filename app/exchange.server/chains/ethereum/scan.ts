import type { Logger } from "pino";
import { BaseError, HttpRequestError, LimitExceededRpcError, numberToHex, pad } from "viem";
import { maxBigint, minBigint } from "../../../lib/bigint";
import type { MatchAddresses, OutgoingPayments, RangeResult, ScanCursor, ScanResult } from "../gateway";
import type { EthereumHeads, EthereumNode, EthereumNodes } from "./nodes";
import { parseTransfers, type TokenTransfer, transferTopic } from "./token";
import type { TransferLookup } from "./transfers";

/** Blocks per eth_getLogs request. Halved when a node rejects the range, doubled again after a success. */
const maxRange = 500n;
/** How far to go back after a reorg removed our last block: four epochs, older blocks are finalized. */
const reorgDepth = 128n;
/** A second pass reads this many blocks behind the cursor again: some nodes return logs many blocks late. */
const secondPassBlocks = 64n;
/** Together with the scan's own interval below a minute, the longest that a late log may stay unseen. */
const secondPassEveryMs = 30_000;
/** Blocks that one comparison of the wallet's payments reads. */
const outgoingRange = 5_000n;
/** Addresses per database query, far below PostgreSQL's limit of 65,535 parameters. */
const addressesPerQuery = 5_000;

type Options = {
  nodes: EthereumNodes;
  token: `0x${string}`;
  lookup: TransferLookup;
  /** Blocks that every scan reads again, so that it updates the confirmations of their deposits. */
  overlap: number;
  /** The first block to scan; null: the head. */
  startBlock: number | null;
  log: Logger;
  now: () => number;
};

/** Blocks to read. Those before `firstNew` were agreed on earlier and do not hold up the scan. */
type Range = { from: bigint; firstNew: bigint; to: bigint };

/**
 * Creates `ChainGateway.scan` and `readRange`. Reads all transfers of the token by block range,
 * so the cost depends on the chain and not on the number of addresses. Uses eth_getLogs and not
 * eth_newFilter: filters get lost behind load balancers, and the logs in between with them.
 *
 * A block counts as read only when a majority of the nodes returns the same logs for it. A
 * transfer that only a minority returns is looked up by its receipt on every node.
 */
export function createScanner({ nodes, token, lookup, overlap, startBlock, log, now }: Options) {
  const rangeOf = new Map<EthereumNode, bigint>();
  let lastSecondPass = Number.NEGATIVE_INFINITY;

  async function scan(cursor: ScanCursor | null, matchAddresses: MatchAddresses): Promise<ScanResult> {
    const heads = await nodes.readHeads();
    const needsSecondPass = now() - lastSecondPass >= secondPassEveryMs;
    if (cursor && !needsSecondPass && BigInt(cursor.height) === heads.number && cursor.hash === heads.hash) {
      const scannedThrough = heads.fresh ? new Date(heads.timeMs) : null;
      const readFrom = cursor.height + 1;
      return { transfers: [], cursor, readFrom, finalizedHeight: null, caughtUp: true, scannedThrough };
    }

    const lastRead = cursor ? await findLastCanonicalBlock(heads, cursor) : BigInt(startBlock ?? heads.number) - 1n;
    const reread = needsSecondPass ? maxBigint(secondPassBlocks, BigInt(overlap)) : BigInt(overlap);
    const wanted = maxBigint(cursor ? lastRead + 1n - reread : lastRead + 1n, 0n);
    const { from, first } = await limitToFirst(heads, cursor, { wanted, lastRead });
    const to = minBigint(heads.number, lastRead + maxRange);
    if (to < from) throw tooShort(heads.number);
    // Read the last block's hash before its logs: the next scan then detects a reorg in between.
    const last = await nodes.readBlock(to, heads);
    const result = await readAgreed({ from, firstNew: lastRead + 1n, to }, heads, matchAddresses);
    if (needsSecondPass) lastSecondPass = now();
    const read = {
      transfers: result.transfers,
      readFrom: Number(from),
      finalizedHeight: await lookup.readFinalizedHeight(heads),
    };

    const through = last.agreed ? result.through : minBigint(result.through, to - 1n);
    if (through === to) {
      const scannedThrough = heads.fresh ? new Date(last.timeMs) : null;
      const next = { height: Number(to), hash: last.hash, ...first };
      return { ...read, cursor: next, caughtUp: to === heads.number, scannedThrough };
    }
    // The nodes do not agree on the next block, or too few of them answer: the scan waits there.
    const timeMs = through > lastRead ? (await nodes.readBlock(through, heads)).timeMs : null;
    return {
      ...read,
      cursor:
        through > lastRead
          ? { height: Number(through), ...first }
          : { ...(cursor ?? { height: Number(lastRead) }), ...first },
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

  /** Implements `ChainGateway.listOutgoing`: what a majority of the nodes says that `sender` has sent. */
  async function listOutgoing(sender: `0x${string}`, from: number | null): Promise<OutgoingPayments> {
    const heads = await nodes.readHeads();
    if (from === null) return { payments: [], through: Number(heads.number), isComplete: true };
    const first = BigInt(from);
    const last = minBigint(heads.number, first + outgoingRange - 1n);
    if (last < first) return { payments: [], through: from - 1, isComplete: true };
    const answers = await nodes.queryAll(
      async (node) => parseTransfers(await readLogs(node, first, minBigint(last, heads.numberOf(node)), sender), token),
      heads.nodes,
    );
    if (answers.filter(({ result }) => !(result instanceof Error)).length < nodes.quorum) {
      throw new Error("Too few Ethereum nodes answer to compare the wallet's payments.");
    }
    const found = new Map<string, { transfer: TokenTransfer; seenBy: number }>();
    for (const transfer of answers.flatMap(({ result }) => (result instanceof Error ? [] : result))) {
      const known = found.get(toKey(transfer));
      if (known) known.seenBy += 1;
      else found.set(toKey(transfer), { transfer, seenBy: 1 });
    }
    const payments = [...found.values()].flatMap(({ transfer, seenBy }) =>
      seenBy >= nodes.quorum && transfer.value > 0n
        ? [{ hash: transfer.txHash, to: transfer.to, amount: transfer.value }]
        : [],
    );
    return { payments, through: Number(last), isComplete: last === heads.number };
  }

  /** Our transfers in a range, and the last block up to which a majority of the nodes agrees on the logs. */
  async function readAgreed(
    range: Range,
    heads: EthereumHeads,
    matchAddresses: MatchAddresses,
  ): Promise<{ transfers: Awaited<ReturnType<TransferLookup["locate"]>>; through: bigint }> {
    const answers = await nodes.queryAll(async (node) => {
      const to = minBigint(range.to, heads.numberOf(node));
      const transfers = to < range.from ? [] : parseTransfers(await readLogs(node, range.from, to), token);
      return { to, transfers };
    }, heads.nodes);
    const views = answers.flatMap(({ node, result }) => (result instanceof Error ? [] : [{ node, ...result }]));
    const found = new Map<string, { transfer: TokenTransfer; seenBy: number }>();
    for (const transfer of views.flatMap(({ transfers }) => transfers)) {
      if (transfer.value === 0n) continue;
      const known = found.get(toKey(transfer));
      if (known) known.seenBy += 1;
      else found.set(toKey(transfer), { transfer, seenBy: 1 });
    }
    const through = findAgreed(range, views);
    if (through < range.to) {
      log.warn({ block: Number(through) + 1 }, "too few Ethereum nodes agree on the logs of a block; it is read again");
    }
    const ours = await matchReceivers(
      [...found.values()].map(({ transfer }) => transfer),
      matchAddresses,
    );
    const transfers = await lookup.locate(
      heads,
      [...found.values()]
        .filter(({ transfer }) => ours.has(transfer.to))
        .map(({ transfer, seenBy }) => ({ transfer, agreed: seenBy >= nodes.quorum })),
    );
    return { transfers, through };
  }

  /** The last block up to which a majority returned the same logs. */
  function findAgreed({ firstNew, to }: Range, views: { to: bigint; transfers: TokenTransfer[] }[]): bigint {
    const blocksOf = views.map(({ transfers }) => {
      const blocks = new Map<bigint, string>();
      for (const transfer of transfers) {
        blocks.set(transfer.blockNumber, `${blocks.get(transfer.blockNumber) ?? ""} ${toKey(transfer)}`);
      }
      return blocks;
    });
    for (let number = firstNew; number <= to; number += 1n) {
      const votes = new Map<string, number>();
      for (const [index, view] of views.entries()) {
        if (number > view.to) continue;
        const logs = blocksOf[index]?.get(number) ?? "";
        votes.set(logs, (votes.get(logs) ?? 0) + 1);
      }
      if (Math.max(0, ...votes.values()) < nodes.quorum) return number - 1n;
    }
    return to;
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
    if (wanted > heads.number) throw tooShort(heads.number);
    return {
      from: wanted,
      first: { first: { height: Number(wanted), hash: (await nodes.readBlock(wanted, heads)).hash } },
    };
  }

  /** Uses a raw request: viem's getLogs would decode thousands of logs that are not ours. */
  async function readLogs(node: EthereumNode, from: bigint, to: bigint, sender?: `0x${string}`) {
    const logs = [];
    for (let start = from; start <= to; ) {
      const range = rangeOf.get(node) ?? maxRange;
      const end = minBigint(to, start + range - 1n);
      try {
        const params = [
          {
            address: token,
            topics: (sender ? [transferTopic, pad(sender)] : [transferTopic]) as [`0x${string}`],
            fromBlock: numberToHex(start),
            toBlock: numberToHex(end),
          },
        ] as const;
        logs.push(...(await node.client.request({ method: "eth_getLogs", params: [...params] }, { retryCount: 0 })));
      } catch (error) {
        if (end === start || !isRangeTooLarge(error)) throw error;
        const smaller = maxBigint((end - start + 1n) / 2n, 1n);
        rangeOf.set(node, smaller);
        log.info({ node: node.name, range: Number(smaller) }, "the node rejected a block range; trying a smaller one");
        continue;
      }
      start = end + 1n;
      rangeOf.set(node, minBigint(range * 2n, maxRange));
    }
    return logs.map((entry) => ({
      ...entry,
      blockNumber: entry.blockNumber === null ? null : BigInt(entry.blockNumber),
      logIndex: entry.logIndex === null ? null : Number(entry.logIndex),
    }));
  }

  return { scan, readRange, listOutgoing };
}

function tooShort(head: bigint): Error {
  return new Error(`The chain ends at block ${head}, before ETH_START_BLOCK.`);
}

/** Equal for two logs only if they are the same log with the same contents. */
function toKey({ blockHash, txHash, blockLogIndex, ordinal, to, value }: TokenTransfer): string {
  return `${blockHash}:${txHash}:${blockLogIndex}:${ordinal}:${to}:${value}`;
}

async function matchReceivers(transfers: TokenTransfer[], matchAddresses: MatchAddresses): Promise<Set<string>> {
  const addresses = [...new Set(transfers.map(({ to }) => to))];
  const ours = new Set<string>();
  for (let start = 0; start < addresses.length; start += addressesPerQuery) {
    for (const address of await matchAddresses(addresses.slice(start, start + addressesPerQuery))) ours.add(address);
  }
  return ours;
}

/**
 * Whether a node rejected eth_getLogs because of its size. Providers report this in many
 * ways: -32005, 413, "block range too large", "more than 10000 results". Excludes rate limits.
 */
function isRangeTooLarge(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const http = error.walk((e) => e instanceof HttpRequestError);
  if (http instanceof HttpRequestError && http.status !== undefined) {
    if (http.status === 429) return false;
    if (http.status === 413) return true;
  }
  const message = `${error.message} ${error.details ?? ""}`;
  if (/too many requests|rate.?limit|per second|capacity|daily/i.test(message)) return false;
  if (error.walk((e) => e instanceof LimitExceededRpcError)) return true;
  return /range|too (large|many|big|wide)|more than|exceed|limit|response size/i.test(message);
}
