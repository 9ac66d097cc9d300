import { minBigint } from "../../../lib/bigint";
import type { OutgoingPayments } from "../gateway";
import { countTransfers, findAgreed } from "./agreed-transfers";
import type { EthereumNodes } from "./nodes";
import type { TransferReader } from "./transfer-reader";

/** Blocks that one comparison of the wallet's payments reads. */
const outgoingRange = 5_000n;

type Options = { nodes: EthereumNodes; readTransfers: TransferReader; signer: `0x${string}` };

/**
 * Creates `ChainGateway.listOutgoing`: what a majority of the nodes says that `signer` has sent. As in a scan, a block
 * counts as read only when a majority returns the same logs for it.
 */
export function createOutgoing({ nodes, readTransfers, signer }: Options) {
  return async function listOutgoing({ from }: { from: number | null }): Promise<OutgoingPayments> {
    const heads = await nodes.readHeads();
    const head = Number(heads.number);
    if (from === null) return { payments: [], unrecorded: [], through: head, head };
    const first = BigInt(from);
    const last = minBigint(heads.number, first + outgoingRange - 1n);
    if (last < first) return { payments: [], unrecorded: [], through: Math.min(from - 1, head), head };
    const responses = await nodes.queryAll(async (node) => {
      const to = minBigint(last, heads.numberOf(node));
      return { to, transfers: await readTransfers(node, { from: first, to, sender: signer }) };
    }, heads.nodes);
    const views = responses.flatMap(({ result }) => (result instanceof Error ? [] : [result]));
    if (views.length < nodes.quorum) {
      throw new Error("Too few Ethereum nodes respond, so the wallet's payments cannot be compared.");
    }
    const payments = countTransfers(views)
      .filter(({ seenBy }) => seenBy >= nodes.quorum)
      .map(({ transfer }) => ({ hash: transfer.txHash, to: transfer.to, amount: transfer.value }));
    const through = findAgreed({ firstNew: first, to: last }, views, nodes.quorum);
    return { payments, unrecorded: [], through: Number(through), head };
  };
}
