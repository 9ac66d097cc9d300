import type { Logger } from "pino";
import { BaseError, LimitExceededRpcError, numberToHex, pad, TimeoutError } from "viem";
import { maxBigint, minBigint } from "../../../lib/bigint";
import { getHttpStatus } from "../../rpc-transport";
import type { EthereumNode } from "./query-nodes";
import { parseTransfers, type TokenTransfer, transferTopic } from "./token";

/** Blocks per eth_getLogs request. Halved when a node rejects the range or takes too long, doubled again after a success. */
export const maxRange = 500n;

export type TransferReader = ReturnType<typeof createTransferReader>;

/**
 * Creates a function that reads the token's transfers in a range of blocks from one node, or only
 * those that `sender` has sent. Remembers how large a range each node accepts. Uses a raw request:
 * viem's getLogs would decode thousands of logs that are not ours.
 */
export function createTransferReader({ token, log }: { token: `0x${string}`; log: Logger }) {
  const rangeOf = new Map<EthereumNode, bigint>();

  return async function readTransfers(
    node: EthereumNode,
    { from, to, sender }: { from: bigint; to: bigint; sender?: `0x${string}` },
  ): Promise<TokenTransfer[]> {
    const logs = [];
    // A range that timed out is not tried again in this call, because each attempt takes seconds.
    let limit = maxRange;
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
        if (isTimeout(error)) limit = smaller;
        log.info(
          { node: node.name, range: Number(smaller) },
          "a block range was too large for the node; trying a smaller one",
        );
        continue;
      }
      start = end + 1n;
      rangeOf.set(node, minBigint(range * 2n, limit));
    }
    const decoded = logs.map((entry) => ({
      ...entry,
      blockNumber: entry.blockNumber === null ? null : BigInt(entry.blockNumber),
      logIndex: entry.logIndex === null ? null : Number(entry.logIndex),
    }));
    const transfers = parseTransfers(decoded, token);
    if (transfers.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
      throw new Error("The node returned logs of blocks that were not requested.");
    return transfers;
  };
}

/**
 * Whether a node rejected eth_getLogs because of its size, or did not return all of it in time. Providers report the
 * former in many ways: -32005, 413, "block range too large", "more than 10000 results". Excludes rate limits.
 */
function isRangeTooLarge(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const status = getHttpStatus(error);
  if (status === 429) return false;
  if (status === 413 || isTimeout(error)) return true;
  // `message` also contains the node's URL, which may contain any of these words.
  const message = `${error.shortMessage} ${error.details ?? ""}`;
  if (/too many requests|rate.?limit|per second|capacity|daily/i.test(message)) return false;
  if (error.walk((e) => e instanceof LimitExceededRpcError)) return true;
  return /range|too (large|many|big|wide)|more than|exceed|limit|response size/i.test(message);
}

/** Whether our request timed out, or the node or a proxy in front of it gave up. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((e) => e instanceof TimeoutError)) return true;
  return [408, 504, 524].includes(getHttpStatus(error) ?? 0) || /timed? ?out/i.test(error.details ?? "");
}
