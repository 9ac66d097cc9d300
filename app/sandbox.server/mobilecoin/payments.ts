import type { Tx } from "./ledger";
import type { Network } from "./network";
import type { BuildParams } from "./params";
import { RpcError, toNetworkError } from "./rpc-error";
import { toLog } from "./shapes";
import { buildTx, requireAccount } from "./wallet";

/** How the next `submit_transaction` fails, for tests. */
export type SubmitFault =
  /** Refused before it reaches the network. */
  | "refuse"
  /** Reported as sent, but the network drops it. */
  | "drop"
  /** The network accepts it, but the wallet fails before it records that. */
  | "propose_then_error"
  /** Sent and recorded, but the response never arrives. */
  | "lose_response";

/** The connection closes without a response. */
export class LostResponseError extends Error {}

/** Builds a transaction and stores its log. Sends nothing and reserves no inputs. */
export async function build(network: Network, params: BuildParams): Promise<Tx> {
  const { ledger } = network;
  const outlays = [...(params.addresses_and_amounts ?? [])];
  if (params.recipient_public_address !== undefined && params.amount)
    outlays.push([params.recipient_public_address, params.amount]);
  const [tokenId, ...otherTokens] = new Set(outlays.map(([, { token_id }]) => token_id));
  // As in full-service: its memos are for one token.
  if (tokenId === undefined || otherTokens.length > 0)
    throw new RpcError("InvalidArgument", "Recipients and amounts of one token are needed", -32602);
  const tx = buildTx(ledger, requireAccount(ledger, params.account_id), {
    outlays: outlays.map(([recipient, { value }]) => ({ recipient, value })),
    tokenId,
    tombstone: params.tombstone_block ?? null,
  });
  await network.change((commit) => commit([{ kind: "built", tx }]));
  return tx;
}

/**
 * Sends to the network first and then records it in the wallet, like full-service. A crash in between leaves a paid
 * transaction unrecorded.
 */
export function submit(
  network: Network,
  tx: Tx,
  options: { accountId?: string; comment?: string; fault?: SubmitFault },
) {
  const { ledger } = network;
  const { accountId, fault } = options;
  return network.change(async (commit) => {
    if (fault === "refuse")
      throw new RpcError(toNetworkError("Grpc(RpcFailure(14-UNAVAILABLE))"), "No peers are reachable");
    if (fault !== "drop") await network.propose(tx, commit);
    if (fault === "propose_then_error") throw new RpcError("Database(Diesel(Busy))", "Error with the database");
    // Like full-service, records nothing and locks no inputs without an account.
    if (accountId !== undefined) await commit([{ kind: "submitted", txId: tx.id, comment: options.comment ?? "" }]);
    if (fault === "lose_response") throw new LostResponseError("the response is lost");
    const log = accountId === undefined ? undefined : ledger.logs.get(tx.id);
    return { transaction_log: log ? toLog(ledger, log) : null };
  });
}
