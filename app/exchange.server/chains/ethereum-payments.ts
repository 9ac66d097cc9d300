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
  zeroAddress,
} from "viem";
import { z } from "zod";
import type { EthereumHead, EthereumNodes } from "./ethereum-nodes";
import { findReceiverObstacle, findTokenObstacle, tokenAbi } from "./ethereum-token";
import { PaymentRefusedError, type PaymentRequest, type PreparedPayment } from "./gateway";

/** A quarter above the estimate: another transfer in between may make ours dearer. */
const gasCushionPercent = 125n;
/** Nodes want 10 % more on both fees before they take a replacement (geth's txpool.pricebump). */
const bumpPercent = 1125n;

type Options = {
  nodes: EthereumNodes;
  account: PrivateKeyAccount;
  token: `0x${string}`;
  /** wei a gas; more is never offered, whatever a node says. The payment waits instead. */
  maxFeePerGas: bigint;
  feeBumpAfterMs: number;
  log: Logger;
  now: () => number;
};

const hex = z.custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-f]*$/i.test(value));
const rawSchema = z.object({
  serialized: hex,
  /** wei a gas, as decimal strings. */
  maxFeePerGas: z.string(),
  maxPriorityFeePerGas: z.string(),
  from: z.string(),
  signedAtMs: z.number(),
});

/** The stored bytes, known to be those of the stored hash. */
export function readSigned(payment: PreparedPayment): z.infer<typeof rawSchema> {
  const raw = rawSchema.parse(payment.raw);
  if (keccak256(raw.serialized) !== payment.hash)
    throw new Error(`Payment ${payment.hash} does not hold its own bytes.`);
  return raw;
}

/** Builds, signs, sends and raises the fee of token transfers from the payout wallet (T46, T60). */
export function createPayer({ nodes, account, token, maxFeePerGas: ceiling, feeBumpAfterMs, log, now }: Options) {
  type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
  type Call = { to: `0x${string}`; data: Hex; gas: bigint; nonce: number };

  async function sign(call: Call, fees: Fees, rest: { to: string; amount: string }): Promise<PreparedPayment> {
    const serialized = await account.signTransaction({ type: "eip1559", chainId: nodes.chain.id, ...call, ...fees });
    const raw = {
      serialized,
      maxFeePerGas: fees.maxFeePerGas.toString(),
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
      from: account.address,
      signedAtMs: now(),
    } satisfies z.infer<typeof rawSchema>;
    return { ...rest, hash: keccak256(serialized), nonce: call.nonce, raw, networkFee: "0" };
  }

  /** Twice the base fee lasts for six full blocks in a row (EIP-1559: at most an eighth more each). */
  async function chooseFees(head: EthereumHead): Promise<Fees> {
    const tip = await head.node.client.estimateMaxPriorityFeePerGas();
    return { maxFeePerGas: head.baseFeePerGas * 2n + tip, maxPriorityFeePerGas: tip };
  }

  return {
    async prepare({ paymentId, to, amount, nonce }: PaymentRequest): Promise<PreparedPayment> {
      if (nonce === null) throw new Error("An Ethereum payment needs a nonce.");
      if (amount <= 0n) throw new Error("A payment is of more than nothing.");
      if (!isAddress(to)) throw new PaymentRefusedError("The address is not a valid Ethereum address.");
      const receiver = getAddress(to);
      if (receiver === zeroAddress || receiver === token) {
        throw new PaymentRefusedError("Nobody can use what is sent to this address.");
      }
      const data = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, amount] });
      const head = await nodes.pickHead();
      if (!head.fresh) throw new Error("No Ethereum node is in step; the payment waits.");
      const blocked = await findReceiverObstacle(head.node, token, receiver);
      if (blocked !== null) throw new PaymentRefusedError(blocked);
      const obstacle = await findTokenObstacle(head, token, account.address);
      if (obstacle !== null) throw new Error(obstacle);
      const [estimate, wanted] = await Promise.all([
        // It reverts where the transfer would (we hold too little): nothing is built then.
        head.node.client.estimateGas({ account: account.address, to: token, data, nonce }),
        chooseFees(head),
      ]);
      if (head.baseFeePerGas + wanted.maxPriorityFeePerGas > ceiling) {
        throw new Error("Gas costs more than we may offer; the payment waits.");
      }
      const fees = { ...wanted, maxFeePerGas: wanted.maxFeePerGas < ceiling ? wanted.maxFeePerGas : ceiling };
      const gas = (estimate * gasCushionPercent) / 100n;
      const prepared = await sign({ to: token, data, gas, nonce }, fees, { to: receiver, amount: amount.toString() });
      log.info({ payment: paymentId, hash: prepared.hash, nonce }, "an Ethereum payment was signed");
      return prepared;
    },

    /** To every node: one that is cut off from the network must not hold a payment back. */
    async broadcast(payment: PreparedPayment): Promise<void> {
      const { serialized } = readSigned(payment);
      await nodes.askAll(async ({ client }) => {
        try {
          await client.sendRawTransaction({ serializedTransaction: serialized });
        } catch (error) {
          if (!isKnownAlready(error)) throw error;
        }
      });
    },

    /**
     * The same transfer with the same nonce and both fees an eighth higher or more, when it
     * is its turn and it has waited too long or the base fee has left its maximum behind.
     * Payments behind an unsent nonce gain nothing from a higher fee.
     */
    async bump(payment: PreparedPayment): Promise<PreparedPayment | null> {
      const raw = readSigned(payment);
      const head = await nodes.pickHead();
      const old = { fee: BigInt(raw.maxFeePerGas), tip: BigInt(raw.maxPriorityFeePerGas) };
      const hasWaited = now() - raw.signedAtMs >= feeBumpAfterMs;
      if (!head.fresh || (!hasWaited && head.baseFeePerGas <= old.fee)) return null;
      const next = await head.node.client.getTransactionCount({ address: account.address, blockTag: "latest" });
      const { to, data, gas, nonce, chainId } = parseTransaction(raw.serialized);
      if (next !== payment.nonce || (nonce ?? 0) !== next) return null;
      // Signed by an earlier payout key, or for another chain: it may still land as it is.
      if (!to || !data || gas === undefined || chainId !== nodes.chain.id || raw.from !== account.address) return null;
      const wanted = await chooseFees(head);
      const fees = {
        maxFeePerGas: larger(wanted.maxFeePerGas, raise(old.fee)),
        maxPriorityFeePerGas: larger(wanted.maxPriorityFeePerGas, raise(old.tip)),
      };
      if (fees.maxFeePerGas > ceiling) {
        log.error({ hash: payment.hash, nonce: next }, "a payment waits: its fee cannot be raised any further");
        return null;
      }
      const bumped = await sign({ to, data, gas, nonce: next }, fees, { to: payment.to, amount: payment.amount });
      log.warn({ was: payment.hash, hash: bumped.hash, nonce: next }, "the fee of a payment was raised");
      return bumped;
    },
  };
}

function raise(fee: bigint): bigint {
  return (fee * bumpPercent + 999n) / 1000n;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** The node has these bytes, or a block used their nonce, perhaps for them: `getPaymentState` tells. */
function isKnownAlready(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return /already known|already imported|alreadyknown|nonce too low|nonce is too low|lower than the current nonce/i.test(
    `${error.message} ${error.details ?? ""}`,
  );
}
