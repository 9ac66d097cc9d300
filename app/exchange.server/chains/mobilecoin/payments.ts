import { z } from "zod";
import { formatAmount } from "../../../lib/money";
import { parseMobAddress, readMobAddressKeys, requireKnownFog } from "../../addresses/mob-address";
import { ExchangeError } from "../../errors";
import { checkNodes } from "../../operator-advice";
import {
  BroadcastRefusedError,
  FragmentedFundsError,
  PaymentRefusedError,
  type PaymentRequest,
  type PaymentState,
  PaymentsWaitError,
  type PreparedPayment,
} from "../gateway";
import { readBalance } from "./balance";
import { FullServiceError } from "./full-service";
import { proposal as proposalSchema, responses } from "./full-service-responses";
import { findOutputBlock, isSynced, type MobilecoinWallet, mobTokenId } from "./wallet";

const maxAmount = 2n ** 64n - 1n;
/** The highest network fee to pay: 0.1 MOB, 250 times the usual one. full-service takes the fee from its peers. */
const maxFee = 10n ** 11n;

/** A prepared payment's `raw`: the whole proposal, and what is needed to find it in the ledger. */
const rawSchema = z.object({
  txProposal: z.record(z.unknown()),
  transactionLogId: z.string(),
  payloadPublicKey: z.string().regex(/^[0-9a-f]{64}$/),
  tombstoneBlockIndex: z.number().int(),
});

/**
 * Implements `ChainGateway.preparePayment`: builds a transaction proposal without sending it.
 * Building does not reserve inputs, so two payments built before the first is sent may spend
 * the same coins, and only one of them can succeed. Checks that the proposal pays exactly
 * what was requested, and not too high a fee, because it is submitted unchanged.
 */
export async function preparePayment(wallet: MobilecoinWallet, request: PaymentRequest): Promise<PreparedPayment> {
  requirePayable(wallet, request);
  const built = await build(wallet, request);
  const proposal = proposalSchema.safeParse(built.tx_proposal);
  if (!proposal.success) throw new Error("full-service build_transaction: unexpected proposal");
  const [payload, ...others] = proposal.data.payload_txos;
  const matchesRequest =
    payload !== undefined &&
    others.length === 0 &&
    payload.amount.value === request.amount &&
    payload.amount.token_id === mobTokenId &&
    proposal.data.fee_amount.token_id === mobTokenId &&
    isSameRecipient(payload.recipient_public_address_b58, request.to);
  if (!matchesRequest) throw new Error("full-service build_transaction: the proposal does not match the request");
  requireUsualFee(proposal.data.fee_amount.value);

  const [change] = proposal.data.change_txos;
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
    ...(change && { changeHash: change.tx_out_public_key }),
  };
}

/** A high fee makes every payment too expensive, so all of them wait. @throws PaymentsWaitError */
function requireUsualFee(fee: bigint): void {
  if (fee <= maxFee) return;
  const [asked, most] = [fee, maxFee].map((amount) => formatAmount(amount, "MOB"));
  const message = `full-service would pay a network fee of ${asked} MOB, which is more than ${most} MOB; the payment waits.`;
  const action = "Check full-service (MOBILECOIN_URL) and its peers, which tell it the fee.";
  throw new PaymentsWaitError(message, { action });
}

/** Compares the keys, not the text: a wallet may print a Fog address in another form. */
function isSameRecipient(actual: string, expected: string): boolean {
  try {
    return readMobAddressKeys(actual) === readMobAddressKeys(expected);
  } catch {
    return false;
  }
}

/**
 * Implements `ChainGateway.prepareConsolidation`. The amount is the most that one transaction can
 * spend, so it uses the 16 largest outputs. Payments to the main address are never deposits. A wallet that is not in
 * sync may count outputs that are spent: a consolidation of these would prevent others until its tombstone block.
 */
export async function prepareConsolidation(wallet: MobilecoinWallet): Promise<PreparedPayment | null> {
  const { status, maxSpendable: amount } = await readBalance(wallet);
  if (amount === 0n || !isSynced(status)) return null;
  const to = status.account.main_address;
  return preparePayment(wallet, { paymentId: "consolidation", to, amount, nonce: null });
}

/**
 * Implements `ChainGateway.broadcast`: submits the stored proposal. Submitting it again cannot
 * pay twice, because its inputs have the same key images. After an error the payment may
 * still have succeeded (the response was lost, or ContainsSpentKeyImage after an earlier
 * attempt), so the ledger is checked.
 */
export async function broadcastPayment(wallet: MobilecoinWallet, payment: PreparedPayment): Promise<void> {
  const { txProposal } = rawSchema.parse(payment.raw);
  try {
    // Without account_id, full-service would not mark the inputs as pending, and the next payment could use them.
    const params = { tx_proposal: txProposal, account_id: wallet.accountId };
    await wallet.service.call("submit_transaction", params, responses.submitted);
  } catch (error) {
    const state = await getPaymentState(wallet, payment).catch(() => ({ kind: "unknown" }) as const);
    if (state.kind === "in_block") return;
    if (!isRefusal(error)) throw error;
    throw new BroadcastRefusedError("payment", error.serverError.slice(0, 200), { cause: error });
  }
}

/** Errors caused by the wallet or its connections, which would apply to any other payment too. */
const notThePayment = [
  "NoPeers",
  "Diesel",
  "Grpc",
  "Attestation",
  "Cipher",
  "Conversion",
  "Connection",
  "Ledger",
  "WalletDb",
  // full-service may fail to record a payment that the network has already accepted.
  "Database",
  "Resync",
];

/** Whether the network refused this payment itself. After its tombstone block, only the ledger decides. */
function isRefusal(error: unknown): error is FullServiceError {
  if (!(error instanceof FullServiceError) || error.isResyncing) return false;
  if (error.serverError.includes("TombstoneBlockExceeded")) return false;
  return error.is("TransactionValidation") || !notThePayment.some((name) => error.is(name));
}

/**
 * Implements `ChainGateway.getPaymentState` from the ledger alone. The wallet's transaction
 * log is not reliable: it can say `failed` for a payment that succeeded. A payment is
 * `impossible` when a synced wallet is past the tombstone and a lookup after that still does
 * not find the output.
 */
export async function getPaymentState(wallet: MobilecoinWallet, payment: PreparedPayment): Promise<PaymentState> {
  const { payloadPublicKey, tombstoneBlockIndex } = rawSchema.parse(payment.raw);
  const found = await findOutput(wallet, payloadPublicKey);
  if (found) return found;
  const status = await wallet.getStatus();
  if (!isSynced(status) || status.local_block_height <= tombstoneBlockIndex) return { kind: "unknown" };
  return (await findOutput(wallet, payloadPublicKey)) ?? { kind: "impossible" };
}

async function findOutput(wallet: MobilecoinWallet, publicKey: string): Promise<PaymentState | null> {
  const block = await findOutputBlock(wallet, publicKey);
  if (block === null) return null;
  const { local_block_height } = await wallet.getStatus();
  const confirmations = Math.max(1, local_block_height - block);
  return { kind: "in_block", blockNumber: block, blockHash: null, confirmations };
}

async function build(wallet: MobilecoinWallet, request: PaymentRequest) {
  const params = {
    account_id: wallet.accountId,
    recipient_public_address: request.to,
    amount: { value: request.amount.toString(), token_id: mobTokenId },
  };
  try {
    return await wallet.service.call("build_transaction", params, responses.built);
  } catch (error) {
    if (error instanceof FullServiceError && error.is("InvalidPublicAddress")) {
      throw new PaymentRefusedError("The address is not valid on MobileCoin.", { cause: error });
    }
    if (error instanceof FullServiceError && error.is("InsufficientFundsFragmentedTxos")) {
      throw new FragmentedFundsError(error.message, { cause: error });
    }
    if (await isChangeAwaited(wallet, request.amount, error)) {
      const options = { cause: error, action: checkNodes("MOB") };
      throw new PaymentsWaitError("The change of earlier payments is not in a block yet.", options);
    }
    throw error;
  }
}

/**
 * Whether a payment could not be built only because its funds were inputs of other payments that waited for a block. A
 * block that has arrived since may have freed them already.
 */
async function isChangeAwaited(wallet: MobilecoinWallet, amount: bigint, error: unknown): Promise<boolean> {
  if (!(error instanceof FullServiceError)) return false;
  if (!error.is("NoSpendableTxos") && !error.is("InsufficientFunds")) return false;
  const { unspent, pending, maxSpendable } = await readBalance(wallet);
  return maxSpendable >= amount || (pending > 0n && unspent + pending > amount);
}

/**
 * Implements `ChainGateway.getReceiverBlockReason`. An address is checked again before it is paid, because it may have
 * been saved while other Fog servers were known.
 */
export function findAddressProblem({ fogServers }: MobilecoinWallet, to: string): string | null {
  try {
    requireKnownFog(parseMobAddress(to), fogServers);
    return null;
  } catch (error) {
    if (error instanceof ExchangeError) return error.message;
    throw error;
  }
}

function requirePayable(wallet: MobilecoinWallet, { to, amount }: PaymentRequest): void {
  if (amount <= 0n || amount > maxAmount) throw new PaymentRefusedError("The amount cannot be paid on MobileCoin.");
  const problem = findAddressProblem(wallet, to);
  if (problem !== null) throw new PaymentRefusedError(problem);
}
