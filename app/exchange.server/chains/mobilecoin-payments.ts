import { z } from "zod";
import { parseMobAddress } from "../addresses/mob-address";
import { ExchangeError } from "../errors";
import { FullServiceError } from "./full-service";
import { answers, proposal as proposalSchema } from "./full-service-answers";
import { PaymentRefusedError, type PaymentRequest, type PaymentState, type PreparedPayment } from "./gateway";
import { isSynced, type MobilecoinWallet, mobTokenId } from "./mobilecoin-wallet";

const maxAmount = 2n ** 64n - 1n;

/** What a prepared payment keeps: the proposal whole, and how to find it in the ledger. */
const rawSchema = z.object({
  txProposal: z.record(z.unknown()),
  transactionLogId: z.string(),
  payloadPublicKey: z.string().regex(/^[0-9a-f]{64}$/),
  tombstoneBlockIndex: z.number().int(),
});

/**
 * Builds a proposal without sending it. Building reserves no inputs (fact 41): two payments
 * that are built before the first was sent may spend the same coins, and then only one of
 * them lands. It checks what came back, since these very bytes are what will pay.
 */
export async function preparePayment(wallet: MobilecoinWallet, request: PaymentRequest): Promise<PreparedPayment> {
  requirePayable(request);
  const built = await build(wallet, request);
  const proposal = proposalSchema.safeParse(built.tx_proposal);
  if (!proposal.success) throw new Error("full-service build_transaction: the proposal is not understood");
  const [payload, ...more] = proposal.data.payload_txos;
  const paysAsAsked =
    payload !== undefined &&
    more.length === 0 &&
    payload.amount.value === request.amount &&
    payload.amount.token_id === mobTokenId &&
    proposal.data.fee_amount.token_id === mobTokenId &&
    payload.recipient_public_address_b58 === request.to;
  if (!paysAsAsked) throw new Error("full-service build_transaction: the proposal pays something else than was asked");

  const raw: z.input<typeof rawSchema> = {
    txProposal: built.tx_proposal,
    transactionLogId: built.transaction_log_id,
    payloadPublicKey: payload.tx_out_public_key,
    tombstoneBlockIndex: proposal.data.tombstone_block_index,
  };
  return {
    to: request.to,
    amount: request.amount.toString(),
    hash: payload.tx_out_public_key,
    nonce: null,
    raw,
    networkFee: proposal.data.fee_amount.value.toString(),
  };
}

/**
 * Submits the stored proposal; the same one again cannot pay twice, since its inputs have
 * the same key images (fact 35). An error decides nothing by itself: the answer may have
 * been lost, or an earlier try have landed (ContainsSpentKeyImage), so the ledger is asked.
 */
export async function broadcastPayment(wallet: MobilecoinWallet, payment: PreparedPayment): Promise<void> {
  const { txProposal } = rawSchema.parse(payment.raw);
  try {
    // Always with the account, or nothing is logged and the inputs stay free for the next payment.
    const params = { tx_proposal: txProposal, account_id: wallet.accountId };
    await wallet.service.call("submit_transaction", params, answers.submitted);
  } catch (error) {
    const state = await getPaymentState(wallet, payment).catch(() => ({ state: "unknown" }) as const);
    if (state.state !== "in_block") throw error;
  }
}

/**
 * The ledger is the only truth (fact 38): a wallet's log that says `failed` is no proof.
 * Impossible only when a synced wallet is past the tombstone and, asked after that, still
 * does not find the output.
 */
export async function getPaymentState(wallet: MobilecoinWallet, payment: PreparedPayment): Promise<PaymentState> {
  const { payloadPublicKey, tombstoneBlockIndex } = rawSchema.parse(payment.raw);
  const landed = await findOutput(wallet, payloadPublicKey);
  if (landed) return landed;
  const status = await wallet.getStatus();
  if (!isSynced(status) || status.local_block_height <= tombstoneBlockIndex) return { state: "unknown" };
  return (await findOutput(wallet, payloadPublicKey)) ?? { state: "impossible" };
}

async function findOutput(wallet: MobilecoinWallet, publicKey: string): Promise<PaymentState | null> {
  try {
    const params = { public_key: publicKey };
    const { block_index } = await wallet.service.call("get_txo_block_index", params, answers.blockIndex);
    // A block is final once it is there: one confirmation is all that there is to have.
    return { state: "in_block", blockNumber: block_index, blockHash: null, confirmations: 1 };
  } catch (error) {
    if (error instanceof FullServiceError && error.is("LedgerDB") && error.is("NotFound")) return null;
    throw error;
  }
}

async function build(wallet: MobilecoinWallet, request: PaymentRequest) {
  const params = {
    account_id: wallet.accountId,
    recipient_public_address: request.to,
    amount: { value: request.amount.toString(), token_id: mobTokenId },
  };
  try {
    return await wallet.service.call("build_transaction", params, answers.built);
  } catch (error) {
    if (error instanceof FullServiceError && error.is("InvalidPublicAddress")) {
      throw new PaymentRefusedError("The address is not valid on MobileCoin.", { cause: error });
    }
    throw error;
  }
}

function requirePayable({ to, amount }: PaymentRequest): void {
  if (amount <= 0n || amount > maxAmount) throw new PaymentRefusedError("The amount cannot be paid on MobileCoin.");
  try {
    parseMobAddress(to);
  } catch (error) {
    if (error instanceof ExchangeError) throw new PaymentRefusedError(error.message, { cause: error });
    throw error;
  }
}
