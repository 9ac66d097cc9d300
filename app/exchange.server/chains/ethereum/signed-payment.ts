/**
 * The signed transaction of a payment, which is stored before it is sent: signs it, and reads it back. Only these bytes
 * are ever sent (T46).
 */
import { type Hex, keccak256, type PrivateKeyAccount } from "viem";
import { z } from "zod";
import type { PreparedPayment } from "../gateway";
import type { Fees } from "./fees";

const hex = z.custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-f]*$/i.test(value));
const signedSchema = z.object({
  serialized: hex,
  /** wei per gas, as decimal strings. */
  maxFeePerGas: z.string(),
  maxPriorityFeePerGas: z.string(),
  from: z.string(),
  signedAtMs: z.number(),
});

/** What is stored with a payment (`PreparedPayment.raw`). */
export type SignedTransaction = z.infer<typeof signedSchema>;

/** What a transaction does, without its fees. */
export type Call = { to: `0x${string}`; data: Hex; gas: bigint; nonce: number };

/** The signed transaction of a stored payment. Throws if its bytes do not match the payment's hash. */
export function parseSignedPayment(payment: PreparedPayment): SignedTransaction {
  const signed = signedSchema.parse(payment.raw);
  if (keccak256(signed.serialized) !== payment.hash)
    throw new Error(`The stored bytes of payment ${payment.hash} do not match its hash.`);
  return signed;
}

/** Returns a function that signs a call with these fees, as a payment of `amount` to `to`. */
export function createSigner(options: { account: PrivateKeyAccount; chainId: number; now: () => number }) {
  const { account, chainId, now } = options;

  return async function sign(
    call: Call,
    fees: Fees,
    payment: { to: string; amount: string },
  ): Promise<PreparedPayment> {
    const serialized = await account.signTransaction({ type: "eip1559", chainId, ...call, ...fees });
    const raw = {
      serialized,
      maxFeePerGas: fees.maxFeePerGas.toString(),
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
      from: account.address,
      signedAtMs: now(),
    } satisfies SignedTransaction;
    return { ...payment, hash: keccak256(serialized), nonce: call.nonce, raw, networkFee: "0" };
  };
}
