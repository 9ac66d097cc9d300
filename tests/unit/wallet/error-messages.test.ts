import {
  BaseError,
  ChainDisconnectedError,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  createWalletClient,
  custom,
  ExecutionRevertedError,
  HttpRequestError,
  InsufficientFundsError,
  InternalRpcError,
  LimitExceededRpcError,
  NonceTooLowError,
  numberToHex,
  ProviderDisconnectedError,
  ResourceUnavailableRpcError,
  SwitchChainError,
  TimeoutError,
  TransactionExecutionError,
  UnauthorizedProviderError,
  UnsupportedProviderMethodError,
  UserRejectedRequestError,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import { sepolia } from "viem/chains";
import { describe, expect, it } from "vitest";
import {
  ChainNotConfiguredError,
  ConnectorAccountNotFoundError,
  ConnectorChainMismatchError,
  ConnectorNotFoundError,
  createConfig,
  http,
  ProviderNotFoundError,
  SwitchChainNotSupportedError,
} from "wagmi";
import { getConnectorClient } from "wagmi/actions";
import { toWalletErrorKind, WalletCheckError, type WalletErrorKind, walletErrorKinds } from "~/wallet/error-kinds";
import { toWalletErrorMessage, type WalletPhase } from "~/wallet/error-messages";
import { transferAbi } from "~/wallet/token";

const cause = new Error("from the wallet");
const account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A revert with a reason, as viem wraps it. */
function reverted(reason: string) {
  const inner = new ContractFunctionRevertedError({ abi: transferAbi, functionName: "transfer", message: reason });
  return new ContractFunctionExecutionError(inner, { abi: transferAbi, functionName: "transfer", args: [account, 1n] });
}

/** What viem throws if a wallet responds to a transfer with an internal error. `data` is the node's error. */
async function failTransfer(data?: { code: number; message: string }): Promise<unknown> {
  const request = async ({ method }: { method: string }) => {
    if (method === "eth_chainId") return numberToHex(sepolia.id);
    throw Object.assign(new Error("Internal JSON-RPC error."), { code: -32603, ...(data && { data }) });
  };
  const client = createWalletClient({ account, chain: sepolia, transport: custom({ request }) });
  const transfer = { abi: transferAbi, address: account, functionName: "transfer", args: [account, 1n] } as const;
  return client.writeContract(transfer).catch((error: unknown) => error);
}

function wrapInTransaction(inner: BaseError) {
  return new TransactionExecutionError(inner, { account: null, chain: sepolia, to: account });
}

/** wagmi does not export this error class, so this makes wagmi throw one. */
const notConnected = await getConnectorClient(
  createConfig({ chains: [sepolia], transports: { [sepolia.id]: http("http://rpc.invalid") }, storage: null }),
).catch((error: unknown) => error);

const wallet = { id: "io.example", name: "Example" } as unknown as ConstructorParameters<
  typeof SwitchChainNotSupportedError
>[0]["connector"];

const cases: [string, unknown, WalletErrorKind][] = [
  ["user rejected (4001)", new UserRejectedRequestError(cause), "rejected"],
  ["user rejected, wrapped by a transaction", wrapInTransaction(new UserRejectedRequestError(cause)), "rejected"],
  ["user rejected, as a plain object", { code: 4001, message: "No." }, "rejected"],
  ["user rejected by CAIP-25 (5000)", { code: 5000, message: "No." }, "rejected"],
  [
    "user rejected adding a chain, as wagmi wraps it",
    new UserRejectedRequestError(Object.assign(new Error("No."), { code: 4001 })),
    "rejected",
  ],
  [
    "a wallet that cannot add chains, which wagmi reports as a rejection",
    new UserRejectedRequestError(Object.assign(new Error("No such method."), { code: -32601 })),
    "chainMissing",
  ],
  [
    "user denied, only in the message",
    new Error("MetaMask Tx Signature: User denied transaction signature."),
    "rejected",
  ],
  ["prompt already open or wallet locked (-32002)", new ResourceUnavailableRpcError(cause), "busy"],
  ["wallet locked, as a plain object", { code: -32002, message: "Already processing eth_requestAccounts." }, "busy"],
  ["a pairing without a response", { code: 0, message: "Proposal expired" }, "expired"],
  ["WalletConnect's relay", new WalletCheckError("relayUnreachable"), "relayUnreachable"],
  ["a request without a response", new Error("Request expired. Please try again."), "timeout"],
  ["a session that the wallet ended (6000)", { code: 6000, message: "User disconnected." }, "disconnected"],
  ["provider not found", new ProviderNotFoundError(), "walletMissing"],
  ["connector not found", new ConnectorNotFoundError(), "walletMissing"],
  ["chain not configured", new ChainNotConfiguredError(), "chainMissing"],
  ["chain not configured, during a switch", new SwitchChainError(new ChainNotConfiguredError()), "chainMissing"],
  ["unrecognised chain (4902)", { code: 4902, message: "Unrecognized chain ID." }, "chainMissing"],
  [
    "unrecognised chain inside MetaMask's mobile error",
    { code: -32603, data: { originalError: { code: 4902 } } },
    "chainMissing",
  ],
  ["a wallet that cannot switch", new SwitchChainNotSupportedError({ connector: wallet }), "chainMissing"],
  [
    "the wallet is on another chain",
    new ConnectorChainMismatchError({ connectionChainId: 1, connectorChainId: 5 }),
    "wrongChain",
  ],
  ["chain disconnected (4901)", new ChainDisconnectedError(cause), "wrongChain"],
  ["provider disconnected (4900)", new ProviderDisconnectedError(cause), "disconnected"],
  ["connector not connected", notConnected, "disconnected"],
  [
    "account removed",
    new ConnectorAccountNotFoundError({ address: account, connector: wallet as never }),
    "disconnected",
  ],
  ["unauthorised (4100)", new UnauthorizedProviderError(cause), "unauthorized"],
  ["unsupported method (4200)", new UnsupportedProviderMethodError(cause), "unsupported"],
  ["no ETH for gas", wrapInTransaction(new InsufficientFundsError({ cause: new BaseError("x") })), "gasMissing"],
  [
    "no ETH for gas, only in the message",
    new InternalRpcError(new Error("insufficient funds for gas * price + value")),
    "gasMissing",
  ],
  ["token balance too low", reverted("balance too small"), "balanceTooLow"],
  [
    "token balance too low, in OpenZeppelin's message",
    reverted("ERC20: transfer amount exceeds balance"),
    "balanceTooLow",
  ],
  ["token paused", reverted("paused"), "paused"],
  ["sender blacklisted", reverted("blacklisted"), "blacklisted"],
  [
    "reverted without a reason, as Tether does",
    wrapInTransaction(new ExecutionRevertedError({ message: "execution reverted" })),
    "reverted",
  ],
  [
    "reverted, in the node's error inside the wallet's",
    await failTransfer({ code: 3, message: "execution reverted" }),
    "reverted",
  ],
  ["our own check", new WalletCheckError("tokenAbsent"), "tokenAbsent"],
  ["already known", new InternalRpcError(new Error("already known")), "maybeSent"],
  [
    "already known, in the node's error inside the wallet's",
    await failTransfer({ code: -32000, message: "already known" }),
    "maybeSent",
  ],
  ["nonce too low", wrapInTransaction(new NonceTooLowError({ cause: new BaseError("x") })), "maybeSent"],
  ["timeout", new TimeoutError({ body: {}, url: "http://rpc.invalid" }), "timeout"],
  ["timeout while waiting for a receipt", new WaitForTransactionReceiptTimeoutError({ hash: "0x01" }), "timeout"],
  ["rate limited (-32005)", new LimitExceededRpcError(cause), "rateLimited"],
  [
    "node unreachable",
    new HttpRequestError({ url: "http://rpc.invalid", cause: new TypeError("Failed to fetch") }),
    "unreachable",
  ],
  ["an internal error of the wallet, which may have sent the payment", await failTransfer(), "unknown"],
  ["another error", new Error("what is this"), "unknown"],
  ["undefined", undefined, "unknown"],
];

describe("E18 wallet errors", () => {
  it.each(cases)("E18 recognises: %s", (_, error, kind) => {
    expect(toWalletErrorKind(error)).toBe(kind);
  });

  it("E18 covers every kind of error", () => {
    expect(new Set(cases.map(([, , kind]) => kind))).toEqual(new Set(walletErrorKinds));
  });

  it("E18 says in every phase what happened, whether the money is safe and what to do", () => {
    const phases: WalletPhase[] = ["connect", "switch", "pay", "follow", "read", "address"];
    for (const kind of walletErrorKinds) {
      for (const phase of phases) {
        const message = toWalletErrorMessage(new WalletCheckError(kind), phase);
        for (const text of [message.title, message.money, message.advice]) expect(text.length).toBeGreaterThan(10);
        expect(`${message.title} ${message.money} ${message.advice}`).not.toMatch(/undefined|0x|Error|\bcode\b/);
      }
    }
  });

  it("E18 does not offer a payment while only an address is being filled in", () => {
    // Errors that can occur before a payment is started.
    const kinds = [
      "rejected",
      "busy",
      "walletMissing",
      "chainMissing",
      "disconnected",
      "unauthorized",
      "unsupported",
      "unknown",
    ];
    for (const kind of kinds as WalletErrorKind[]) {
      const { title, money, advice } = toWalletErrorMessage(new WalletCheckError(kind), "address");
      expect(`${title} ${money} ${advice}`).not.toMatch(/\bpay|amount|this page|money/i);
    }
  });

  it("E18 explains how to continue after declining a network, including how to pay manually", () => {
    const message = toWalletErrorMessage(new UserRejectedRequestError(cause), "switch");
    expect(message).toMatchObject({ title: "The network wasn't changed", money: "No money has moved." });
    expect(message.advice).toMatch(/add the network.*pay manually/s);
  });

  it("E18 says that nothing was sent only if that is certain", () => {
    const money = (kind: WalletErrorKind) => toWalletErrorMessage(new WalletCheckError(kind), "pay").money;
    for (const uncertain of ["timeout", "unreachable", "maybeSent", "disconnected", "unknown"] as const) {
      expect(money(uncertain)).toMatch(/may have been sent/);
    }
    for (const certain of ["rejected", "gasMissing", "balanceTooLow", "paused", "blacklisted", "wrongChain"] as const) {
      expect(money(certain)).toMatch(/^Nothing was sent/);
    }
  });

  it("E18 never says that no money has moved if an earlier payment may arrive, nor asks to confirm it", () => {
    for (const kind of walletErrorKinds) {
      for (const phase of ["connect", "switch", "pay", "read"] as const) {
        const { money } = toWalletErrorMessage(new WalletCheckError(kind), phase, true);
        expect(money).toMatch(
          /^The payment may have been sent|^Nothing was sent this time. .*the earlier payment, don't/,
        );
      }
    }
    expect(toWalletErrorMessage(new WalletCheckError("busy"), "pay").advice).toContain("decline it. Then try again.");
  });

  it("handles an error that is its own cause", () => {
    const circular: { cause?: unknown; message: string } = { message: "circular" };
    circular.cause = circular;
    expect(toWalletErrorKind(circular)).toBe("unknown");
  });
});
