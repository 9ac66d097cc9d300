import type { Account, Ledger, Txo } from "./ledger";
import type { ListTxosParams } from "./params";
import { txoStatus } from "./shapes";
import { isAlsoUnspent, requireAccount } from "./wallet";

/** `get_txos`, newest first. Walks back from the newest block, so that polling reads only new txos. */
export function listTxos(ledger: Ledger, params: ListTxosParams): Txo[] {
  const address = params.address ? ledger.addresses.get(params.address) : undefined;
  if (params.address && !address) return [];
  const matching = getAccounts(ledger, address?.accountId ?? params.account_id)
    .flatMap((account) => listSince(account, params.min_received_block_index ?? 0))
    .filter(
      (txo) =>
        txo.receivedBlockIndex <= (params.max_received_block_index ?? Number.MAX_SAFE_INTEGER) &&
        (params.token_id === undefined || txo.tokenId === params.token_id) &&
        (params.status === undefined || hasStatus(ledger, txo, params.status)) &&
        (address === undefined || txo.subaddressIndex === address.index),
    );
  // Like full-service, ignores offset and limit for an address without a status.
  return address && params.status === undefined ? matching : takePage(matching, params);
}

function hasStatus(ledger: Ledger, txo: Txo, status: string): boolean {
  const actual = txoStatus(ledger, txo);
  return actual === status || (status === "unspent" && actual === "pending" && isAlsoUnspent(ledger, txo));
}

/** Returns a page. Like full-service, ignores `offset` or `limit` if the other is missing. */
export function takePage<T>(items: T[], { offset, limit }: { offset?: number; limit?: number }): T[] {
  return offset === undefined || limit === undefined ? items : items.slice(offset, offset + limit);
}

function getAccounts(ledger: Ledger, accountId: string | undefined): Account[] {
  return accountId === undefined ? [...ledger.accounts.values()] : [requireAccount(ledger, accountId)];
}

function listSince(account: Account, blockIndex: number): Txo[] {
  const recent: Txo[] = [];
  for (let at = account.txos.length - 1; at >= 0; at -= 1) {
    const txo = account.txos[at];
    if (!txo || txo.receivedBlockIndex < blockIndex) break;
    recent.push(txo);
  }
  return recent;
}
