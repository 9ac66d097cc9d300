import { createHash } from "node:crypto";
import { mainSubaddress } from "./keys";
import type { Account, Address, Ledger, Log, Tx, TxOut, Txo } from "./ledger";
import { toTxoId } from "./ledger";
import { encodeTx, getBalance, minimumFee } from "./wallet";

/** Conversions to full-service's JSON, in which every u64 is a decimal string. */

export type View = {
  chainId: string;
  synced: boolean;
  sealKey: string;
  /** Blocks that the accounts have scanned; null for all. */
  scanned: number | null;
};

/** The block heights. An unsynced wallet is three blocks behind its network. */
export function toHeights(ledger: Ledger, view: View) {
  return {
    network_block_height: String(view.synced ? ledger.height : ledger.height + 3),
    local_block_height: String(ledger.height),
  };
}

/** An account in the form of `get_accounts`. */
export function toAccount(ledger: Ledger, account: Account, view: View) {
  return {
    id: account.id,
    name: account.name,
    key_derivation_version: "2",
    main_address: account.addresses.get(mainSubaddress)?.b58 ?? "",
    next_subaddress_index: account.nextSubaddressIndex.toString(),
    first_block_index: "0",
    next_block_index: String(Math.min(ledger.height, view.scanned ?? ledger.height)),
    recovery_mode: false,
    fog_enabled: false,
    view_only: false,
    managed_by_hardware_wallet: false,
    require_spend_subaddress: false,
  };
}

/** A subaddress in the form of `get_addresses` and `assign_address_for_account`. */
export function toAddressJson(address: Address) {
  return {
    public_address_b58: address.b58,
    account_id: address.accountId,
    metadata: address.metadata,
    subaddress_index: address.index.toString(),
  };
}

/** Balances by token id, in pico-MOB. */
export function toBalances(ledger: Ledger, accounts: Account[]) {
  const total = { max_spendable: 0n, unverified: 0n, unspent: 0n, pending: 0n, spent: 0n, secreted: 0n, orphaned: 0n };
  for (const account of accounts) {
    const balance = getBalance(ledger, account);
    total.max_spendable += balance.maxSpendable;
    total.unspent += balance.unspent + balance.countedTwice;
    total.pending += balance.pending;
    total.spent += balance.spent;
  }
  return { "0": Object.fromEntries(Object.entries(total).map(([name, value]) => [name, value.toString()])) };
}

/** The response to `get_network_status`. */
export function toNetworkStatus(ledger: Ledger, view: View) {
  return {
    ...toHeights(ledger, view),
    local_num_txos: String(ledger.outputs.size),
    fees: { "0": minimumFee.toString(), "1": "2560" },
    block_version: "3",
    max_tombstone_blocks: "20160",
    network_info: { offline: false, chain_id: view.chainId, peers: [], tx_sources: [] },
  };
}

/** Returns the status of an output in the terms of full-service. */
export function txoStatus(ledger: Ledger, txo: Txo): "spent" | "pending" | "unspent" {
  if (txo.spentBlockIndex !== null) return "spent";
  return ledger.locked.has(txo.id) ? "pending" : "unspent";
}

/** An output in the form of `get_txos`, with its amount in base units. It has no index while its address is unknown. */
export function toTxo(ledger: Ledger, txo: Txo) {
  return {
    id: txo.id,
    value: txo.value.toString(),
    token_id: txo.tokenId,
    received_block_index: String(txo.receivedBlockIndex),
    spent_block_index: txo.spentBlockIndex === null ? null : String(txo.spentBlockIndex),
    account_id: txo.accountId,
    status: txoStatus(ledger, txo),
    target_key: `0a20${digest("target", txo.id)}`,
    public_key: `0a20${txo.publicKey}`,
    e_fog_hint: "",
    subaddress_index: isKnownAddress(ledger, txo) ? txo.subaddressIndex.toString() : null,
    key_image: `0a20${toKeyImage(txo.id)}`,
    confirmation: null,
    shared_secret: null,
    memo: toMemo(txo),
  };
}

function isKnownAddress(ledger: Ledger, { accountId, subaddressIndex }: Txo): boolean {
  return ledger.accounts.get(accountId)?.addresses.has(subaddressIndex) === true;
}

function toMemo(txo: Txo) {
  if (txo.destination)
    return { Destination: { ...txo.destination, payment_request_id: null, payment_intent_id: null } };
  if (txo.sender === null) return "Unused";
  return {
    AuthenticatedSender: { sender_address_hash: txo.sender, payment_request_id: null, payment_intent_id: null },
  };
}

/** A transaction proposal. Its keys are 64 hex digits, without the prefix `0a20` that they have in a Txo. */
export function toProposal(ledger: Ledger, tx: Tx, sealKey: string) {
  const toOutput = (output: TxOut) => ({
    tx_out_proto: digest("proto", output.publicKey),
    tx_out_public_key: output.publicKey,
    amount: { value: output.value, token_id: output.tokenId },
    recipient_public_address_b58: output.recipient,
    confirmation_number: digest("confirmation", output.publicKey),
  });
  return {
    input_txos: tx.inputs.map((id) => ({
      tx_out_proto: digest("proto", id),
      amount: { value: ledger.txos.get(id)?.value.toString() ?? "0", token_id: tx.payload[0]?.tokenId ?? "0" },
      subaddress_index: ledger.txos.get(id)?.subaddressIndex.toString() ?? "0",
      key_image: toKeyImage(id),
    })),
    payload_txos: tx.payload.map(toOutput),
    change_txos: tx.change.map(toOutput),
    fee_amount: { value: tx.fee, token_id: tx.payload[0]?.tokenId ?? "0" },
    tombstone_block_index: String(tx.tombstone),
    tx_proto: encodeTx(tx, sealKey),
  };
}

/** A transaction log in the form of `get_transaction_logs`. */
export function toLog(ledger: Ledger, log: Log) {
  const { tx } = log;
  const toOutput = (output: TxOut) => ({
    txo_id: toTxoId(output.publicKey),
    public_key: output.publicKey,
    amount: { value: output.value, token_id: output.tokenId },
    recipient_public_address_b58: output.recipient,
  });
  const sent = tx.payload.reduce((sum, output) => sum + BigInt(output.value), 0n);
  const index = (value: number | null) => (value === null ? null : String(value));
  return {
    id: tx.id,
    account_id: tx.accountId,
    input_txos: tx.inputs.map((id) => ({
      txo_id: id,
      amount: { value: ledger.txos.get(id)?.value.toString() ?? "0", token_id: "0" },
    })),
    output_txos: tx.payload.map(toOutput),
    change_txos: tx.change.map(toOutput),
    value_map: { "0": sent.toString() },
    fee_amount: { value: tx.fee, token_id: "0" },
    submitted_block_index: index(log.submittedBlockIndex),
    tombstone_block_index: String(tx.tombstone),
    finalized_block_index: index(log.finalizedBlockIndex),
    status: log.status,
    sent_time: null,
    comment: log.comment,
  };
}

const digest = (name: string, value: string) => createHash("sha256").update(`${name}:${value}`).digest("hex");
const toKeyImage = (txoId: string) => digest("key image", txoId);
