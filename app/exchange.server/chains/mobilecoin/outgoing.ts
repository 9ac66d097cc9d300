import type { OutgoingPayments, UnrecordedPayment } from "../gateway";
import { responses, type TransactionLog, transactionLogs } from "./full-service-responses";
import { listTxos } from "./list-txos";
import { findOutputBlock, isSynced, type MobilecoinWallet, mobTokenId, toReadableHeight } from "./wallet";

const pageSize = 500;
/**
 * The maximum number of blocks between a transaction's submission and its inclusion: MobileCoin's
 * `MAX_TOMBSTONE_BLOCKS`.
 */
const maxTombstoneBlocks = 20_160;
/** The address of an account's own change. It is not known to anyone else. */
const changeSubaddress = 2n ** 64n - 2n;

/**
 * Implements `ChainGateway.listOutgoing` from the wallet's transaction logs. A log can say `failed`, or still `built`,
 * even though its payment is in the ledger. So while its tombstone block is in the range, the ledger is queried.
 * Payments without a log in the wallet are found by their change.
 */
export async function listOutgoing(
  wallet: MobilecoinWallet,
  { from, isThorough }: { from: number | null; isThorough: boolean },
): Promise<OutgoingPayments> {
  const status = await wallet.getStatus();
  const through = toReadableHeight(status) - 1;
  // A wallet that is still reading the ledger has not found all payments.
  const head = isSynced(status) ? through : Math.max(through + 1, status.network_block_height - 1);
  if (from === null) return { payments: [], unrecorded: [], through, head };
  // Before the logs: a payment is recorded before it leaves change.
  const change = await listChange(wallet, from);
  const logs = isThorough ? await listPossibleLogs(wallet, from) : [...(await readLogs(wallet, { from })).values()];
  const mainAddress = status.account.main_address;
  const payments: OutgoingPayments["payments"] = [];
  for (const log of logs) {
    const outputs = log.output_txos.filter(({ amount }) => amount.token_id === mobTokenId);
    const [first] = outputs;
    // All outputs of a transaction are in the same block.
    if (!first || !(await wasSent(wallet, log, { publicKey: first.public_key, from }))) continue;
    payments.push(...toPayments(outputs, mainAddress));
  }
  const unrecorded = await findUnrecorded(wallet, { from, change, logs, isThorough, mainAddress });
  return { payments, unrecorded, through, head };
}

/**
 * The payments of one transaction: one for each receiver's output, because a payment of ours and `operate mark-paid`
 * name an output. What it pays to our own main address has not left the wallet, and is listed only if it also pays
 * someone else.
 */
function toPayments(outputs: TransactionLog["output_txos"], mainAddress: string): OutgoingPayments["payments"] {
  const all = outputs.map(({ public_key, recipient_public_address_b58: to, amount }) => ({
    hash: public_key,
    to,
    amount: amount.value,
  }));
  const [first, ...others] = all.filter(({ to }) => to !== mainAddress);
  if (first) return [first, ...others.map((payment) => ({ ...payment, feeWith: first.hash }))];
  const amount = all.reduce((sum, payment) => sum + payment.amount, 0n);
  return all.slice(0, 1).map((payment) => ({ ...payment, amount, isConsolidation: true }));
}

/** The payments that have left this change and are missing from the logs. */
async function findUnrecorded(
  wallet: MobilecoinWallet,
  read: { from: number; change: UnrecordedPayment[]; logs: TransactionLog[]; isThorough: boolean; mainAddress: string },
): Promise<UnrecordedPayment[]> {
  const unmatched = withoutLogs(read.change, read.logs);
  // A log that is still `built` has no block, so a list by blocks leaves it out.
  const unrecorded =
    read.isThorough || unmatched.length === 0
      ? unmatched
      : withoutLogs(unmatched, await listPossibleLogs(wallet, read.from));
  if (unrecorded.length === 0) return [];
  const ours = await hashAddress(wallet, read.mainAddress);
  return unrecorded.map((payment) => ({ ...payment, isConsolidation: ours !== null && payment.receiverHash === ours }));
}

function withoutLogs(change: UnrecordedPayment[], logs: TransactionLog[]): UnrecordedPayment[] {
  const keys = new Set(logs.flatMap(({ change_txos }) => change_txos.map(({ public_key }) => public_key)));
  return change.filter(({ hash }) => !keys.has(hash));
}

/**
 * The change that our payments have left since block `from`. full-service makes change even if it is worth nothing. If
 * a transaction had several receivers, the receiver is null, because the memo has only the last of them, and the total.
 */
async function listChange(wallet: MobilecoinWallet, from: number): Promise<UnrecordedPayment[]> {
  const received = await listTxos(wallet, { min_received_block_index: String(Math.max(0, from)) });
  return received
    .filter(({ subaddress_index }) => subaddress_index === changeSubaddress)
    .map(({ public_key, received_block_index, memo }) => ({
      hash: public_key,
      block: received_block_index,
      receiverHash: memo?.num_recipients === 1n ? memo.recipient_address_hash : null,
      amount: memo === null ? null : memo.total_outlay - memo.fee,
    }));
}

/** Implements `ChainGateway.hashAddress`. */
export async function hashAddress({ service }: MobilecoinWallet, address: string): Promise<string | null> {
  return (await service.call("verify_address", { address }, responses.addressHash)).address_hash;
}

async function wasSent(
  wallet: MobilecoinWallet,
  { status, finalized_block_index, tombstone_block_index }: TransactionLog,
  { publicKey, from }: { publicKey: string; from: number },
): Promise<boolean> {
  if (status === "pending") return true;
  if (status === "succeeded") return finalized_block_index === null || finalized_block_index >= from;
  if (tombstone_block_index !== null && tombstone_block_index < from) return false;
  const block = await findOutputBlock(wallet, publicKey);
  return block !== null && block >= from;
}

/**
 * The logs of all payments that may be in block `from` or a later one, whatever status the wallet gives them: those
 * submitted recently enough to be included in that block, and those that the wallet has not recorded as submitted. This
 * way, a start does not have to read the whole history.
 */
async function listPossibleLogs(wallet: MobilecoinWallet, from: number): Promise<TransactionLog[]> {
  // In this order, so that a log that is submitted in the meantime is in both lists, and not missing from both.
  const unsubmitted = await readLogs(wallet, { offset: await findFirstUnsubmitted(wallet) });
  const submitted = await readLogs(wallet, { from: Math.max(0, from - maxTombstoneBlocks) });
  return [...new Map([...unsubmitted, ...submitted]).values()];
}

/**
 * Where the logs that are not recorded as submitted begin: full-service lists them after all others, which it lists by
 * submission, newest first.
 */
async function findFirstUnsubmitted(wallet: MobilecoinWallet): Promise<number> {
  const isPastSubmitted = async (offset: number) => {
    const [log] = Object.values((await readPage(wallet, { offset, limit: 1 })).transaction_log_map);
    return log === undefined || log.submitted_block_index === null;
  };
  let low = 0;
  let high = 0;
  while (!(await isPastSubmitted(high))) {
    low = high + 1;
    high = high * 2 + pageSize;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isPastSubmitted(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The logs by their ids, either of payments submitted since block `from` or of all after the first `offset`. */
async function readLogs(
  wallet: MobilecoinWallet,
  range: { from?: number; offset?: number },
): Promise<Map<string, TransactionLog>> {
  const logs = new Map<string, TransactionLog>();
  for (let offset = range.offset ?? 0; ; offset += pageSize) {
    const page = await readPage(wallet, { from: range.from, offset, limit: pageSize });
    for (const [id, log] of Object.entries(page.transaction_log_map)) logs.set(id, log);
    if (page.transaction_log_ids.length < pageSize) return logs;
  }
}

async function readPage(
  { service, accountId }: MobilecoinWallet,
  { from, offset, limit }: { from?: number | undefined; offset: number; limit: number },
) {
  const since = from === undefined ? {} : { min_block_index: String(from) };
  return service.call("get_transaction_logs", { account_id: accountId, ...since, offset, limit }, transactionLogs);
}
