/** Builds and signs a payment of USDT: checks that it may be made now, chooses its gas, and signs it (T46, T56, T60). */
import { encodeFunctionData, getAddress, type Hex, isAddress, zeroAddress } from "viem";
import { checkNodes, unblockPayments } from "../../operator-advice";
import { PaymentRefusedError, type PaymentRequest, PaymentsWaitError, type PreparedPayment } from "../gateway";
import { chooseFees, chooseGasLimit, type Fees, readGasPrice } from "./fees";
import type { EthereumHeads } from "./heads";
import type { PayoutWallet } from "./payout-wallet";
import { findReceiverBlockReason, readPayer, tokenAbi } from "./token";

/** Implements `ChainGateway.preparePayment`. */
export async function preparePayment(wallet: PayoutWallet, request: PaymentRequest): Promise<PreparedPayment> {
  const { paymentId, to, amount, nonce } = request;
  if (nonce === null) throw new Error("An Ethereum payment needs a nonce.");
  if (amount <= 0n) throw new Error("The amount of a payment must be positive.");
  const receiver = requireReceiver(to, wallet.token);
  const data = encodeTransfer(receiver, amount);
  const { heads, fees } = await requirePayable(wallet, receiver);
  await requireBalance(wallet, heads, request);
  const gas = await estimateGas(wallet, heads, { data, nonce });
  const call = { to: wallet.token, data, gas, nonce };
  const prepared = await wallet.sign(call, fees, { to: receiver, amount: amount.toString() });
  wallet.log.info({ payment: paymentId, hash: prepared.hash, nonce }, "signed an Ethereum payment");
  return prepared;
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

/**
 * The heads at which our wallet can pay this receiver, and the fees of a payment there. Called before the estimate, so
 * that a transfer which would revert does not hide that all payments wait.
 * @throws PaymentsWaitError if no payment can be made now
 * @throws PaymentRefusedError if the receiver is on Tether's blacklist
 */
async function requirePayable(
  { nodes, token, address, feeLimit }: PayoutWallet,
  receiver: `0x${string}`,
): Promise<{ heads: EthereumHeads; fees: Fees }> {
  const heads = await nodes.readHeads();
  if (!heads.fresh) {
    const action = checkNodes("USDT");
    throw new PaymentsWaitError("Too few Ethereum nodes are in sync; the payment waits.", { action });
  }
  const receiverBlockReason = await nodes.agree(({ node }) => findReceiverBlockReason(node, token, receiver), heads);
  if (receiverBlockReason !== null) throw new PaymentRefusedError(receiverBlockReason);
  const price = await readGasPrice(nodes, heads);
  const fees = chooseFees(price, feeLimit);
  const payer = { token, signer: address, maxFeePerGas: fees.maxFeePerGas };
  const { blockReason } = await readPayer(nodes, heads, payer);
  if (blockReason !== null) throw new PaymentsWaitError(blockReason, { action: unblockPayments("USDT") });
  if (price.baseFee + price.tip > feeLimit) {
    const action = "Wait until gas costs less.";
    throw new PaymentsWaitError("Gas costs more than the configured maximum; the payment waits.", { action });
  }
  return { heads, fees };
}

const encodeTransfer = (receiver: `0x${string}`, amount: bigint): Hex =>
  encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, amount] });

/** Rejects if the balance does not cover the payment together with those before it, which an estimate ignores. */
async function requireBalance(
  { readBalance }: PayoutWallet,
  heads: EthereumHeads,
  { amount, outgoing = 0n }: PaymentRequest,
): Promise<void> {
  if ((await readBalance(heads)) >= outgoing + amount) return;
  const earlier = outgoing > 0n ? " and the earlier ones that are not in a block yet" : "";
  throw new Error(`The balance does not cover this payment${earlier}.`);
}

/**
 * The gas limit of the transfer. Rejects if the contract refuses it.
 * @throws PaymentsWaitError if too few nodes can estimate a payment
 */
async function estimateGas(
  { nodes, token, address }: PayoutWallet,
  heads: EthereumHeads,
  { data, nonce }: { data: Hex; nonce: number },
): Promise<bigint> {
  const estimate = (call: { data: Hex }) =>
    nodes.queryMajority(({ node }) => node.client.estimateGas({ account: address, to: token, nonce, ...call }), heads);
  const estimates = await estimate({ data }).catch(async (cause: unknown) => {
    // Nodes use the same codes for their own errors as for the contract's, and word them in many ways. But if they can
    // estimate a transfer of nothing to ourselves, only this payment is refused.
    await estimate({ data: encodeTransfer(address, 0n) }).catch(() => {
      const action = checkNodes("USDT");
      throw new PaymentsWaitError("Too few Ethereum nodes can estimate gas; the payment waits.", { action, cause });
    });
    throw cause;
  });
  return chooseGasLimit(estimates, nodes.quorum);
}
