import type { Logger } from "pino";
import { minBigint } from "../../../lib/bigint";
import type { ChainTransfer, MatchAddresses } from "../gateway";
import type { EthereumHeads } from "./heads";
import type { EthereumNodes } from "./nodes";
import type { TokenTransfer } from "./token";
import type { TransferReader } from "./transfer-reader";
import type { TransferLookup } from "./transfers";

/** Addresses per database query, far below PostgreSQL's limit of 65,535 parameters. */
const addressesPerQuery = 5_000;

/** Blocks to read. Those before `firstNew` were agreed on earlier and do not delay the scan. */
type Range = { from: bigint; firstNew: bigint; to: bigint };
/** The transfers that one node returned, and the last block that was requested from it. */
type View = { to: bigint; transfers: TokenTransfer[] };

type Options = { nodes: EthereumNodes; readTransfers: TransferReader; lookup: TransferLookup; log: Logger };

/**
 * Creates a function that reads our transfers in a range from all nodes. `through` is the last block up to which a
 * majority agrees on the logs. A transfer that only a minority returns is looked up by its receipt on every node.
 */
export function createAgreedReader({ nodes, readTransfers, lookup, log }: Options) {
  return async function readAgreed(
    range: Range,
    heads: EthereumHeads,
    matchAddresses: MatchAddresses,
  ): Promise<{ transfers: ChainTransfer[]; through: bigint }> {
    const responses = await nodes.queryAll(async (node): Promise<View> => {
      const to = minBigint(range.to, heads.numberOf(node));
      return { to, transfers: to < range.from ? [] : await readTransfers(node, { from: range.from, to }) };
    }, heads.nodes);
    const views = responses.flatMap(({ result }) => (result instanceof Error ? [] : [result]));
    const through = findAgreed(range, views, nodes.quorum);
    if (through < range.to) {
      log.warn(
        { block: Number(through) + 1 },
        "too few Ethereum nodes agree on the logs of a block; will read it again",
      );
    }
    const found = countTransfers(views);
    const ours = await matchReceivers(found, matchAddresses);
    const transfers = await lookup.locate(
      heads,
      found
        .filter(({ transfer }) => ours.has(transfer.to))
        .map(({ transfer, seenBy }) => ({ transfer, agreed: seenBy >= nodes.quorum })),
    );
    return { transfers, through };
  };
}

/** The transfers of an amount above zero, and how many nodes returned each. */
export function countTransfers(views: { transfers: TokenTransfer[] }[]): { transfer: TokenTransfer; seenBy: number }[] {
  const found = new Map<string, { transfer: TokenTransfer; seenBy: number }>();
  for (const transfer of views.flatMap(({ transfers }) => transfers)) {
    if (transfer.value === 0n) continue;
    const known = found.get(toKey(transfer));
    if (known) known.seenBy += 1;
    else found.set(toKey(transfer), { transfer, seenBy: 1 });
  }
  return [...found.values()];
}

/** The last block up to which `quorum` nodes returned the same logs. */
export function findAgreed({ firstNew, to }: Omit<Range, "from">, views: View[], quorum: number): bigint {
  const logsOf = views.map(({ transfers }) => {
    const logs = new Map<bigint, string>();
    for (const transfer of transfers) {
      logs.set(transfer.blockNumber, `${logs.get(transfer.blockNumber) ?? ""} ${toKey(transfer)}`);
    }
    return logs;
  });
  for (let number = firstNew; number <= to; number += 1n) {
    const votes = new Map<string, number>();
    for (const [index, view] of views.entries()) {
      if (number > view.to) continue;
      const logs = logsOf[index]?.get(number) ?? "";
      votes.set(logs, (votes.get(logs) ?? 0) + 1);
    }
    if (Math.max(0, ...votes.values()) < quorum) return number - 1n;
  }
  return to;
}

/** Equal for two logs only if they are the same log with the same contents. */
function toKey({ blockHash, txHash, blockLogIndex, ordinal, to, value }: TokenTransfer): string {
  return `${blockHash}:${txHash}:${blockLogIndex}:${ordinal}:${to}:${value}`;
}

async function matchReceivers(
  found: { transfer: TokenTransfer }[],
  matchAddresses: MatchAddresses,
): Promise<Set<string>> {
  const addresses = [...new Set(found.map(({ transfer }) => transfer.to))];
  const ours = new Set<string>();
  for (let start = 0; start < addresses.length; start += addressesPerQuery) {
    for (const address of await matchAddresses(addresses.slice(start, start + addressesPerQuery))) ours.add(address);
  }
  return ours;
}
