import type { Logger } from "pino";
import { BaseError, HttpRequestError, LimitExceededRpcError, numberToHex } from "viem";
import type { EthereumHead, EthereumNode, EthereumNodes } from "./ethereum-nodes";
import { readTransfers, type TokenTransfer, transferTopic } from "./ethereum-token";
import type { TransferLookup } from "./ethereum-transfers";
import type { IsOurs, ScanCursor, ScanResult } from "./gateway";

/** Blocks asked for at once; halved where the node finds it too much, doubled again where it does not. */
const maxRange = 500n;
/** Four epochs: what is older is final on every network we know. Read again when our last block was reorged away. */
const deepOverlap = 128n;
/** Addresses in one question to the database, far below PostgreSQL's 65,535 parameters. */
const addressesPerQuestion = 5_000;

type Options = {
  nodes: EthereumNodes;
  token: `0x${string}`;
  lookup: TransferLookup;
  /** Blocks read again at every scan, so that a node that was late with its logs is forgiven. */
  overlap: number;
  startBlock: number | null;
  log: Logger;
};

/**
 * Reads the token's transfers block by block, all of them: what it costs depends on the
 * chain and not on how many addresses are watched. Never a filter on the node, which
 * forgets it (facts 70).
 */
export function createScanner({ nodes, token, lookup, overlap, startBlock, log }: Options) {
  let range = maxRange;

  return async function scan(cursor: ScanCursor | null, isOurs: IsOurs): Promise<ScanResult> {
    const head = await nodes.pickHead();
    const scannedThrough = (timeMs: number) => (head.fresh ? new Date(timeMs) : null);
    if (cursor && BigInt(cursor.height) === head.number && cursor.hash === head.hash) {
      return { transfers: [], cursor, caughtUp: true, scannedThrough: scannedThrough(head.timeMs) };
    }

    const read = cursor ? await findLastGoodBlock(head, cursor, log) : BigInt(startBlock ?? head.number) - 1n;
    const from = max(cursor ? read + 1n - BigInt(overlap) : read + 1n, 0n);
    const to = min(head.number, read + maxRange);
    if (to < from) throw new Error(`The chain ends at block ${head.number}, before ETH_START_BLOCK.`);
    // The last block's hash is read before its logs: a reorg in between is then noticed by the next scan.
    const last = to === head.number ? head : toHead(head, await head.node.client.getBlock({ blockNumber: to }));

    const found = readTransfers(await readLogs(head.node, from, to), token).filter(({ value }) => value > 0n);
    const ours = await askWhichAreOurs(found, isOurs);
    const transfers = await lookup.locate(
      head,
      found.filter((transfer) => ours.has(transfer.to)),
    );
    return {
      transfers,
      cursor: { height: Number(to), hash: last.hash },
      caughtUp: to === head.number,
      scannedThrough: scannedThrough(last.timeMs),
    };
  };

  /** By raw request: viem's own would decode each of thousands of logs that are not ours. */
  async function readLogs(node: EthereumNode, from: bigint, to: bigint) {
    const logs = [];
    for (let start = from; start <= to; ) {
      const end = min(to, start + range - 1n);
      try {
        const params = [
          {
            address: token,
            topics: [transferTopic] as [`0x${string}`],
            fromBlock: numberToHex(start),
            toBlock: numberToHex(end),
          },
        ] as const;
        logs.push(...(await node.client.request({ method: "eth_getLogs", params: [...params] }, { retryCount: 0 })));
      } catch (error) {
        if (end === start || !isTooMuch(error)) throw error;
        range = max((end - start + 1n) / 2n, 1n);
        log.info({ node: node.name, range: Number(range) }, "the node wants smaller ranges");
        continue;
      }
      start = end + 1n;
      range = min(range * 2n, maxRange);
    }
    return logs.map((entry) => ({
      ...entry,
      blockNumber: entry.blockNumber === null ? null : BigInt(entry.blockNumber),
      logIndex: entry.logIndex === null ? null : Number(entry.logIndex),
    }));
  }
}

/** The cursor's block where it is still in the chain; where it was reorged away, one that no reorg reached. */
async function findLastGoodBlock(head: EthereumHead, cursor: ScanCursor, log: Logger): Promise<bigint> {
  const height = BigInt(cursor.height);
  if (height <= head.number) {
    const block = await head.node.client.getBlock({ blockNumber: height });
    if (cursor.hash === undefined || block.hash === cursor.hash) return height;
  }
  log.warn({ height: cursor.height, head: Number(head.number) }, "the last block read is gone; reading further back");
  return max(min(height, head.number) - deepOverlap, -1n);
}

async function askWhichAreOurs(transfers: TokenTransfer[], isOurs: IsOurs): Promise<Set<string>> {
  const addresses = [...new Set(transfers.map(({ to }) => to))];
  const ours = new Set<string>();
  for (let start = 0; start < addresses.length; start += addressesPerQuestion) {
    for (const address of await isOurs(addresses.slice(start, start + addressesPerQuestion))) ours.add(address);
  }
  return ours;
}

/** Nodes say it in many ways: -32005, 413, "block range too large", "more than 10000 results". A rate limit is something else. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const http = error.walk((e) => e instanceof HttpRequestError);
  if (http instanceof HttpRequestError && http.status !== undefined) {
    if (http.status === 429) return false;
    if (http.status === 413) return true;
  }
  const words = `${error.message} ${error.details ?? ""}`;
  if (/too many requests|rate.?limit|per second|capacity|daily/i.test(words)) return false;
  if (error.walk((e) => e instanceof LimitExceededRpcError)) return true;
  return /range|too (large|many|big|wide)|more than|exceed|limit|response size/i.test(words);
}

function toHead(head: EthereumHead, block: { number: bigint; hash: `0x${string}`; timestamp: bigint }): EthereumHead {
  return { ...head, number: block.number, hash: block.hash, timeMs: Number(block.timestamp) * 1000 };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
