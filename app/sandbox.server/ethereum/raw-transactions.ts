import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import {
  type Hex,
  hexToBytes,
  parseTransaction,
  recoverTransactionAddress,
  size,
  type TransactionSerialized,
} from "viem";
import { z } from "zod";
import { tetherLikeAddress } from "./token-owner";

/**
 * What the transactions of one request may use together: far more than a token transfer needs. A block has 30 million.
 */
export const transactionGasPerRequest = 1_000_000n;
/** Less than a block, so one network delays others by one block at most. */
const gasAtOnce = { points: 10_000_000, duration: 2 };
/**
 * What one network, or all of them, may use over a longer time. anvil keeps what transactions do for up to 1,300 blocks
 * and writes all of it to its state file every second: 4 bytes for each gas of code that only makes calls. A file of
 * 512 MB cannot be read again.
 */
const gasLater = {
  ofTransfers: { points: 60_000_000, duration: 600 },
  ofOthers: { points: 3_000_000, duration: 600 },
  ofAllOthers: { points: 6_000_000, duration: 600 },
};
/** A transaction with more gas or data than this counts as a transfer only if it calls the token. */
const transfer = { gas: 23_000n, dataBytes: 1_000 };
/** How many transactions of a sender may wait for a block. */
const maxWaiting = 16;
/** How many nonces a transaction may skip, for others that are still on their way. anvil keeps it until they arrive. */
const maxGap = 3;
/** The minimum gas of a transaction (EIP-2028, EIP-2930). */
const intrinsicGas = { transaction: 21_000n, creation: 32_000n, zeroByte: 4n, byte: 16n, address: 2_400n, key: 1_900n };

const rawParams = z.tuple([z.string().regex(/^0x([0-9a-f]{2})+$/i)]);

export type RawTransaction = { gas: bigint; nonce: number; sender: string; isTransfer: boolean };

/** Reads the parameters of `eth_sendRawTransaction`. Null if they are not a signed transaction. */
export async function readRawTransaction(params: unknown): Promise<RawTransaction | null> {
  const parsed = rawParams.safeParse(params);
  if (!parsed.success) return null;
  const serialized = parsed.data[0] as Hex;
  try {
    const transaction = parseTransaction(serialized);
    const { gas = 0n, nonce = 0 } = transaction;
    // anvil keeps a transaction that can never be in a block until the transactions before it arrive.
    if (gas < toIntrinsicGas(transaction)) return null;
    const sender = await recoverTransactionAddress({ serializedTransaction: serialized as TransactionSerialized });
    return { gas, nonce, sender, isTransfer: isTransfer(transaction) };
  } catch {
    // viem throws many kinds of errors for data it cannot decode.
    return null;
  }
}

function isTransfer({ to, gas = 0n, data = "0x" }: ReturnType<typeof parseTransaction>): boolean {
  const callsToken = to?.toLowerCase() === tetherLikeAddress.toLowerCase();
  return size(data) <= transfer.dataBytes && (callsToken || gas <= transfer.gas);
}

function toIntrinsicGas({ to, data = "0x", accessList = [] }: ReturnType<typeof parseTransaction>): bigint {
  const bytes = hexToBytes(data);
  const zeros = bytes.filter((byte) => byte === 0).length;
  const { transaction, creation, zeroByte, byte, address, key } = intrinsicGas;
  const forData = BigInt(zeros) * zeroByte + BigInt(bytes.length - zeros) * byte;
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return transaction + (to ? 0n : creation) + forData + BigInt(accessList.length) * address + BigInt(keys) * key;
}

/** Limits how much block space each network takes, and how many transactions of each sender wait. */
export function createTransactionLimits(getNonce: (address: string, block: "latest" | "pending") => Promise<number>) {
  const atOnce = new RateLimiterMemory(gasAtOnce);
  const transfers = new RateLimiterMemory(gasLater.ofTransfers);
  const others = new RateLimiterMemory(gasLater.ofOthers);
  const allOthers = new RateLimiterMemory(gasLater.ofAllOthers);
  return {
    /** Counts a transaction. Returns why it is refused, or null if it may be sent. */
    async admit({ gas, nonce, sender, isTransfer }: RawTransaction, network: string): Promise<string | null> {
      const [mined, next] = await Promise.all([getNonce(sender, "latest"), getNonce(sender, "pending")]);
      if (nonce >= mined + maxWaiting) return "Too many transactions of this account are waiting.";
      if (nonce > next + maxGap) return "This transaction's nonce is too far ahead.";
      try {
        await atOnce.consume(network, Number(gas));
        await (isTransfer ? transfers : others).consume(network, Number(gas));
        if (!isTransfer) await allOthers.consume("all", Number(gas));
        return null;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return "Too many transactions. Wait a moment and try again.";
      }
    },
  };
}
