import {
  BaseError,
  ChainDisconnectedError,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  HttpRequestError,
  InsufficientFundsError,
  InternalRpcError,
  LimitExceededRpcError,
  NonceTooLowError,
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
import { toWalletTrouble, WalletCheckError, type WalletTrouble, walletTroubles } from "~/wallet/error-kinds";
import { toWalletErrorWords, type WalletPhase } from "~/wallet/error-words";
import { transferAbi } from "~/wallet/token";

const cause = new Error("from the wallet");
const account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** As viem wraps a revert whose reason the node tells. */
function reverted(reason: string) {
  const inner = new ContractFunctionRevertedError({ abi: transferAbi, functionName: "transfer", message: reason });
  return new ContractFunctionExecutionError(inner, { abi: transferAbi, functionName: "transfer", args: [account, 1n] });
}

function executing(inner: BaseError) {
  return new TransactionExecutionError(inner, { account: null, chain: sepolia, to: account });
}

/** wagmi does not export the class: its own refusal, then. */
const notConnected = await getConnectorClient(
  createConfig({ chains: [sepolia], transports: { [sepolia.id]: http("http://rpc.invalid") }, storage: null }),
).catch((error: unknown) => error);

const wallet = { id: "io.example", name: "Example" } as unknown as ConstructorParameters<
  typeof SwitchChainNotSupportedError
>[0]["connector"];

const cases: [string, unknown, WalletTrouble][] = [
  ["user rejected (4001)", new UserRejectedRequestError(cause), "rejected"],
  ["user rejected, wrapped by a transaction", executing(new UserRejectedRequestError(cause)), "rejected"],
  ["user rejected, a bare object of the provider's", { code: 4001, message: "No." }, "rejected"],
  ["user rejected by CAIP-25 (5000)", { code: 5000, message: "No." }, "rejected"],
  [
    "declined the chain that was to be added, as wagmi wraps it",
    new UserRejectedRequestError(Object.assign(new Error("No."), { code: 4001 })),
    "rejected",
  ],
  [
    "a wallet that cannot add chains, which wagmi calls a refusal",
    new UserRejectedRequestError(Object.assign(new Error("No such method."), { code: -32601 })),
    "chainMissing",
  ],
  [
    "user denied, said only in words",
    new Error("MetaMask Tx Signature: User denied transaction signature."),
    "rejected",
  ],
  ["prompt already open or wallet locked (-32002)", new ResourceUnavailableRpcError(cause), "busy"],
  ["locked, a bare object", { code: -32002, message: "Already processing eth_requestAccounts." }, "busy"],
  ["provider not found", new ProviderNotFoundError(), "walletMissing"],
  ["connector not found", new ConnectorNotFoundError(), "walletMissing"],
  ["chain not configured", new ChainNotConfiguredError(), "chainMissing"],
  ["chain not configured, as a switch fails", new SwitchChainError(new ChainNotConfiguredError()), "chainMissing"],
  ["unrecognised chain (4902)", { code: 4902, message: "Unrecognized chain ID." }, "chainMissing"],
  ["4902 inside MetaMask's mobile error", { code: -32603, data: { originalError: { code: 4902 } } }, "chainMissing"],
  ["a wallet that cannot switch", new SwitchChainNotSupportedError({ connector: wallet }), "chainMissing"],
  [
    "the wallet is on another chain",
    new ConnectorChainMismatchError({ connectionChainId: 1, connectorChainId: 5 }),
    "wrongChain",
  ],
  ["chain disconnected (4901)", new ChainDisconnectedError(cause), "wrongChain"],
  ["provider disconnected (4900)", new ProviderDisconnectedError(cause), "disconnected"],
  ["connector not connected", notConnected, "disconnected"],
  ["account gone", new ConnectorAccountNotFoundError({ address: account, connector: wallet as never }), "disconnected"],
  ["unauthorised (4100)", new UnauthorizedProviderError(cause), "unauthorized"],
  ["unsupported method (4200)", new UnsupportedProviderMethodError(cause), "unsupported"],
  ["no ETH for gas", executing(new InsufficientFundsError({ cause: new BaseError("x") })), "gasMissing"],
  [
    "no ETH for gas, in the node's words",
    new InternalRpcError(new Error("insufficient funds for gas * price + value")),
    "gasMissing",
  ],
  ["token balance too low", reverted("balance too small"), "balanceTooLow"],
  [
    "token balance too low, in OpenZeppelin's words",
    reverted("ERC20: transfer amount exceeds balance"),
    "balanceTooLow",
  ],
  ["token paused", reverted("paused"), "paused"],
  ["sender blacklisted", reverted("blacklisted"), "blacklisted"],
  [
    "reverted without a word, as Tether does",
    executing(new ExecutionRevertedError({ message: "execution reverted" })),
    "reverted",
  ],
  ["our own check", new WalletCheckError("tokenAbsent"), "tokenAbsent"],
  ["already known", new InternalRpcError(new Error("already known")), "maybeSent"],
  ["nonce too low", executing(new NonceTooLowError({ cause: new BaseError("x") })), "maybeSent"],
  ["time out", new TimeoutError({ body: {}, url: "http://rpc.invalid" }), "timeout"],
  ["time out of a receipt", new WaitForTransactionReceiptTimeoutError({ hash: "0x01" }), "timeout"],
  ["asked too often (-32005)", new LimitExceededRpcError(cause), "rateLimited"],
  [
    "node not reached",
    new HttpRequestError({ url: "http://rpc.invalid", cause: new TypeError("Failed to fetch") }),
    "unreachable",
  ],
  ["something else", new Error("what is this"), "unknown"],
  ["nothing at all", undefined, "unknown"],
];

describe("E18 wallet errors", () => {
  it.each(cases)("E18 reads %s", (_, error, trouble) => {
    expect(toWalletTrouble(error)).toBe(trouble);
  });

  it("E18 knows an example of every trouble", () => {
    expect(new Set(cases.map(([, , trouble]) => trouble))).toEqual(new Set(walletTroubles));
  });

  it("E18 says what happened, whether money is safe and what to do, in every phase", () => {
    const phases: WalletPhase[] = ["connect", "switch", "pay", "follow", "read"];
    for (const trouble of walletTroubles) {
      for (const phase of phases) {
        const words = toWalletErrorWords(new WalletCheckError(trouble), phase);
        for (const text of [words.title, words.money, words.advice]) expect(text.length).toBeGreaterThan(10);
        expect(`${words.title} ${words.money} ${words.advice}`).not.toMatch(/undefined|0x|Error|\bcode\b/);
      }
    }
  });

  it("E18 who declines that the wallet adds the network reads what that means, and the other way to pay", () => {
    const words = toWalletErrorWords(new UserRejectedRequestError(cause), "switch");
    expect(words).toMatchObject({ title: "The network was not changed", money: "No money has moved." });
    expect(words.advice).toMatch(/add it.*pay by hand/s);
  });

  it("E18 promises that nothing was sent only where that is certain", () => {
    const money = (trouble: WalletTrouble) => toWalletErrorWords(new WalletCheckError(trouble), "pay").money;
    for (const open of ["timeout", "unreachable", "maybeSent", "disconnected", "unknown"] as const) {
      expect(money(open)).toMatch(/may have been sent/);
    }
    for (const certain of ["rejected", "gasMissing", "balanceTooLow", "paused", "blacklisted", "wrongChain"] as const) {
      expect(money(certain)).toMatch(/^Nothing was sent/);
    }
  });

  it("survives an error that is its own cause", () => {
    const circular: { cause?: unknown; message: string } = { message: "round" };
    circular.cause = circular;
    expect(toWalletTrouble(circular)).toBe("unknown");
  });
});
