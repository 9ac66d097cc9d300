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
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, amount] });
  const { heads, fees } = await requirePayable(wallet, receiver);
  const gas = await estimateGas(wallet, heads, { ...request, nonce, data });
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

/**
 * The gas limit of the transfer. Rejects if the transfer would revert, for example because our balance is too low, or
 * if the balance does not cover it together with the payments before it.
 */
async function estimateGas(
  { nodes, token, address, readBalance }: PayoutWallet,
  heads: EthereumHeads,
  { amount, nonce, data, outgoing = 0n }: PaymentRequest & { nonce: number; data: Hex },
): Promise<bigint> {
  const call = { account: address, to: token, data, nonce };
  const estimates = await nodes.queryMajority(({ node }) => node.client.estimateGas(call), heads);
  // The estimate does not include our payments that are not in a block yet.
  if (outgoing > 0n && (await readBalance(heads)) < outgoing + amount)
    throw new Error("The balance does not cover this payment and the earlier ones that are not in a block yet.");
  return chooseGasLimit(estimates, nodes.quorum);
}
