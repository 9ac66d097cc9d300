import { type AccountKeys, changeSubaddress, createAccountKeys, mainSubaddress } from "./keys";

/** A transaction output. Amounts are decimal strings, because the journal is JSON. */
export type TxOut = {
  publicKey: string;
  value: string;
  tokenId: string;
  recipient: string;
  sender: string | null;
  /** For change: what its memo says about the payment. */
  destination?: Destination;
};

type Destination = { recipient_address_hash: string; num_recipients: string; fee: string; total_outlay: string };

export type Tx = {
  id: string;
  accountId: string;
  inputs: string[];
  payload: TxOut[];
  change: TxOut[];
  fee: string;
  tombstone: number;
};

/** A journal entry. Replaying the journal gives the same ledger and wallet. */
export type Entry =
  | { kind: "opened"; version: 1; at: string }
  | { kind: "account"; seed: string; name: string }
  | { kind: "address"; accountId: string; index: string; b58: string; metadata: string }
  /** The account was imported again from its seed. */
  | { kind: "restored"; accountId: string }
  | { kind: "built"; tx: Tx }
  /** The network has accepted it; it waits for a block. */
  | { kind: "proposed"; tx: Tx }
  /** The wallet has recorded that it sent it (full-service does so only after the network has responded). */
  | { kind: "submitted"; txId: string; comment: string }
  | { kind: "block"; at: string; txs: Tx[]; minted: TxOut[] };

export type Address = { b58: string; accountId: string; index: bigint; metadata: string };

export type Account = {
  id: string;
  name: string;
  keys: AccountKeys;
  addresses: Map<bigint, Address>;
  nextSubaddressIndex: bigint;
  /** Oldest first. */
  txos: Txo[];
  unspent: Map<string, Txo>;
  spentValue: bigint;
};

export type Txo = {
  id: string;
  publicKey: string;
  value: bigint;
  tokenId: string;
  accountId: string;
  subaddressIndex: bigint;
  receivedBlockIndex: number;
  receivedAt: Date;
  spentBlockIndex: number | null;
  sender: string | null;
  destination: Destination | null;
};

type LogStatus = "built" | "pending" | "succeeded" | "failed";
export type Log = {
  tx: Tx;
  status: LogStatus;
  submittedBlockIndex: number | null;
  finalizedBlockIndex: number | null;
  comment: string;
};

/** The chain and the wallet's view of it, in memory. Only `apply` changes it. */
export type Ledger = {
  /** Number of blocks; the last block's index is one less. */
  height: number;
  accounts: Map<string, Account>;
  /** By base58 address. */
  addresses: Map<string, Address>;
  logs: Map<string, Log>;
  mempool: Map<string, Tx>;
  txos: Map<string, Txo>;
  /** Block index by public key, of every output on the chain and of any owner. */
  outputs: Map<string, number>;
  /** Log id by txo id, of the inputs of submitted transactions that are still pending. */
  locked: Map<string, string>;
  openLogs: Set<Log>;
};

export function createLedger(): Ledger {
  return {
    height: 0,
    accounts: new Map(),
    addresses: new Map(),
    logs: new Map(),
    mempool: new Map(),
    txos: new Map(),
    outputs: new Map(),
    locked: new Map(),
    openLogs: new Set(),
  };
}

/** Derives a txo's id from its output's public key. */
export const toTxoId = (publicKey: string) => `${publicKey.slice(32)}${publicKey.slice(0, 32)}`;

/** Applies one journal entry to the ledger. The same entries in the same order give the same ledger. */
export function apply(ledger: Ledger, entry: Entry): void {
  switch (entry.kind) {
    case "opened":
      break;
    case "account":
      addAccount(ledger, entry);
      break;
    case "address":
      addAddress(ledger, { ...entry, index: BigInt(entry.index) });
      break;
    case "restored":
      restoreFromSeed(ledger, entry.accountId);
      break;
    case "built": {
      const log: Log = {
        tx: entry.tx,
        status: "built",
        submittedBlockIndex: null,
        finalizedBlockIndex: null,
        comment: "",
      };
      ledger.logs.set(entry.tx.id, log);
      ledger.openLogs.add(log);
      break;
    }
    case "proposed":
      ledger.mempool.set(entry.tx.id, entry.tx);
      break;
    case "submitted": {
      const log = ledger.logs.get(entry.txId);
      if (!log) break;
      log.submittedBlockIndex = ledger.height;
      log.comment = entry.comment;
      // As in full-service, a failed log stays failed, even if its transaction is submitted again.
      if (log.status === "built") {
        log.status = "pending";
        for (const txoId of log.tx.inputs) ledger.locked.set(txoId, log.tx.id);
      }
      break;
    }
    case "block":
      addBlock(ledger, entry);
      break;
  }
}

function addAccount(ledger: Ledger, entry: { seed: string; name: string }): void {
  const keys = createAccountKeys(entry.seed);
  ledger.accounts.set(keys.id, {
    id: keys.id,
    name: entry.name,
    keys,
    addresses: new Map(),
    nextSubaddressIndex: 2n,
    txos: [],
    unspent: new Map(),
    spentValue: 0n,
  });
  for (const [index, metadata] of [
    [mainSubaddress, "Main"],
    [changeSubaddress, "Change"],
  ] as const) {
    addAddress(ledger, { accountId: keys.id, index, metadata, b58: keys.toAddress(index) });
  }
}

function addAddress(ledger: Ledger, { accountId, index, b58, metadata }: Address): void {
  const account = ledger.accounts.get(accountId);
  if (!account) throw new Error(`the journal refers to an unknown account ${accountId}`);
  const address: Address = { b58, accountId, index, metadata };
  account.addresses.set(index, address);
  if (index >= account.nextSubaddressIndex && index !== changeSubaddress) account.nextSubaddressIndex = index + 1n;
  ledger.addresses.set(b58, address);
}

/**
 * A wallet that was restored from its seed receives at every address, but knows only those that it has assigned since,
 * and has no record of its payments.
 */
function restoreFromSeed(ledger: Ledger, accountId: string): void {
  const account = ledger.accounts.get(accountId);
  if (!account) throw new Error(`the journal refers to an unknown account ${accountId}`);
  for (const index of account.addresses.keys()) {
    if (index !== mainSubaddress && index !== changeSubaddress) account.addresses.delete(index);
  }
  account.nextSubaddressIndex = 2n;
  for (const [id, log] of ledger.logs) {
    if (log.tx.accountId !== accountId) continue;
    ledger.logs.delete(id);
    ledger.openLogs.delete(log);
    for (const txoId of log.tx.inputs) if (ledger.locked.get(txoId) === id) ledger.locked.delete(txoId);
  }
}

function addBlock(ledger: Ledger, block: { at: string; txs: Tx[]; minted: TxOut[] }): void {
  const index = ledger.height;
  ledger.height += 1;
  for (const tx of block.txs) {
    ledger.mempool.delete(tx.id);
    for (const txoId of tx.inputs) spend(ledger, txoId, index);
  }
  for (const output of [...block.minted, ...block.txs.flatMap((tx) => [...tx.payload, ...tx.change])]) {
    receive(ledger, output, index, new Date(block.at));
  }
  for (const [id, tx] of ledger.mempool) if (tx.tombstone <= ledger.height) ledger.mempool.delete(id);
  for (const log of ledger.openLogs) settle(ledger, log, index);
}

/**
 * Updates an open log after a block, as full-service does. A transaction in a block has succeeded
 * if the wallet recorded that it sent it. Without that record it counts as failed even though it was paid, so `failed`
 * does not prove that nothing was paid (docs/chains.md).
 */
function settle(ledger: Ledger, log: Log, blockIndex: number): void {
  const spent = log.tx.inputs.some((id) => ledger.txos.get(id)?.spentBlockIndex != null);
  if (!spent && log.tx.tombstone >= ledger.height) return;
  const landed = log.tx.payload.every((output) => ledger.outputs.has(output.publicKey));
  log.status = landed && log.submittedBlockIndex !== null ? "succeeded" : "failed";
  log.finalizedBlockIndex = log.status === "succeeded" ? blockIndex : null;
  ledger.openLogs.delete(log);
  for (const txoId of log.tx.inputs) if (ledger.locked.get(txoId) === log.tx.id) ledger.locked.delete(txoId);
}

function spend(ledger: Ledger, txoId: string, blockIndex: number): void {
  const txo = ledger.txos.get(txoId);
  const account = txo && ledger.accounts.get(txo.accountId);
  if (!txo || !account) throw new Error(`the ledger spends an unknown txo ${txoId}`);
  txo.spentBlockIndex = blockIndex;
  account.unspent.delete(txoId);
  if (txo.tokenId === "0") account.spentValue += txo.value;
}

function receive(ledger: Ledger, output: TxOut, blockIndex: number, at: Date): void {
  ledger.outputs.set(output.publicKey, blockIndex);
  const address = ledger.addresses.get(output.recipient);
  const account = address && ledger.accounts.get(address.accountId);
  if (!address || !account) return;
  const txo: Txo = {
    id: toTxoId(output.publicKey),
    publicKey: output.publicKey,
    value: BigInt(output.value),
    tokenId: output.tokenId,
    accountId: account.id,
    subaddressIndex: address.index,
    receivedBlockIndex: blockIndex,
    receivedAt: at,
    spentBlockIndex: null,
    sender: output.sender,
    destination: output.destination ?? null,
  };
  ledger.txos.set(txo.id, txo);
  account.txos.push(txo);
  account.unspent.set(txo.id, txo);
}
