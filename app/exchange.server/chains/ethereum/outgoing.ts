import { minBigint } from "../../../lib/bigint";
import type { OutgoingPayments } from "../gateway";
import { countTransfers } from "./agreed-transfers";
import type { EthereumNodes } from "./nodes";
import type { TransferReader } from "./transfer-reader";

/** Blocks that one comparison of the wallet's payments reads. */
const outgoingRange = 5_000n;

type Options = { nodes: EthereumNodes; readTransfers: TransferReader; signer: `0x${string}` };

/** Creates `ChainGateway.listOutgoing`: what a majority of the nodes says that `signer` has sent. */
export function createOutgoing({ nodes, readTransfers, signer }: Options) {
  return async function listOutgoing({ from }: { from: number | null }): Promise<OutgoingPayments> {
    const heads = await nodes.readHeads();
    if (from === null) return { payments: [], through: Number(heads.number), isComplete: true };
    const first = BigInt(from);
    const last = minBigint(heads.number, first + outgoingRange - 1n);
    if (last < first) return { payments: [], through: from - 1, isComplete: true };
    const answers = await nodes.queryAll(async (node) => {
      const to = minBigint(last, heads.numberOf(node));
      return { transfers: await readTransfers(node, { from: first, to, sender: signer }) };
    }, heads.nodes);
    const views = answers.flatMap(({ result }) => (result instanceof Error ? [] : [result]));
    if (views.length < nodes.quorum) {
      throw new Error("Too few Ethereum nodes answer to compare the wallet's payments.");
    }
    const payments = countTransfers(views)
      .filter(({ seenBy }) => seenBy >= nodes.quorum)
      .map(({ transfer }) => ({ hash: transfer.txHash, to: transfer.to, amount: transfer.value }));
    return { payments, through: Number(last), isComplete: last === heads.number };
  };
}
