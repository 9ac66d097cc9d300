import type { z } from "zod";
import { parseMobAddress } from "../../exchange.server/addresses/mob-address";
import type { Txo } from "./ledger";
import { listTxos, takePage } from "./list-txos";
import type { Network } from "./network";
import { params } from "./params";
import { build, type SubmitFault, submit } from "./payments";
import { RpcError } from "./rpc-error";
import * as shape from "./shapes";
import { decodeTx, hashAddress, requireAccount } from "./wallet";

export type Method = (params: unknown) => unknown;

/**
 * The part of full-service's wallet API v2 that the exchange uses, and some related methods
 * (full-service 2.10.9, src/json_rpc/v2/api). Like full-service, parameters are read by name and
 * unknown ones are ignored.
 */
export function createMethods(network: Network, view: shape.View, nextFault: () => SubmitFault | undefined) {
  const { ledger } = network;
  const isScanned = ({ receivedBlockIndex }: Txo) => view.scanned === null || receivedBlockIndex < view.scanned;
  return {
    version: method(params.none, () => ({ string: "2.10.9", number: ["2", "10", "9", ""], commit: "sandbox" })),
    get_network_status: method(params.none, () => ({ network_status: shape.toNetworkStatus(ledger, view) })),
    get_wallet_status: method(params.none, () => ({
      wallet_status: {
        ...shape.toHeights(ledger, view),
        is_synced_all: view.synced,
        min_synced_block_index: String(ledger.height - 1),
        balance_per_token: shape.toBalances(ledger, [...ledger.accounts.values()]),
      },
    })),
    get_accounts: method(params.page, (p) => {
      const accounts = takePage([...ledger.accounts.values()], p);
      return {
        account_ids: accounts.map((account) => account.id),
        account_map: Object.fromEntries(
          accounts.map((account) => [account.id, shape.toAccount(ledger, account, view)]),
        ),
      };
    }),
    get_account_status: method(params.account, (p) => {
      const account = requireAccount(ledger, p.account_id);
      return {
        account: shape.toAccount(ledger, account, view),
        ...shape.toHeights(ledger, view),
        balance_per_token: shape.toBalances(ledger, [account]),
      };
    }),
    assign_address_for_account: method(params.assignAddress, (p) =>
      network.change(async (commit) => {
        const account = requireAccount(ledger, p.account_id);
        const index = account.nextSubaddressIndex;
        const b58 = account.keys.toAddress(index);
        const metadata = p.metadata ?? "";
        await commit([{ kind: "address", accountId: account.id, index: index.toString(), b58, metadata }]);
        return { address: shape.toAddressJson({ b58, accountId: account.id, index, metadata }) };
      }),
    ),
    get_address: method(params.assignedAddress, ({ public_address_b58: b58 }) => {
      const { accountId = "", index = -1n } = ledger.addresses.get(b58) ?? {};
      const address = ledger.accounts.get(accountId)?.addresses.get(index);
      if (!address) throw new RpcError(`Database(AssignedSubaddressNotFound("${b58}"))`, "Error with the database");
      return { address: shape.toAddressJson(address) };
    }),
    get_address_for_account: method(params.addressAtIndex, (p) => {
      const address = requireAccount(ledger, p.account_id).addresses.get(BigInt.asUintN(64, BigInt(p.index)));
      if (!address) throw new RpcError("Database(Diesel(NotFound))", "Error with the database");
      return { address: shape.toAddressJson(address) };
    }),
    get_addresses: method(params.listOfAccount, (p) => {
      const accounts = p.account_id ? [requireAccount(ledger, p.account_id)] : [...ledger.accounts.values()];
      const all = accounts.flatMap((account) => [...account.addresses.values()]);
      const addresses = takePage(all, p);
      return {
        public_addresses: addresses.map((address) => address.b58),
        address_map: Object.fromEntries(addresses.map((address) => [address.b58, shape.toAddressJson(address)])),
      };
    }),
    get_txo: method(params.txo, (p) => {
      const txo = ledger.txos.get(p.txo_id);
      if (!txo || !isScanned(txo))
        throw new RpcError(`Database(TxoNotFound("${p.txo_id}"))`, "Error with the database");
      return { txo: shape.toTxo(ledger, txo) };
    }),
    get_txos: method(params.listTxos, (p) => {
      const txos = listTxos(ledger, p).filter(isScanned);
      return {
        txo_ids: txos.map((txo) => txo.id),
        txo_map: Object.fromEntries(txos.map((txo) => [txo.id, shape.toTxo(ledger, txo)])),
      };
    }),
    get_txo_block_index: method(params.publicKey, (p) => {
      const index = ledger.outputs.get(p.public_key);
      if (index === undefined) throw new RpcError("LedgerDB(NotFound)", "Error with the LedgerDB: NotFound");
      return { block_index: String(index) };
    }),
    verify_address: method(params.address, (p) => {
      const verified = isAddress(p.address);
      return { verified, address_hash: verified ? hashAddress(p.address) : null };
    }),
    check_b58_type: method(params.b58, (p) => {
      if (!isAddress(p.b58_code)) throw new RpcError("B58(NotAPublicAddress)", "Error decoding base58");
      return { b58_type: "PublicAddress", data: { public_address_b58: p.b58_code } };
    }),
    build_transaction: method(params.build, async (p) => {
      const tx = await build(network, p);
      return { tx_proposal: shape.toProposal(ledger, tx, view.sealKey), transaction_log_id: tx.id };
    }),
    build_and_submit_transaction: method(params.build, async (p) => {
      const tx = await build(network, p);
      const sent = await submit(network, tx, { accountId: p.account_id, comment: p.comment, fault: nextFault() });
      return { ...sent, tx_proposal: shape.toProposal(ledger, tx, view.sealKey) };
    }),
    submit_transaction: method(params.submit, (p) =>
      submit(network, decodeTx(p.tx_proposal.tx_proto, view.sealKey), {
        accountId: p.account_id ?? undefined,
        comment: p.comment ?? undefined,
        fault: nextFault(),
      }),
    ),
    get_transaction_log: method(params.log, (p) => {
      const log = ledger.logs.get(p.transaction_log_id);
      if (!log) throw new RpcError("Database(TransactionLogNotFound)", "Error with the database");
      return { transaction_log: shape.toLog(ledger, log) };
    }),
    get_transaction_logs: method(params.listLogs, (p) => {
      const min = p.min_block_index;
      const all = [...ledger.logs.values()].filter(
        ({ tx, submittedBlockIndex }) =>
          (!p.account_id || tx.accountId === p.account_id) &&
          // As in full-service, this leaves out transactions that the wallet has not recorded as submitted.
          (min === undefined || (submittedBlockIndex !== null && submittedBlockIndex >= min)),
      );
      // Submitted last first; those without a block come last.
      const sorted = all.reverse().sort((a, b) => (b.submittedBlockIndex ?? -1) - (a.submittedBlockIndex ?? -1));
      const logs = takePage(sorted, p);
      return {
        transaction_log_ids: logs.map((log) => log.tx.id),
        transaction_log_map: Object.fromEntries(logs.map((log) => [log.tx.id, shape.toLog(ledger, log)])),
      };
    }),
  } satisfies Record<string, Method>;
}

function method<S extends z.ZodTypeAny>(schema: S, handle: (params: z.output<S>) => unknown): Method {
  return (raw) => {
    const parsed = schema.safeParse(raw ?? {});
    if (!parsed.success) throw new RpcError("InvalidRequest", parsed.error.issues[0]?.message ?? "", -32600);
    return handle(parsed.data);
  };
}

function isAddress(text: string): boolean {
  try {
    parseMobAddress(text);
    return true;
  } catch {
    return false;
  }
}
