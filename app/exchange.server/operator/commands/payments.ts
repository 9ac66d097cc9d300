import type { ExchangeContext } from "../../context";
import { markPlannedPaid } from "../../payments/mark-paid";
import { readdressParked, retryParked } from "../../payments/parked/decide-parked";
import { acceptNonce, acceptUnknown } from "../accept";
import type { CommandRunner } from "../command-runner";
import { readHashOf } from "../transaction-hash";

/** Payments that wait for an operator, and payments from our wallets that nothing explains. */
export function createPaymentCommands(ctx: ExchangeContext, { change, changePayment }: CommandRunner) {
  return {
    /** Prepares a parked payment again. */
    retryPayment: (paymentId: string) =>
      changePayment({ command: "retry", paymentId }, (tx) => retryParked(tx, ctx, paymentId)),
    /** Pays a parked payment to another address that its owner has saved. */
    readdressPayment: (paymentId: string, address: string) =>
      changePayment({ command: "readdress", paymentId, args: [address] }, (tx) =>
        readdressParked(tx, ctx, { paymentId, address }),
      ),
    /**
     * Books a payment that was made already, by our wallet or by hand: a parked one, or any planned one while payments
     * are off. `isForced`: even if our wallet has paid a different amount, or to a different address.
     */
    markPaid: (paymentId: string, text: string, isForced = false) =>
      changePayment({ command: "mark-paid", paymentId, args: withForce([text], isForced) }, async (tx) =>
        markPlannedPaid(tx, ctx, { paymentId, hash: await readHashOf(tx, { paymentId, text }), isForced }),
      ),
    /** Accepts this as the next nonce of the Ethereum signer, after its transactions were checked by hand. */
    acceptNonce: (nonce: number) =>
      change({ command: "accept-nonce", args: [String(nonce)], run: (tx) => acceptNonce(tx, nonce) }),
    /**
     * Accounts for a payment of our wallet that this database has not made. Refused if it may be an order's, unless
     * forced.
     */
    acceptPayment: (hash: string, isForced: boolean) =>
      change({
        command: "accept-payment",
        args: withForce([hash], isForced),
        run: (tx, at) => acceptUnknown(tx, { text: hash, isForced, at }),
      }),
  };
}

/** A command's arguments as they are recorded. */
function withForce(args: string[], isForced: boolean): string[] {
  return isForced ? [...args, "--force"] : args;
}
