import type { Logger } from "pino";
import { getAddress, type Hex, parseTransaction, TransactionReceiptNotFoundError } from "viem";
import type { EthereumNode, EthereumNodes } from "./ethereum-nodes";
import { readSigned } from "./ethereum-payments";
import { readTransfers } from "./ethereum-token";
import type { PaymentState, PreparedPayment } from "./gateway";

type Options = {
  nodes: EthereumNodes;
  token: `0x${string}`;
  requiredConfirmations: number;
  finalizedAbove: bigint | null;
  log: Logger;
};
type Client = EthereumNode["client"];

/**
 * Where a payment stands. `reverted` and `impossible` let the caller pay anew, so both need
 * a proof that no reorg undoes (as deep as a deposit must be) and every node's word; what
 * lacks it is `unknown`, and late instead of paid twice.
 *
 * A version whose fee was raised later has siblings of the same nonce, any of which may
 * land. The caller asks for those first; here, a nonce that was used by a transaction which
 * makes the same transfer is never called impossible.
 */
export function createPaymentState({ nodes, token, requiredConfirmations, finalizedAbove, log }: Options) {
  async function findState({ client }: EthereumNode, payment: PreparedPayment): Promise<PaymentState> {
    // Of the key that signed it, which need not be the one we sign with today.
    const signer = getAddress(readSigned(payment).from);
    const receipt = await client.getTransactionReceipt({ hash: payment.hash as Hex }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    const deep = await findSettledHeight(client, BigInt(payment.amount));
    if (!receipt) {
      const isUsed = await isNonceUsedByAnother(client, payment, signer, deep).catch((error: unknown) => {
        // Many nodes keep recent states only. Asked too late they cannot tell, and an operator must look.
        log.warn({ hash: payment.hash, err: error }, "the node cannot tell which transaction used a nonce");
        return false;
      });
      return { state: isUsed ? "impossible" : "unknown" };
    }

    const [block, height] = await Promise.all([
      client.getBlock({ blockNumber: receipt.blockNumber }),
      client.getBlockNumber(),
    ]);
    if (block.hash !== receipt.blockHash) return { state: "unknown" };
    const paid =
      receipt.status === "success" &&
      // A token that answers false instead of reverting has moved nothing either.
      readTransfers(receipt.logs, token).some((one) => one.from === signer && one.to === getAddress(payment.to));
    if (!paid) return receipt.blockNumber <= deep ? { state: "reverted" } : { state: "unknown" };
    return {
      state: "in_block",
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash,
      confirmations: Number(height - receipt.blockNumber) + 1,
    };
  }

  /** The highest block that counts as settled for such an amount. */
  async function findSettledHeight(client: Client, amount: bigint): Promise<bigint> {
    const height = await client.getBlockNumber();
    const confirmed = height - BigInt(requiredConfirmations - 1);
    if (finalizedAbove === null || amount <= finalizedAbove) return confirmed;
    const finalized = await client.getBlock({ blockTag: "finalized" });
    return finalized.number < confirmed ? finalized.number : confirmed;
  }

  /**
   * True only where the transaction that used our nonce is known and is no version of this
   * payment. That a node knows no receipt of ours proves nothing: its index may lag.
   */
  async function isNonceUsedByAnother(
    client: Client,
    payment: PreparedPayment,
    signer: `0x${string}`,
    deep: bigint,
  ): Promise<boolean> {
    const { nonce } = payment;
    if (nonce === null || deep < 0n) return false;
    if ((await client.getTransactionCount({ address: signer, blockTag: "latest" })) <= nonce) return false;
    const countAt = (blockNumber: bigint) => client.getTransactionCount({ address: signer, blockNumber });
    if ((await countAt(deep)) <= nonce) return false;
    const blockNumber = await findFirst(deep, async (height) => (await countAt(height)) > nonce);
    const block = await client.getBlock({ blockNumber, includeTransactions: true });
    const user = block.transactions.find((one) => getAddress(one.from) === signer && one.nonce === nonce);
    if (!user || user.hash === payment.hash) return false;
    const mine = parseTransaction(readSigned(payment).serialized);
    const isSibling = user.to !== null && getAddress(user.to) === token && user.input === mine.data;
    if (isSibling)
      log.warn({ hash: payment.hash, landed: user.hash, nonce }, "a payment of the same nonce and content landed");
    return !isSibling;
  }

  return async function getPaymentState(payment: PreparedPayment): Promise<PaymentState> {
    const answers = await nodes.askAll((node) => findState(node, payment));
    const states = answers.flatMap(({ answer }) => (answer instanceof Error ? [] : [answer]));
    const [first] = states;
    if (!first) return { state: "unknown" };
    if (first.state === "reverted" || first.state === "impossible") {
      const unanimous = states.length === nodes.all.length && states.every(({ state }) => state === first.state);
      if (unanimous) return first;
      log.error({ hash: payment.hash, said: states }, "the Ethereum nodes do not agree on a payment");
      return { state: "unknown" };
    }
    const inBlock = states.filter((state) => state.state === "in_block");
    const [shallowest] = inBlock.sort((a, b) => a.confirmations - b.confirmations);
    if (!shallowest) return { state: "unknown" };
    if (inBlock.length >= nodes.quorum) return shallowest;
    return { ...shallowest, confirmations: Math.min(shallowest.confirmations, requiredConfirmations - 1) };
  };
}

/** The first height for which `holds` is true, when it is at `high` and stays so once it is. Looks near `high` first. */
async function findFirst(high: bigint, holds: (height: bigint) => Promise<boolean>): Promise<bigint> {
  let yes = high;
  let no = -1n;
  for (let step = 1n; yes - step > no; step *= 2n) {
    const height = yes - step;
    if (await holds(height)) yes = height;
    else {
      no = height;
      break;
    }
  }
  while (yes - no > 1n) {
    const middle = (yes + no) / 2n;
    if (await holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}
