import { BaseError, RpcError, RpcRequestError, UnknownRpcError } from "viem";
import { cutToFirstLine } from "../../describe-error";
import { BroadcastRefusedError } from "../gateway";

/**
 * Whether a node rejected a transaction because it already has it, or because its nonce was
 * used, perhaps by this very transaction. `getPaymentState` finds out which.
 */
export function isKnownAlready(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return knownAlready.test(`${error.message} ${error.details ?? ""}`);
}

/*
 * How nodes word their refusals. Geth and Reth use the same texts. Erigon ("existing tx with same hash", or "existing
 * txn …" since version 3), Besu and Nethermind have their own. Until 2026, Nethermind returned names of results, such
 * as "OldNonce".
 */
const knownAlready =
  /already ?known|already imported|existing txn? with same hash|\bknown transaction|nonce (?:is )?too low|OldNonce|lower than the current nonce/i;
const feeTooLow =
  /underpriced|could not replace|ReplacementNotAllowed|less than block base fee|fee cap|fee ?too ?low|(?:gas ?price|max fee|priority fee|tip).*(?:too low|below|less than)/i;
/** Reasons caused by a node, our wallet or an earlier payment, which would apply to any other payment too. */
const notThePayment =
  /rate limit|too many requests|insufficient ?funds|nonce ?too ?(?:high|far)|nonce ?gap|too distant|lower nonce|not (?:available|supported|enabled)|pool (?:is )?full|overloaded|busy|syncing|sync is still|timed? ?out|try again/i;
/** JSON-RPC: internal error, no such method, method not supported, limit exceeded. */
const nodeErrorCodes = [-32603, -32601, -32004, -32005];

/** The refusal that a node's error states; null if the node did not respond or the reason is not this payment. */
export function toBroadcastRefusal(error: unknown): BroadcastRefusedError | null {
  if (!(error instanceof BaseError)) return null;
  const rpcError = error.walk(
    (e) => e instanceof RpcRequestError || (e instanceof RpcError && !(e instanceof UnknownRpcError)),
  );
  if (!rpcError) return null;
  const code = "code" in rpcError ? rpcError.code : null;
  const text = `${error.shortMessage} ${error.details ?? ""}`;
  const message = toMessage(error);
  if (feeTooLow.test(text)) return new BroadcastRefusedError("fee", message, { cause: error });
  if (notThePayment.test(text) || nodeErrorCodes.some((known) => known === code)) return null;
  return new BroadcastRefusedError("payment", message, { cause: error });
}

/** A node's error as one sentence, without its URL. */
export function toMessage(error: unknown): string {
  if (!(error instanceof BaseError)) return "The node did not respond.";
  return cutToFirstLine(error.details || error.shortMessage);
}
