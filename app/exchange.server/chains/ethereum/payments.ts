import type { Logger } from "pino";
import {
  BaseError,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  keccak256,
  type PrivateKeyAccount,
  parseTransaction,
  RpcError,
  RpcRequestError,
  UnknownRpcError,
  zeroAddress,
} from "viem";
import { z } from "zod";
import { maxBigint, minBigint } from "../../../lib/bigint";
import { mulDivCeil } from "../../../lib/money";
import { BroadcastRefusedError, PaymentRefusedError, type PaymentRequest, type PreparedPayment } from "../gateway";
import type { EthereumHead, EthereumNodes } from "./nodes";
import { findReceiverBlockReason, findTokenBlockReason, tokenAbi } from "./token";

/** The gas limit is 125% of the estimate: a transfer included before ours may make it more expensive. */
const gasLimitPercent = 125n;
/** What a transfer of USDT uses at most: its receiver has none yet. */
const transferGas = 65_000n;
/** Gas may rise until a payment is sent, so payments are priced at 150% of what they cost now. */
const costPercent = 150n;
/** Costs are rounded up to cents, so that they do not change with every block. */
const costStep = 10_000n;
const weiPerEther = 10n ** 18n;
/** Replacements raise both fees by 12.5%; nodes require at least 10% (geth's txpool.pricebump). */
const feeBumpPermille = 1125n;
const minFeeBumpPermille = 1100n;
/** What a transaction without data costs. */
const cancellationGas = 21_000n;

type Options = {
  nodes: EthereumNodes;
  account: PrivateKeyAccount;
  token: `0x${string}`;
  /** The highest fee to offer, in wei per gas, whatever a node suggests. Above it payments wait. */
  maxFeePerGas: bigint;
  feeBumpAfterMs: number;
  /** micro-USDT per ether. */
  etherPrice: bigint;
  log: Logger;
  now: () => number;
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
  const { nodes, account, token, maxFeePerGas: feeLimit, feeBumpAfterMs, etherPrice, log, now } = options;
  type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
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

  /** Twice the base fee covers at least five full blocks in a row: EIP-1559 raises it by at most an eighth per block. */
  async function chooseFees(head: EthereumHead): Promise<Fees> {
    const tip = await head.node.client.estimateMaxPriorityFeePerGas();
    return { maxFeePerGas: head.baseFeePerGas * 2n + tip, maxPriorityFeePerGas: tip };
  }

  /**
   * Fees that replace a transaction in every pool: those suggested, at least an eighth above the
   * old ones, and never above the limit. Null if the limit is too close to the old fee to replace it.
   */
  function chooseReplacementFees(
    raw: { maxFeePerGas: string; maxPriorityFeePerGas: string },
    suggested: Fees,
  ): Fees | null {
    const old = { fee: BigInt(raw.maxFeePerGas), tip: BigInt(raw.maxPriorityFeePerGas) };
    const fee = minBigint(maxBigint(suggested.maxFeePerGas, raise(old.fee)), feeLimit);
    const tip = minBigint(maxBigint(suggested.maxPriorityFeePerGas, raise(old.tip)), fee);
    if (fee < raise(old.fee, minFeeBumpPermille) || tip < raise(old.tip, minFeeBumpPermille)) return null;
    return { maxFeePerGas: fee, maxPriorityFeePerGas: tip };
  }

  return {
    /** What one payment costs now, with a margin, in micro-USDT; see `ChainGateway.getPaymentCost`. */
    async getCost(): Promise<bigint> {
      if (etherPrice === 0n) return 0n;
      const head = await nodes.pickHead();
      const tip = await head.node.client.estimateMaxPriorityFeePerGas();
      const perGas = minBigint(head.baseFeePerGas + tip, feeLimit);
      const cost = mulDivCeil(transferGas * perGas * costPercent, etherPrice, weiPerEther * 100n);
      return mulDivCeil(cost, 1n, costStep) * costStep;
    },

    async prepare({ paymentId, to, amount, nonce }: PaymentRequest): Promise<PreparedPayment> {
      if (nonce === null) throw new Error("An Ethereum payment needs a nonce.");
      if (amount <= 0n) throw new Error("The amount of a payment must be positive.");
      const receiver = requireReceiver(to, token);
      const data = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, amount] });
      const head = await nodes.pickHead();
      if (!head.fresh) throw new Error("No Ethereum node is in sync; the payment waits.");
      const receiverBlockReason = await findReceiverBlockReason(head.node, token, receiver);
      if (receiverBlockReason !== null) throw new PaymentRefusedError(receiverBlockReason);
      const blockReason = await findTokenBlockReason(head, token, account.address);
      if (blockReason !== null) throw new Error(blockReason);
      const [estimate, suggested] = await Promise.all([
        // Rejects if the transfer would revert, for example because our balance is too low.
        head.node.client.estimateGas({ account: account.address, to: token, data, nonce }),
        chooseFees(head),
      ]);
      if (head.baseFeePerGas + suggested.maxPriorityFeePerGas > feeLimit) {
        throw new Error("Gas costs more than the configured maximum; the payment waits.");
      }
      const fees = { ...suggested, maxFeePerGas: minBigint(suggested.maxFeePerGas, feeLimit) };
      const gas = (estimate * gasLimitPercent) / 100n;
      const prepared = await sign({ to: token, data, gas, nonce }, fees, { to: receiver, amount: amount.toString() });
      log.info({ payment: paymentId, hash: prepared.hash, nonce }, "signed an Ethereum payment");
      return prepared;
    },

    /**
     * Sends to all nodes, so that a node cut off from the network does not delay the payment.
     * Refused only if no node took it and at least one gave a reason.
     */
    async broadcast(payment: PreparedPayment): Promise<void> {
      const { serialized } = parseSignedPayment(payment);
      const errors = await Promise.all(
        nodes.all.map(async ({ name, client }) => {
          try {
            await client.sendRawTransaction({ serializedTransaction: serialized });
            return null;
          } catch (error) {
            if (isKnownAlready(error)) return null;
            log.warn({ node: name, hash: payment.hash, err: error }, "an Ethereum node did not take a payment");
            return error;
          }
        }),
      );
      if (errors.includes(null)) return;
      const refusals = errors.flatMap((error) => toRefusal(error) ?? []);
      throw refusals.find(({ reason }) => reason === "fee") ?? refusals[0] ?? errors[0];
    },

    /** Sends nothing to ourselves with the payment's nonce, for a fee that replaces the payment in every pool. */
    async prepareCancellation(payment: PreparedPayment): Promise<PreparedPayment | null> {
      const raw = parseSignedPayment(payment);
      const { nonce } = payment;
      if (nonce === null || raw.from !== account.address) return null;
      const head = await nodes.pickHead();
      if (!head.fresh) throw new Error("No Ethereum node is in sync; the cancellation waits.");
      const fees = chooseReplacementFees(raw, await chooseFees(head));
      if (!fees) throw new Error("The fee of a cancellation would exceed the configured maximum; it waits.");
      const call = { to: account.address, data: "0x", gas: cancellationGas, nonce } as const;
      const cancellation = await sign(call, fees, { to: account.address, amount: "0" });
      log.warn({ hash: payment.hash, cancellation: cancellation.hash, nonce }, "signed the cancellation of a payment");
      return cancellation;
    },

    /**
     * Signs the same transfer with the same nonce and both fees at least a tenth higher. Null
     * if its fee need not be raised or has reached the limit. `refused`: a node did not take it
     * because of its fee. Otherwise only if its nonce is the next one, because a higher fee does
     * not help behind a missing nonce, and it has waited too long or the base fee has risen
     * above its maximum.
     */
    async bump(payment: PreparedPayment, { refused = false } = {}): Promise<PreparedPayment | null> {
      const raw = parseSignedPayment(payment);
      const head = await nodes.pickHead();
      const hasTimedOut = now() - raw.signedAtMs >= feeBumpAfterMs;
      if (!head.fresh || (!refused && !hasTimedOut && head.baseFeePerGas <= BigInt(raw.maxFeePerGas))) return null;
      const next = await head.node.client.getTransactionCount({ address: account.address, blockTag: "latest" });
      const { to, data = "0x", gas, nonce = 0, chainId } = parseTransaction(raw.serialized);
      if (nonce !== payment.nonce || nonce < next || (nonce > next && !refused)) return null;
      // Signed by a previous payout key or for another chain: we cannot replace it, but it may still be included.
      if (!to || gas === undefined || chainId !== nodes.chain.id || raw.from !== account.address) return null;
      const fees = chooseReplacementFees(raw, await chooseFees(head));
      if (!fees) {
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

function raise(fee: bigint, permille = feeBumpPermille): bigint {
  return mulDivCeil(fee, permille, 1000n);
}

/**
 * Whether a node rejected a transaction because it already has it, or because its nonce was
 * used, perhaps by this very transaction. `getPaymentState` finds out which.
 */
function isKnownAlready(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return /already known|already imported|alreadyknown|nonce too low|nonce is too low|lower than the current nonce/i.test(
    `${error.message} ${error.details ?? ""}`,
  );
}

/** Reasons that lie in a node or in our wallet, and would apply to any other payment too. */
const notThePayment =
  /rate limit|too many requests|insufficient funds|nonce too high|nonce gap|not (?:available|supported)/i;
const feeTooLow =
  /underpriced|less than block base fee|fee cap|fee too low|(?:gas ?price|max fee|tip).*(?:too low|below|less than)/i;
/** JSON-RPC: no such method, method not supported, limit exceeded. */
const nodeErrorCodes = [-32601, -32004, -32005];

/** The refusal that a node's error states; null if the node did not answer or the reason is not this payment. */
function toRefusal(error: unknown): BroadcastRefusedError | null {
  if (!(error instanceof BaseError)) return null;
  const answered = error.walk(
    (e) => e instanceof RpcRequestError || (e instanceof RpcError && !(e instanceof UnknownRpcError)),
  );
  if (!answered) return null;
  const code = "code" in answered ? answered.code : null;
  const text = `${error.shortMessage} ${error.details ?? ""}`;
  const message = (error.details || error.shortMessage).slice(0, 200);
  if (feeTooLow.test(text)) return new BroadcastRefusedError("fee", message, { cause: error });
  if (notThePayment.test(text) || nodeErrorCodes.some((known) => known === code)) return null;
  return new BroadcastRefusedError("payment", message, { cause: error });
}
