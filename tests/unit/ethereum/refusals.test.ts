import { HttpRequestError, RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { isKnownAlready, toBroadcastRefusal } from "~/exchange.server/chains/ethereum/refusals";

const rpcError = (message: string, code = -32000) =>
  new RpcRequestError({ body: {}, error: { code, message }, url: "http://node.example" });

describe("what a node says about a payment (T60)", () => {
  it.each([
    "already known",
    "nonce too low: next nonce 8",
    // Besu.
    "Known transaction",
    // Erigon.
    "ALREADY_EXISTS: already known",
    "INTERNAL_ERROR: existing tx with same hash",
    "INTERNAL_ERROR: existing txn with same hash",
    // Nethermind, until 2026.
    "AlreadyKnown",
    "OldNonce, Current nonce: 8, nonce of rejected tx: 7",
  ])("%j means that it has the payment, or another with its nonce", (message) =>
    expect(isKnownAlready(rpcError(message))).toBe(true),
  );

  it.each(["transaction rejected by policy", "unknown transaction type", "exceeds block gas limit"])(
    "%j refuses this payment",
    (message) => {
      expect(isKnownAlready(rpcError(message))).toBe(false);
      expect(toBroadcastRefusal(rpcError(message))).toMatchObject({ reason: "payment" });
    },
  );

  it("T18 is stored without control characters", () => {
    const refusal = toBroadcastRefusal(
      rpcError("\u001b[1A\u001b[2Krejected\r by\u009b policy\nURL: http://node.example/key"),
    );
    expect(refusal?.message).toBe("[1A [2Krejected by policy");
  });

  it.each([
    "replacement transaction underpriced",
    "max fee per gas less than block base fee",
    // Reth.
    "transaction priority fee below minimum required priority fee 1000000",
    // Besu.
    "Gas price below configured minimum gas price",
    // Erigon.
    "INTERNAL_ERROR: could not replace existing tx",
    "FEE_TOO_LOW: underpriced",
    // Nethermind, until 2026.
    "FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100, MaxPriorityFeePerGas:20, Block number: 5",
    "FeeTooLowToCompete",
    "ReplacementNotAllowed",
  ])("%j refuses its fee", (message) => expect(toBroadcastRefusal(rpcError(message))).toMatchObject({ reason: "fee" }));

  it.each([
    rpcError("txpool is full"),
    rpcError("insufficient funds for gas * price + value"),
    rpcError("the node is syncing, try again later"),
    rpcError("limit exceeded", -32005),
    rpcError("Internal error", -32603),
    // Besu.
    rpcError("Initial sync is still in progress", -32008),
    rpcError("Transaction pool not enabled. (Either txpool explicitly disabled, or node not yet in sync).", -32002),
    rpcError("Transaction nonce is too distant from current sender nonce"),
    rpcError("An invalid transaction with a lower nonce exists"),
    // Erigon.
    rpcError("INTERNAL_ERROR: pending sub-pool is full"),
    // Nethermind, until 2026.
    rpcError("InsufficientFunds, Account balance: 0, cumulative cost: 7"),
    rpcError("NonceGap, Future nonce. Expected nonce: 7"),
    new HttpRequestError({ url: "http://node.example", status: 403 }),
  ])("%s does not concern this payment", (error) => expect(toBroadcastRefusal(error)).toBeNull());
});
