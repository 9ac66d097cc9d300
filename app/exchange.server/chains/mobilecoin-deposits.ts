import { FullServiceError } from "./full-service";
import { answers, type WalletTxo } from "./full-service-answers";
import type { ChainTransfer, IsOurs, ScanCursor, ScanResult, TransferKey } from "./gateway";
import { isSynced, type MobilecoinWallet, mobTokenId } from "./mobilecoin-wallet";

/** Blocks that are read again each time: a transfer seen twice is one (rule 8). */
const overlap = 10;
/** Blocks a call reads at most; the first scan of a long ledger goes on where the last one ended. */
const window = 20_000;
const pageSize = 500;

/**
 * Reads what came to the account's assigned addresses since `cursor`, whose height is the
 * first block not read yet. Credits by the block in which a txo was received and whatever
 * its status: it may be spent before it is first seen (fact 31).
 */
export async function scanDeposits(
  wallet: MobilecoinWallet,
  cursor: ScanCursor | null,
  isOurs: IsOurs,
): Promise<ScanResult> {
  // The state is read first: what is in a block below its height is in the answer that follows.
  const startedAt = new Date();
  const status = await wallet.getStatus();
  const readable = Math.min(status.local_block_height, status.account.next_block_index);
  const from = Math.max(0, status.account.first_block_index, (cursor?.height ?? 0) - overlap);
  const until = Math.min(readable, from + overlap + window);
  const caughtUp = until >= readable;

  const candidates: ChainTransfer[] = [];
  for (const txo of until > from ? await listTxos(wallet, from, until - 1) : []) {
    const transfer = await toTransfer(wallet, txo, readable);
    if (transfer) candidates.push(transfer);
  }
  const ours = candidates.length > 0 ? await isOurs([...new Set(candidates.map((t) => t.address))]) : new Set<string>();
  return {
    transfers: candidates.filter((transfer) => ours.has(transfer.address)).reverse(),
    // A wallet that resyncs from the start is behind its cursor for a while; the cursor does not follow it.
    cursor: { height: Math.max(cursor?.height ?? 0, until) },
    caughtUp,
    scannedThrough: caughtUp && isSynced(status) ? startedAt : null,
  };
}

/** One txo again. Null only when a synced wallet does not know it. */
export async function recheckDeposit(wallet: MobilecoinWallet, key: TransferKey): Promise<ChainTransfer | null> {
  const status = await wallet.getStatus();
  const height = Math.min(status.local_block_height, status.account.next_block_index);
  try {
    const { txo } = await wallet.service.call("get_txo", { txo_id: key.txHash }, answers.txo);
    return await toTransfer(wallet, txo, height);
  } catch (error) {
    if (error instanceof FullServiceError && error.is("TxoNotFound") && isSynced(status)) return null;
    throw error;
  }
}

/** Newest first. Pages need both offset and limit (fact 29); what comes meanwhile shifts them, which repeats txos and skips none. */
async function listTxos(wallet: MobilecoinWallet, first: number, last: number): Promise<WalletTxo[]> {
  const found = new Map<string, WalletTxo>();
  for (let offset = 0; ; offset += pageSize) {
    const page = await wallet.service.call(
      "get_txos",
      {
        account_id: wallet.accountId,
        token_id: mobTokenId,
        min_received_block_index: String(first),
        max_received_block_index: String(last),
        offset,
        limit: pageSize,
      },
      answers.txos,
    );
    for (const id of page.txo_ids) {
      const txo = page.txo_map[id];
      if (!txo) throw new Error("full-service get_txos: a txo is listed and missing");
      found.set(id, txo);
    }
    if (page.txo_ids.length < pageSize) return [...found.values()];
  }
}

/** Null for what is no deposit: another token, nothing, change, our own main address, not in a block. */
async function toTransfer(wallet: MobilecoinWallet, txo: WalletTxo, height: number): Promise<ChainTransfer | null> {
  if (txo.token_id !== mobTokenId || txo.value === 0n || txo.received_block_index === null) return null;
  const address = await wallet.toAddress(txo.subaddress_index);
  if (address === null) return null;
  return {
    txHash: txo.id,
    logIndex: 0,
    displayHash: txo.public_key,
    address,
    amount: txo.value,
    blockNumber: txo.received_block_index,
    // Blocks are final and never replaced, so that the index says which block it is.
    blockHash: String(txo.received_block_index),
    blockTime: null,
    confirmations: Math.max(1, height - txo.received_block_index),
  };
}
