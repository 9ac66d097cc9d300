import { parseMobAddress } from "../../exchange.server/addresses/mob-address";
import { ExchangeError } from "../../exchange.server/errors";
import { createTurns } from "../take-turns";
import type { Account, Tx } from "./ledger";
import type { Network } from "./network";
import { build, submit } from "./payments";
import { RpcError } from "./rpc-error";

type Payment = { address: string; amount: bigint };

/**
 * Pays from an account and waits until the payment is in a block. Payments are built and sent one at a time, because
 * building a payment does not reserve inputs. If a payment needs the change of earlier ones, it waits for their block.
 * Visitors take turns, so they don't have to wait for all payments of another visitor.
 *
 * @param refill adds coins if the account has few. Resolves with false if it could not
 * @throws address_invalid, amount_invalid, amount_too_large if the balance is too low, or rate_limited if too many
 *   payments of the visitor wait
 */
export function createPayer(network: Network, account: Account, refill: () => Promise<boolean>) {
  const takeTurns = createTurns(1);

  const send = async ({ address, amount }: Payment): Promise<Tx> => {
    const params = {
      account_id: account.id,
      recipient_public_address: address,
      amount: { value: amount, token_id: "0" },
    };
    for (;;) {
      try {
        const tx = await build(network, params);
        await submit(network, tx, { accountId: account.id });
        return tx;
      } catch (error) {
        const lacksFunds = error instanceof RpcError && /Funds|NoSpendable/.test(error.serverError);
        if (!lacksFunds) throw error;
        if (network.ledger.mempool.size > 0) {
          await network.nextBlock();
        } else if (!(await refill())) {
          throw new ExchangeError("amount_too_large", { message: "The wallet's balance is too low.", cause: error });
        }
      }
    }
  };

  return async (payment: Payment, visitor = ""): Promise<{ hash: string; blockIndex: number }> => {
    parseMobAddress(payment.address);
    if (payment.amount <= 0n || payment.amount >= 2n ** 64n) throw new ExchangeError("amount_invalid");
    const tx = await takeTurns(visitor, () => send(payment));
    const hash = tx.payload[0]?.publicKey ?? "";
    for (;;) {
      const blockIndex = network.ledger.outputs.get(hash);
      if (blockIndex !== undefined) return { hash, blockIndex };
      if (!network.ledger.mempool.has(tx.id)) throw new Error("the payment was not in a block before its tombstone");
      await network.nextBlock();
    }
  };
}
