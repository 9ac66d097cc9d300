import { responses, type WalletTxo } from "./full-service-responses";
import { type MobilecoinWallet, mobTokenId } from "./wallet";

const pageSize = 500;

/**
 * The outputs of MOB that the account has received, newest first: in these blocks, or with this status. full-service
 * ignores the offset unless a limit is given too. New outputs shift the pages, so an output may be repeated, but none is
 * skipped.
 */
export async function listTxos(
  wallet: MobilecoinWallet,
  filter: { min_received_block_index?: string; max_received_block_index?: string; status?: "unspent" | "pending" },
): Promise<WalletTxo[]> {
  const found = new Map<string, WalletTxo>();
  for (let offset = 0; ; offset += pageSize) {
    const page = await wallet.service.call(
      "get_txos",
      { account_id: wallet.accountId, token_id: mobTokenId, ...filter, offset, limit: pageSize },
      responses.txos,
    );
    for (const id of page.txo_ids) {
      const txo = page.txo_map[id];
      if (!txo) throw new Error("full-service get_txos: a listed txo is missing from txo_map");
      found.set(id, txo);
    }
    if (page.txo_ids.length < pageSize) return [...found.values()];
  }
}
