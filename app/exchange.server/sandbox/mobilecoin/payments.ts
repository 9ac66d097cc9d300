import type { Tx } from "./ledger";
import type { Network } from "./network";
import type { BuildParams } from "./params";
import { RpcError } from "./rpc-error";
import { toLog } from "./shapes";
import { buildTx, requireAccount } from "./wallet";

/** How the next `submit_transaction` goes wrong, for tests of what happens to payments then. */
export type SubmitFault =
  /** Refused before it reaches the network. */
  | "refuse"
  /** Answered well, but the network loses it. */
  | "drop"
  /** The network takes it, then the wallet fails before its own note (fact 37). */
  | "propose_then_error"
  /** All of it happens, but the answer never arrives. */
  | "lose_answer";

/** The connection ends without an answer. */
export class LostAnswerError extends Error {}

/** Builds a transaction and keeps its log; nothing is sent and nothing reserved. */
export async function build(network: Network, params: BuildParams): Promise<Tx> {
  const { ledger } = network;
  const outlay =
    params.recipient_public_address !== undefined && params.amount
      ? ([params.recipient_public_address, params.amount] as const)
      : params.addresses_and_amounts?.length === 1
        ? params.addresses_and_amounts[0]
        : undefined;
  if (!outlay) throw new RpcError("InvalidArgument", "Exactly one recipient and amount are needed", -32602);
  const [recipient, amount] = outlay;
  const tx = buildTx(ledger, requireAccount(ledger, params.account_id), {
    recipient,
    value: amount.value,
    tokenId: amount.token_id,
    tombstone: params.tombstone_block ?? null,
  });
  await network.change((commit) => commit([{ kind: "built", tx }]));
  return tx;
}

/** First the network, then the wallet's own note: a death between the two is the crash window of fact 37. */
export function submit(
  network: Network,
  tx: Tx,
  options: { accountId?: string; comment?: string; fault?: SubmitFault },
) {
  const { ledger } = network;
  const { accountId, fault } = options;
  return network.change(async (commit) => {
    if (fault === "refuse") throw new RpcError("NodeConnection(NoPeers)", "No peers are reachable");
    if (fault !== "drop") await network.propose(tx, commit);
    if (fault === "propose_then_error") throw new RpcError("Database(Diesel(Busy))", "Error with the database");
    // Without the account nothing is noted and no input is marked (fact 35).
    if (accountId !== undefined) await commit([{ kind: "submitted", txId: tx.id, comment: options.comment ?? "" }]);
    if (fault === "lose_answer") throw new LostAnswerError("the answer is lost");
    const log = accountId === undefined ? undefined : ledger.logs.get(tx.id);
    return { transaction_log: log ? toLog(ledger, log) : null };
  });
}
