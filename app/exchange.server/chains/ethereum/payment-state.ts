import {
  getAddress,
  type Hex,
  parseTransaction,
  type Transaction,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import { minBigint } from "../../../lib/bigint";
import type { PaymentState, PreparedPayment } from "../gateway";
import type { LookupOptions } from "./lookup-options";
import type { EthereumNode } from "./query-nodes";
import { parseSignedPayment } from "./signed-payment";
import { parseTransfers } from "./token";
import { chooseReachedBy, groupByVote } from "./votes";

type Client = EthereumNode["client"];

/**
 * Creates `ChainGateway.getPaymentState`.
 *
 * A majority of the nodes decides. After `reverted` or `impossible` the caller prepares a new payment, so each of these
 * nodes also needs a proof with as many confirmations as a deposit needs. Without it, the state is `unknown`: a late
 * payment is better than a double payment.
 *
 * A payment whose fee was raised exists in several versions with the same nonce, and any of
 * them may be included. The caller checks the earlier versions first. As a second safeguard,
 * a nonce used by a transaction with the same transfer never counts as `impossible`.
 *
 * `includedAs` is the hash of a version that the caller no longer has. If it is given, the state of that version is
 * returned.
 */
export function createPaymentState({ nodes, token, requiredConfirmations, finalizedAbove, log }: LookupOptions) {
  async function findState(
    { client }: EthereumNode,
    payment: PreparedPayment,
    includedAs: string | undefined,
  ): Promise<PaymentState> {
    // The payment's own signer: the payout key may have changed since.
    const signer = getAddress(parseSignedPayment(payment).from);
    const hash = (includedAs ?? payment.hash) as Hex;
    if (includedAs !== undefined) {
      const transaction = await client.getTransaction({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionNotFoundError) return null;
        throw error;
      });
      if (transaction === null || !isVersion(transaction, payment)) return { kind: "unknown" };
    }
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    const settledHeight = await getSettledHeight(client, BigInt(payment.amount));
    if (!receipt) {
      if (includedAs !== undefined) return { kind: "unknown" };
      const isUsed = await isNonceUsedByOther({ client, payment, signer, settledHeight }).catch((error: unknown) => {
        // Many nodes keep only recent state. For older blocks, they return an error, and an operator has to check.
        log.warn({ hash: payment.hash, err: error }, "the node cannot find out which transaction used a nonce");
        return false;
      });
      return { kind: isUsed ? "impossible" : "unknown" };
    }

    const [block, height] = await Promise.all([
      client.getBlock({ blockNumber: receipt.blockNumber }),
      client.getBlockNumber(),
    ]);
    if (block.hash !== receipt.blockHash) return { kind: "unknown" };
    const paid =
      receipt.status === "success" &&
      // The log is the proof: a token may return false instead of reverting.
      parseTransfers(receipt.logs, token).some(
        (transfer) => transfer.from === signer && transfer.to === getAddress(payment.to),
      );
    if (!paid) return receipt.blockNumber <= settledHeight ? { kind: "reverted" } : { kind: "unknown" };
    return {
      kind: "in_block",
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash,
      // Another machine behind the same URL, with an older head, may have returned the height.
      confirmations: Math.max(1, Number(height - receipt.blockNumber) + 1),
    };
  }

  /** The highest block that is settled for a payment of this amount (micro-USDT). */
  async function getSettledHeight(client: Client, amount: bigint): Promise<bigint> {
    const height = await client.getBlockNumber();
    const confirmed = height - BigInt(requiredConfirmations - 1);
    if (finalizedAbove === null || amount <= finalizedAbove) return confirmed;
    const finalized = await client.getBlock({ blockTag: "finalized" });
    return minBigint(finalized.number, confirmed);
  }

  /**
   * Whether a settled transaction other than a version of this payment used its nonce. Looks
   * that transaction up: a missing receipt alone proves nothing, because a node's index may lag.
   */
  async function isNonceUsedByOther(query: {
    client: Client;
    payment: PreparedPayment;
    signer: `0x${string}`;
    settledHeight: bigint;
  }): Promise<boolean> {
    const { client, payment, signer, settledHeight } = query;
    const { nonce } = payment;
    if (nonce === null || settledHeight < 0n) return false;
    if ((await client.getTransactionCount({ address: signer, blockTag: "latest" })) <= nonce) return false;
    const countAt = (blockNumber: bigint) => client.getTransactionCount({ address: signer, blockNumber });
    if ((await countAt(settledHeight)) <= nonce) return false;
    const blockNumber = await findFirst(settledHeight, async (height) => (await countAt(height)) > nonce);
    const block = await client.getBlock({ blockNumber, includeTransactions: true });
    const included = block.transactions.find((tx) => getAddress(tx.from) === signer && tx.nonce === nonce);
    if (!included || included.hash === payment.hash) return false;
    const isOther = !isVersion(included, payment);
    if (!isOther)
      log.warn({ hash: payment.hash, included: included.hash, nonce }, "another version of a payment was included");
    return isOther;
  }

  /** Whether a transaction is a version of a payment: the same transfer, from the same signer, with the same nonce. */
  function isVersion(tx: Pick<Transaction, "from" | "to" | "nonce" | "input">, payment: PreparedPayment): boolean {
    const { from, serialized } = parseSignedPayment(payment);
    const { data } = parseTransaction(serialized);
    const isOurs = getAddress(tx.from) === getAddress(from) && tx.nonce === payment.nonce;
    return isOurs && tx.to !== null && getAddress(tx.to) === token && tx.input === data;
  }

  /** What a majority of the nodes agrees on. A node that is down, stuck or disagrees does not delay it. */
  return async function getPaymentState(payment: PreparedPayment, includedAs?: string): Promise<PaymentState> {
    const groups = groupByVote(await nodes.queryAll((node) => findState(node, payment, includedAs)), toVote);
    const [largest = []] = groups;
    const agreed = chooseReachedBy(nodes.quorum, largest, toDepth);
    if (agreed) return agreed;
    const votes = groups.map(([state]) => toVote(state));
    log.error({ hash: payment.hash, votes }, "the Ethereum nodes do not agree on a payment");
    const claims = groups.flat().filter(({ kind }) => kind !== "unknown");
    const claim = toShallowest(claims);
    if (claims.some(({ kind }) => kind !== "in_block") || claim.kind !== "in_block") return { kind: "unknown" };
    return { ...claim, confirmations: Math.min(claim.confirmations, requiredConfirmations - 1), disputed: true };
  };
}

function toVote(state: PaymentState): string {
  return state.kind === "in_block" ? `in block ${state.blockHash}` : state.kind;
}

const toDepth = (state: PaymentState): number => (state.kind === "in_block" ? state.confirmations : 0);

/** Of these states, the one with the fewest confirmations; `unknown` if there is none. */
const toShallowest = (states: PaymentState[]): PaymentState =>
  states.toSorted((a, b) => toDepth(a) - toDepth(b))[0] ?? { kind: "unknown" };

/**
 * The lowest height at which `predicate` is true. It must be true at `high` and, once true,
 * at every height above. Searches in growing steps down from `high`, then by bisection.
 */
async function findFirst(high: bigint, predicate: (height: bigint) => Promise<boolean>): Promise<bigint> {
  let lowestTrue = high;
  let highestFalse = -1n;
  for (let step = 1n; lowestTrue - step > highestFalse; step *= 2n) {
    const height = lowestTrue - step;
    if (await predicate(height)) lowestTrue = height;
    else {
      highestFalse = height;
      break;
    }
  }
  while (lowestTrue - highestFalse > 1n) {
    const middle = (lowestTrue + highestFalse) / 2n;
    if (await predicate(middle)) lowestTrue = middle;
    else highestFalse = middle;
  }
  return lowestTrue;
}
