import type { Logger } from "pino";
import {
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  keccak256,
  type PrivateKeyAccount,
  parseTransaction,
  zeroAddress,
} from "viem";
import { z } from "zod";
import { maxBigint } from "../../../lib/bigint";
import { checkNodes, unblockPayments } from "../../operator-advice";
import { PaymentRefusedError, type PaymentRequest, PaymentsWaitError, type PreparedPayment } from "../gateway";
import { chooseFees, chooseGasLimit, chooseReplacementFees, type Fees, limitRaise, readGasPrice } from "./fees";
import type { EthereumHeads } from "./heads";
import type { EthereumNodes } from "./nodes";
import { isKnownAlready, toBroadcastRefusal, toMessage } from "./refusals";
import { findReceiverBlockReason, readPayer, tokenAbi } from "./token";

/** The gas of a transaction without data. */
const cancellationGas = 21_000n;
/**
 * A cancellation may pay twice as much for gas as a payment: it uses a third of the gas, and without it a payment that
 * is refused at the highest fee would block its nonce permanently.
 */
const cancellationFeeLimit = (feeLimit: bigint) => feeLimit * 2n;

type Options = {
  nodes: EthereumNodes;
  account: PrivateKeyAccount;
  token: `0x${string}`;
  /** The highest fee to offer, in wei per gas, whatever a node suggests. Above it, payments wait. */
  maxFeePerGas: bigint;
  feeBumpAfterMs: number;
  log: Logger;
  now: () => number;
  /** What the payout wallet holds of the token. */
  readBalance(heads: EthereumHeads): Promise<bigint>;
};

const hex = z.custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-f]*$/i.test(value));
const rawSchema = z.object({
  serialized: hex,
  /** wei per gas, as decimal strings. */
  maxFeePerGas: z.string(),
  maxPriorityFeePerGas: z.string(),
  from: z.string(),
  signedAtMs: z.number(),
});

/** The signed transaction of a stored payment. Throws if its bytes do not match the payment's hash. */
export function parseSignedPayment(payment: PreparedPayment): z.infer<typeof rawSchema> {
  const raw = rawSchema.parse(payment.raw);
  if (keccak256(raw.serialized) !== payment.hash)
    throw new Error(`The stored bytes of payment ${payment.hash} do not match its hash.`);
  return raw;
}

/** Builds, signs, sends and fee-bumps token transfers from the payout wallet (T46, T60). */
export function createPayer(options: Options) {
  const { nodes, account, token, maxFeePerGas: feeLimit, feeBumpAfterMs, log, now, readBalance } = options;
  type Call = { to: `0x${string}`; data: Hex; gas: bigint; nonce: number };

  async function sign(call: Call, fees: Fees, payment: { to: string; amount: string }): Promise<PreparedPayment> {
    const serialized = await account.signTransaction({ type: "eip1559", chainId: nodes.chain.id, ...call, ...fees });
    const raw = {
      serialized,
      maxFeePerGas: fees.maxFeePerGas.toString(),
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
      from: account.address,
      signedAtMs: now(),
    } satisfies z.infer<typeof rawSchema>;
    return { ...payment, hash: keccak256(serialized), nonce: call.nonce, raw, networkFee: "0" };
  }

  return {
    async prepare({ paymentId, to, amount, nonce, outgoing = 0n }: PaymentRequest): Promise<PreparedPayment> {
      if (nonce === null) throw new Error("An Ethereum payment needs a nonce.");
      if (amount <= 0n) throw new Error("The amount of a payment must be positive.");
      const receiver = requireReceiver(to, token);
      const data = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, amount] });
      const heads = await nodes.readHeads();
      if (!heads.fresh) {
        const action = checkNodes("USDT");
        throw new PaymentsWaitError("Too few Ethereum nodes are in sync; the payment waits.", { action });
      }
      const receiverBlockReason = await nodes.agree(
        ({ node }) => findReceiverBlockReason(node, token, receiver),
        heads,
      );
      if (receiverBlockReason !== null) throw new PaymentRefusedError(receiverBlockReason);
      const price = await readGasPrice(nodes, heads);
      const fees = chooseFees(price, feeLimit);
      const wallet = { token, signer: account.address, maxFeePerGas: fees.maxFeePerGas };
      const { blockReason } = await readPayer(nodes, heads, wallet);
      if (blockReason !== null) throw new PaymentsWaitError(blockReason, { action: unblockPayments("USDT") });
      const call = { account: account.address, to: token, data, nonce };
      // Rejects if the transfer would revert, for example because our balance is too low.
      const estimates = await nodes.askMajority(({ node }) => node.client.estimateGas(call), heads);
      // The estimate does not include our payments that are not in a block yet.
      if (outgoing > 0n && (await readBalance(heads)) < outgoing + amount)
        throw new Error("The balance does not cover this payment and the earlier ones that are not in a block yet.");
      if (price.baseFee + price.tip > feeLimit) {
        const action = "Wait until gas costs less.";
        throw new PaymentsWaitError("Gas costs more than the configured maximum; the payment waits.", { action });
      }
      const gas = chooseGasLimit(estimates, nodes.quorum);
      const prepared = await sign({ to: token, data, gas, nonce }, fees, { to: receiver, amount: amount.toString() });
      log.info({ payment: paymentId, hash: prepared.hash, nonce }, "signed an Ethereum payment");
      return prepared;
    },

    /**
     * Sends to all nodes, so that a node cut off from the network does not delay the payment. Refused if no node
     * accepts it and at least one gives a reason, or if a majority refuses it: the others may drop what they accepted.
     */
    async broadcast(payment: PreparedPayment): Promise<void> {
      const { serialized } = parseSignedPayment(payment);
      const answers = await nodes.queryAll(async ({ name, client }) => {
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
      const answered = answers.flatMap(({ result }) => (result instanceof Error ? [] : [result.refusal]));
      const refusals = answered.flatMap((refusal) => refusal ?? []);
      const ofPayment = refusals.filter(({ reason }) => reason === "payment");
      const isTaken = answered.includes(null) && ofPayment.length < nodes.quorum;
      if (!isTaken) throw refusals.find(({ reason }) => reason === "fee") ?? ofPayment[0];
    },

    /**
     * Signs a zero-value transfer to ourselves with the payment's nonce and a fee that replaces the payment in every
     * pool. Null if the payment has no nonce or was signed by another key.
     * @throws if too few nodes are in sync, or the fee would exceed the limit
     */
    async prepareCancellation(payment: PreparedPayment): Promise<PreparedPayment | null> {
      const raw = parseSignedPayment(payment);
      const { nonce } = payment;
      if (nonce === null || raw.from !== account.address) return null;
      const heads = await nodes.readHeads();
      if (!heads.fresh) throw new Error("Too few Ethereum nodes are in sync; the cancellation waits.");
      const price = await readGasPrice(nodes, heads);
      // The limit may have been lowered since the payment was signed, but its nonce must become free anyway.
      const limit = cancellationFeeLimit(maxBigint(feeLimit, BigInt(raw.maxFeePerGas)));
      const fees = chooseReplacementFees(raw, chooseFees(price, limit), limit);
      if (!fees) throw new Error("The fee of a cancellation would exceed the configured maximum; it waits.");
      const call = { to: account.address, data: "0x", gas: cancellationGas, nonce } as const;
      const cancellation = await sign(call, fees, { to: account.address, amount: "0" });
      log.warn({ hash: payment.hash, cancellation: cancellation.hash, nonce }, "signed the cancellation of a payment");
      return cancellation;
    },

    /**
     * Signs the same transfer with the same nonce and both fees at least a tenth higher (at the limit, perhaps only the
     * tip, if it was refused), if a node did not accept it because of its fee (`refused`), it has waited too long, or
     * the base fee has risen above its maximum. Null if none of these applies, or if
     * - its fee has reached the limit: the configured one or, unless `refused`, the one of `limitRaise`
     * - too few nodes are in sync
     * - it was signed by another key or for another chain
     * - its nonce is used or, unless `refused`, is not the next one: a higher fee does not help behind a missing nonce
     */
    async bump(payment: PreparedPayment, { refused = false } = {}): Promise<PreparedPayment | null> {
      const raw = parseSignedPayment(payment);
      const heads = await nodes.readHeads();
      const ageMs = now() - raw.signedAtMs;
      // A time in the future is from a process whose clock was ahead: the new version gets the right one (T61).
      const hasTimedOut = ageMs < 0 || ageMs >= feeBumpAfterMs;
      if (!heads.fresh) return null;
      const price = await readGasPrice(nodes, heads);
      if (!refused && !hasTimedOut && price.baseFee <= BigInt(raw.maxFeePerGas)) return null;
      const next = await nodes.reach(
        ({ node }) => node.client.getTransactionCount({ address: account.address, blockTag: "latest" }),
        heads,
      );
      const { to, data = "0x", gas, nonce = 0, chainId } = parseTransaction(raw.serialized);
      if (nonce !== payment.nonce || nonce < next || (nonce > next && !refused)) return null;
      // Signed by a previous payout key or for another chain: we cannot replace it, but it may still be included.
      if (!to || gas === undefined || chainId !== nodes.chain.id || raw.from !== account.address) return null;
      const highest = gas === cancellationGas ? cancellationFeeLimit(feeLimit) : feeLimit;
      const limit = refused ? highest : limitRaise(raw, price, highest);
      const fees = chooseReplacementFees(raw, chooseFees(price, limit), limit, { refused });
      if (!fees) {
        if (limit === highest)
          log.error({ hash: payment.hash, nonce }, "a payment waits: its fee has reached the configured maximum");
        return null;
      }
      const bumped = await sign({ to, data, gas, nonce }, fees, { to: payment.to, amount: payment.amount });
      log.warn({ previousHash: payment.hash, hash: bumped.hash, nonce }, "raised the fee of a payment");
      return bumped;
    },
  };
}

/** The checksummed address. @throws PaymentRefusedError if it is invalid, or USDT sent to it would be lost */
function requireReceiver(to: string, token: `0x${string}`): `0x${string}` {
  if (!isAddress(to)) throw new PaymentRefusedError("The address is not a valid Ethereum address.");
  const receiver = getAddress(to);
  if (receiver === zeroAddress || receiver === token) {
    throw new PaymentRefusedError("USDT sent to this address would be lost.");
  }
  return receiver;
}
