/** Sends a signed payment to the nodes, and decides from their responses whether the network refuses it (T60). */
import type { BroadcastRefusedError, PreparedPayment } from "../gateway";
import type { PayoutWallet } from "./payout-wallet";
import { isKnownAlready, toBroadcastRefusal, toMessage } from "./refusals";
import { parseSignedPayment } from "./signed-payment";

/**
 * Implements `ChainGateway.broadcast`. Sends to all nodes, so that a node cut off from the network does not delay the
 * payment.
 */
export async function broadcast({ nodes, log }: PayoutWallet, payment: PreparedPayment): Promise<void> {
  const { serialized } = parseSignedPayment(payment);
  const results = await nodes.queryAll(async ({ name, client }) => {
    try {
      await client.sendRawTransaction({ serializedTransaction: serialized });
    } catch (error) {
      if (isKnownAlready(error)) return { refusal: null };
      const refusal = toBroadcastRefusal(error);
      if (!refusal) throw new Error(toMessage(error), { cause: error });
      log.warn({ node: name, hash: payment.hash, err: error }, "an Ethereum node did not accept a payment");
      return { refusal };
    }
    return { refusal: null };
  });
  const responses = results.flatMap(({ result }) => (result instanceof Error ? [] : [result.refusal]));
  const refusal = decideBroadcast(responses, nodes.quorum);
  if (refusal) throw refusal;
}

/**
 * Decides whether the network refuses a payment. It does if no node accepts the payment, or if a majority refuses it for
 * another reason than its fee, because the others may then drop it, too.
 * @param responses one for each node that responded, of which there is at least one: the refusal, or null if it accepted
 * @returns the refusal, preferably because of the fee, which can be raised; null if the network accepts the payment
 */
export function decideBroadcast(
  responses: readonly (BroadcastRefusedError | null)[],
  quorum: number,
): BroadcastRefusedError | null {
  const refusals = responses.filter((response) => response !== null);
  const ofPayment = refusals.filter(({ reason }) => reason === "payment");
  const isAccepted = refusals.length < responses.length;
  if (isAccepted && ofPayment.length < quorum) return null;
  return refusals.find(({ reason }) => reason === "fee") ?? ofPayment[0] ?? null;
}
