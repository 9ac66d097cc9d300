import type { OutgoingPayments, UnrecordedSpend } from "../gateway";
import { type TransactionLog, transactionLogs } from "./full-service-responses";
import { listTxos } from "./list-txos";
import { findOutputBlock, type MobilecoinWallet, mobTokenId, toReadableHeight } from "./wallet";

const pageSize = 500;

/**
 * Implements `ChainGateway.listOutgoing` from the wallet's transaction logs. A log can say `failed`, or
 * still `built`, although its payment is in the ledger: while its tombstone block is in the range, the
 * ledger is asked.
 */
export async function listOutgoing(
  wallet: MobilecoinWallet,
  { from, isThorough }: { from: number | null; isThorough: boolean },
): Promise<OutgoingPayments> {
  const status = await wallet.getStatus();
  const through = toReadableHeight(status) - 1;
  if (from === null) return { payments: [], through, head: through };
  const payments: OutgoingPayments["payments"] = [];
  for (const log of await listLogs(wallet, isThorough ? null : from)) {
    const [output, ...others] = log.output_txos;
    if (!output || others.length > 0 || output.amount.token_id !== mobTokenId) continue;
    if (!(await wasSent(wallet, log, { publicKey: output.public_key, from }))) continue;
    const to = output.recipient_public_address_b58;
    const isMerge = to === status.account.main_address;
    payments.push({ hash: output.public_key, to, amount: output.amount.value, ...(isMerge && { isMerge }) });
  }
  return { payments, through, head: through };
}

/**
 * Implements `ChainGateway.listUnrecordedSpends`. The wallet finds in the ledger that an output was spent, but records a
 * payment only when it makes it. The outputs are read first: what spends one is recorded before.
 */
export async function listUnrecordedSpends(wallet: MobilecoinWallet, from: number): Promise<UnrecordedSpend[]> {
  const spent = (await listTxos(wallet, { status: "spent" })).flatMap(({ id, value, spent_block_index }) =>
    spent_block_index === null || spent_block_index < from ? [] : [{ id, amount: value, block: spent_block_index }],
  );
  if (spent.length === 0) return [];
  const logs = await listLogs(wallet, null);
  const recorded = new Set(logs.flatMap(({ input_txos }) => input_txos.map(({ txo_id }) => txo_id)));
  return spent.filter(({ id }) => !recorded.has(id)).map(({ amount, block }) => ({ amount, block }));
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

async function listLogs(wallet: MobilecoinWallet, from: number | null): Promise<TransactionLog[]> {
  const logs = new Map<string, TransactionLog>();
  for (let offset = 0; ; offset += pageSize) {
    const page = await wallet.service.call(
      "get_transaction_logs",
      {
        account_id: wallet.accountId,
        ...(from !== null && { min_block_index: String(from) }),
        offset,
        limit: pageSize,
      },
      transactionLogs,
    );
    for (const [id, log] of Object.entries(page.transaction_log_map)) logs.set(id, log);
    if (page.transaction_log_ids.length < pageSize) return [...logs.values()];
  }
}
