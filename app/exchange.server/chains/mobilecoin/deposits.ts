import type {
  AssignedFundingAddress,
  ChainTransfer,
  MatchAddresses,
  RangeResult,
  ScanCursor,
  ScanResult,
  SeenTransfer,
} from "../gateway";
import { toError } from "../to-error";
import { FullServiceError } from "./full-service";
import { responses, type WalletTxo } from "./full-service-responses";
import { listTxos } from "./list-txos";
import { isSynced, type MobilecoinWallet, mobTokenId, toReadableHeight } from "./wallet";

/** Blocks that every scan reads again; transfers are deduplicated by their key. */
const overlap = 10;
/** Blocks per scan; later scans continue from the cursor. */
const maxBlocks = 20_000;

/**
 * Implements `ChainGateway.scan`: reads the txos received at the account's assigned addresses
 * since `cursor`, whose height is the first unread block. Selects them by the block they were
 * received in and not by status, because a txo may already be spent when first seen. `startedAt` is the
 * time of the scan by the database's clock, because blocks have no times.
 */
export async function scanDeposits(
  wallet: MobilecoinWallet,
  cursor: ScanCursor | null,
  matchAddresses: MatchAddresses,
  startedAt: Date,
): Promise<ScanResult> {
  // Read the height first: every block below it is then included in the txos listed afterwards.
  const status = await wallet.getStatus();
  const readable = toReadableHeight(status);
  const from = Math.max(0, status.account.first_block_index, (cursor?.height ?? 0) - overlap);
  const until = Math.min(readable, from + overlap + maxBlocks);
  const caughtUp = until >= readable;
  // A wallet that resyncs from the start is behind the cursor for a while. Blocks that were read before stay read, and
  // final.
  const height = Math.max(cursor?.height ?? 0, until);
  // A wallet that is behind the cursor is not in sync, even if it reports that it is: its peers may be behind as well.
  const isInSync = caughtUp && until >= height && isSynced(status);

  return {
    transfers: await readTransfers(wallet, { from, until, readable }, matchAddresses),
    cursor: { height },
    // Every block is final.
    readFrom: until,
    finalizedHeight: height - 1,
    caughtUp,
    scannedThrough: isInSync ? startedAt : null,
  };
}

/** Implements `ChainGateway.readRange`. */
export async function readDeposits(
  wallet: MobilecoinWallet,
  { from, to }: { from: number; to: number },
  matchAddresses: MatchAddresses,
): Promise<RangeResult> {
  const status = await wallet.getStatus();
  const readable = toReadableHeight(status);
  const until = Math.max(from, Math.min(readable, to + 1, from + maxBlocks));
  return { transfers: await readTransfers(wallet, { from, until, readable }, matchAddresses), through: until - 1 };
}

/** Our transfers in the blocks from `from` up to, but not including, `until`, oldest first. */
async function readTransfers(
  wallet: MobilecoinWallet,
  { from, until, readable }: { from: number; until: number; readable: number },
  matchAddresses: MatchAddresses,
): Promise<ChainTransfer[]> {
  const candidates: ChainTransfer[] = [];
  const range = { min_received_block_index: String(from), max_received_block_index: String(until - 1) };
  for (const txo of until > from ? await listTxos(wallet, range) : []) {
    const transfer = await toTransfer(wallet, txo, readable);
    if (transfer) candidates.push(transfer);
  }
  if (candidates.length === 0) return [];
  const ours = await matchAddresses([...new Set(candidates.map((t) => t.address))]);
  return candidates.filter((transfer) => ours.has(transfer.address)).reverse();
}

/**
 * Implements `ChainGateway.recheck`. Null only when a synced wallet has read the txo's block and does not have the txo.
 * A wallet that was restored from its seed may have been told to skip that block, or it has the txo, but does not know
 * its address.
 */
export async function recheckDeposits(
  wallet: MobilecoinWallet,
  transfers: readonly SeenTransfer[],
): Promise<(ChainTransfer | null | Error)[]> {
  const status = await wallet.getStatus().catch(toError);
  if (status instanceof Error) return transfers.map(() => status);
  const height = toReadableHeight(status);
  const results: (ChainTransfer | null | Error)[] = [];
  for (const { txHash, blockNumber } of transfers) {
    try {
      const { txo } = await wallet.service.call("get_txo", { txo_id: txHash }, responses.txo);
      const transfer = await toTransfer(wallet, txo, height);
      results.push(transfer ?? new Error("The MobileCoin wallet does not know the address of this output."));
    } catch (error) {
      const hasRead = isSynced(status) && blockNumber >= status.account.first_block_index && blockNumber < height;
      const isGone = error instanceof FullServiceError && error.is("TxoNotFound") && hasRead;
      results.push(isGone ? null : toError(error));
    }
  }
  return results;
}

/**
 * Implements `ChainGateway.assignFundingAddress`. A wallet that was restored from its seed assigns the same
 * subaddresses again, so a subaddress that has already received something counts as used.
 */
export async function assignFundingAddress(
  wallet: MobilecoinWallet,
  order: { reference: string; index: number },
): Promise<AssignedFundingAddress> {
  const { address, index } = await wallet.assign(order);
  const params = { account_id: wallet.accountId, address };
  const { txo_ids } = await wallet.service.call("get_txos", params, responses.txos);
  return { address, index, isUsed: txo_ids.length > 0 };
}

/**
 * Null for a txo that is not a deposit: another token, no value, not in a block, change, or
 * received at the main address.
 */
async function toTransfer(wallet: MobilecoinWallet, txo: WalletTxo, height: number): Promise<ChainTransfer | null> {
  if (txo.token_id !== mobTokenId || txo.value === 0n || txo.received_block_index === null) return null;
  const address = await wallet.toAddress(txo.subaddress_index);
  if (address === null) return null;
  return {
    txHash: txo.id,
    ordinal: 0,
    blockLogIndex: 0,
    displayHash: txo.public_key,
    address,
    amount: txo.value,
    blockNumber: txo.received_block_index,
    // Blocks are final, so the index identifies the block.
    blockHash: String(txo.received_block_index),
    blockTime: null,
    confirmations: Math.max(1, height - txo.received_block_index),
  };
}
