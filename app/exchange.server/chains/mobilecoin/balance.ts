import type { Holdings, WalletState } from "../gateway";
import { FullServiceError } from "./full-service";
import type { AccountStatus } from "./full-service-responses";
import { listTxos } from "./list-txos";
import { isSynced, type MobilecoinWallet, mobTokenId, toReadableHeight } from "./wallet";

/** In pico-MOB. `maxSpendable` is the most that one transaction can send. No output is both unspent and pending. */
type Balance = { status: AccountStatus; unspent: bigint; pending: bigint; maxSpendable: bigint };

/** full-service lists only tokens that the account has received. */
const nothing = { unspent: 0n, pending: 0n, max_spendable: 0n };

/** The account's balance. Pending outputs are inputs of payments that are not in a block yet. */
export async function readBalance(wallet: MobilecoinWallet): Promise<Balance> {
  const status = await wallet.getStatus();
  const { unspent, pending, max_spendable } = status.balance_per_token[mobTokenId] ?? nothing;
  const twice = pending === 0n ? 0n : await sumCountedTwice(wallet);
  return { status, unspent: unspent - twice, pending, maxSpendable: max_spendable };
}

/**
 * The total of the pending outputs that full-service counts as unspent, too, because they are also inputs of a proposal
 * that was not sent or has failed. Few outputs are pending, so only their blocks are read.
 */
async function sumCountedTwice(wallet: MobilecoinWallet): Promise<bigint> {
  const pending = await listTxos(wallet, { status: "pending" });
  const ids = new Set(pending.map(({ id }) => id));
  const blocks = new Set(pending.flatMap(({ received_block_index }) => received_block_index ?? []));
  let sum = 0n;
  for (const block of blocks) {
    const range = { min_received_block_index: String(block), max_received_block_index: String(block) };
    const unspent = await listTxos(wallet, { status: "unspent", ...range });
    for (const { id, value } of unspent) if (ids.has(id)) sum += value;
  }
  return sum;
}

/**
 * Implements `ChainGateway.readWallet`. Includes pending outputs: they return as one output of change, and what their
 * payments pay out is still owed in our ledger. MobileCoin's fee hardly changes, so the configured one covers it.
 */
export async function readWallet(wallet: MobilecoinWallet): Promise<WalletState> {
  const paymentBlockReason = "The MobileCoin wallet is syncing with its network.";
  try {
    const { status, unspent, pending, maxSpendable } = await readBalance(wallet);
    return {
      spendable: unspent + pending,
      maxPayment: maxSpendable + pending,
      paymentCost: 0n,
      paymentBlockReason: isSynced(status) ? null : paymentBlockReason,
      ether: null,
    };
  } catch (error) {
    // While it scans the account again from its first block, full-service reports no balance.
    if (!(error instanceof FullServiceError && error.isResyncing)) throw error;
    return { spendable: 0n, maxPayment: 0n, paymentCost: 0n, paymentBlockReason, ether: null };
  }
}

/** How often to read the balance while it keeps changing. */
const maxBalanceReads = 4;

/**
 * Implements `ChainGateway.readHoldings`. Pending outputs are ours until their payments are in a block. full-service
 * reads heights, unspent and pending outputs one after the other, and may scan a block or record a payment in between,
 * so a balance counts only if two reads in a row agree.
 */
export async function readHoldings(wallet: MobilecoinWallet): Promise<Holdings | null> {
  let balance = await readBalance(wallet);
  for (let reads = 1; reads < maxBalanceReads; reads += 1) {
    const later = await readBalance(wallet);
    if (!isSynced(later.status)) return null;
    if (isSame(balance, later)) {
      const height = toReadableHeight(later.status) - 1;
      return { height, wallet: later.unspent + later.pending, atAddresses: new Map() };
    }
    balance = later;
  }
  return null;
}

function isSame(a: Balance, b: Balance): boolean {
  return (
    a.status.local_block_height === b.status.local_block_height &&
    a.status.account.next_block_index === b.status.account.next_block_index &&
    a.unspent === b.unspent &&
    a.pending === b.pending
  );
}
