import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { encodeMobAddress, parseMobAddress } from "../../exchange.server/addresses/mob-address";
import { changeSubaddress, toPointHex } from "./keys";
import type { Account, Ledger, Tx, TxOut, Txo } from "./ledger";
import { RpcError, toNetworkError } from "./rpc-error";

/** 0.0004 MOB, the network's minimum fee. */
export const minimumFee = 400_000_000n;
const maxInputs = 16;
/** The number of blocks in which a new transaction is valid. */
const defaultTombstoneBlocks = 100;

/** Returns the account with this id. @throws RpcError AccountNotFound, like full-service */
export function requireAccount(ledger: Ledger, id: string): Account {
  const account = ledger.accounts.get(id);
  if (!account) throw new RpcError(`Database(AccountNotFound("${id}"))`, "Error interacting with the database");
  return account;
}

/**
 * Builds a transaction like full-service: at most 16 inputs, smallest first, and the change to the
 * change subaddress. Reserves no inputs.
 */
export function buildTx(
  ledger: Ledger,
  account: Account,
  request: { outlays: { recipient: string; value: bigint }[]; tokenId: string; tombstone: number | null },
): Tx {
  const outlays = request.outlays.map(({ recipient, value }) => ({
    recipient: requireAddress(ledger, recipient),
    value,
  }));
  if (outlays.some(({ value }) => value === 0n))
    throw new RpcError("TransactionBuilder(ZeroValue)", "Cannot send nothing");
  const total = outlays.reduce((sum, { value }) => sum + value, minimumFee);
  const inputs = selectInputs(ledger, account, request.tokenId, total);
  const change = inputs.reduce((sum, txo) => sum + txo.value, 0n) - total;
  const nonce = randomBytes(32).toString("hex");
  const toOutput = (name: string, value: bigint, to: string): TxOut => ({
    publicKey: toPointHex("output", name, nonce),
    value: value.toString(),
    tokenId: request.tokenId,
    recipient: to,
    sender: account.id.slice(0, 32),
  });
  const destination = {
    // If there are several receivers, the memo names the last.
    recipient_address_hash: hashAddress(outlays.at(-1)?.recipient ?? ""),
    num_recipients: String(outlays.length),
    fee: minimumFee.toString(),
    total_outlay: total.toString(),
  };
  const tx = {
    accountId: account.id,
    inputs: inputs.map((txo) => txo.id),
    payload: outlays.map(({ recipient, value }, index) => toOutput(`payload ${index}`, value, recipient)),
    change: [{ ...toOutput("change", change, account.keys.toAddress(changeSubaddress)), destination }],
    fee: minimumFee.toString(),
    tombstone: request.tombstone ?? ledger.height + defaultTombstoneBlocks,
  };
  return { id: createHash("sha256").update(JSON.stringify(tx)).digest("hex"), ...tx };
}

/** Takes the place of MobileCoin's hash of an address. */
export const hashAddress = (address: string): string => address.slice(0, 32);

/** Returns an address in the ledger's form: without Fog data, if it belongs to one of its accounts. */
function requireAddress(ledger: Ledger, text: string): string {
  try {
    const { address, canonical } = parseMobAddress(text);
    const keys = Buffer.from(canonical, "hex");
    const plain = encodeMobAddress({ viewPublicKey: keys.subarray(0, 32), spendPublicKey: keys.subarray(32) });
    return ledger.addresses.has(plain) ? plain : address;
  } catch {
    throw new RpcError("InvalidPublicAddress(B58Decode)", "Invalid public address");
  }
}

function selectInputs(ledger: Ledger, account: Account, tokenId: string, target: bigint): Txo[] {
  const spendable = listSpendable(ledger, account, tokenId);
  if (spendable.length === 0) throw builderError("NoSpendableTxos");
  const total = spendable.reduce((sum, txo) => sum + txo.value, 0n);
  if (total < target) throw builderError(`InsufficientFunds("Total available: ${total}, required: ${target}")`);
  const largest = spendable.slice(-maxInputs).reduce((sum, txo) => sum + txo.value, 0n);
  if (largest < target) throw builderError("InsufficientFundsFragmentedTxos");

  const chosen: Txo[] = [];
  let sum = 0n;
  for (const txo of spendable) {
    if (sum >= target) break;
    chosen.push(txo);
    sum += txo.value;
    if (chosen.length > maxInputs) sum -= chosen.shift()?.value ?? 0n;
  }
  return chosen;
}

/** Smallest first, without the inputs of submitted transactions. */
function listSpendable(ledger: Ledger, account: Account, tokenId: string): Txo[] {
  return [...account.unspent.values()]
    .filter((txo) => txo.tokenId === tokenId && !ledger.locked.has(txo.id))
    .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
}

const builderError = (reason: string) =>
  new RpcError(`TransactionBuilder(WalletDb(${reason}))`, "Error building transaction");

/**
 * Whether full-service lists a pending output as unspent, too, because it is also an input of a proposal that was not
 * sent.
 */
export const isAlsoUnspent = ({ openLogs }: Ledger, { id }: Txo): boolean =>
  [...openLogs].some(({ status, tx }) => status === "built" && tx.inputs.includes(id));

/**
 * Returns MOB balances in pico-MOB. `maxSpendable` is the most that one transaction can send after its fee.
 * `countedTwice`: the part of `pending` that full-service counts as unspent, too.
 */
export function getBalance(
  ledger: Ledger,
  account: Account,
): Record<"maxSpendable" | "unspent" | "pending" | "countedTwice" | "spent", bigint> {
  const sum = (txos: Txo[]) => txos.reduce((total, txo) => total + txo.value, 0n);
  const spendable = listSpendable(ledger, account, "0");
  const pending = [...account.unspent.values()].filter((txo) => txo.tokenId === "0" && ledger.locked.has(txo.id));
  const largest = sum(spendable.slice(-maxInputs));
  return {
    maxSpendable: largest > minimumFee ? largest - minimumFee : 0n,
    unspent: sum(spendable),
    pending: sum(pending),
    countedTwice: sum(pending.filter((txo) => isAlsoUnspent(ledger, txo))),
    spent: account.spentValue,
  };
}

/** Encodes a transaction for a proposal, authenticated by an HMAC in place of the real signatures. */
export function encodeTx(tx: Tx, key: string): string {
  const body = Buffer.from(JSON.stringify(tx));
  return Buffer.concat([sign(body, key), body]).toString("hex");
}

/** Decodes a transaction from its `tx_proto`. @throws RpcError if its HMAC does not match this key */
export function decodeTx(proto: string, key: string): Tx {
  const bytes = Buffer.from(proto, "hex");
  const body = bytes.subarray(32);
  if (bytes.length < 33 || !timingSafeEqual(sign(body, key), bytes.subarray(0, 32))) {
    throw new RpcError(toNetworkError("TransactionValidation(InvalidTransactionSignature)"), "The signature is wrong");
  }
  return JSON.parse(body.toString("utf8")) as Tx;
}

const sign = (body: Buffer, key: string) => createHmac("sha256", key).update(body).digest();
