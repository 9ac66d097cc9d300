import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from "viem";
import { z } from "zod";

/** What the transactions of one request may use together: far more than a token transfer needs. A block has 30 million. */
export const transactionGasPerRequest = 1_000_000n;
/** What one network may use in a period. Less than a block, so it delays others by one block at most. */
const gasPerNetwork = { points: 10_000_000, duration: 2 };
/** How many transactions of a sender may wait for a block. anvil also keeps those that arrive too early. */
const maxWaiting = 16;

const rawParams = z.tuple([z.string().regex(/^0x([0-9a-f]{2})+$/i)]);

export type RawTransaction = { gas: bigint; nonce: number; sender: string };

/** Reads the parameters of `eth_sendRawTransaction`. Null if they are not a signed transaction. */
export async function readRawTransaction(params: unknown): Promise<RawTransaction | null> {
  const parsed = rawParams.safeParse(params);
  if (!parsed.success) return null;
  const serialized = parsed.data[0] as Hex;
  try {
    const { gas = 0n, nonce = 0 } = parseTransaction(serialized);
    const sender = await recoverTransactionAddress({ serializedTransaction: serialized as TransactionSerialized });
    return { gas, nonce, sender };
  } catch {
    // viem throws many kinds of errors for data it cannot decode.
    return null;
  }
}

/** Limits how much block space each network takes, and how many transactions of each sender wait. */
export function createTransactionLimits(getNonce: (address: string) => Promise<number>) {
  const limiter = new RateLimiterMemory(gasPerNetwork);
  return {
    /** Counts a transaction. Returns why it is refused, or null if it may be sent. */
    async admit({ gas, nonce, sender }: RawTransaction, network: string): Promise<string | null> {
      if (nonce >= (await getNonce(sender)) + maxWaiting) return "Too many transactions of this account are waiting.";
      try {
        await limiter.consume(network, Number(gas));
        return null;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return "Too many transactions. Wait a moment and try again.";
      }
    },
  };
}
