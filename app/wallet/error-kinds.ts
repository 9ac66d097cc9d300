/**
 * E18: classifies wallet errors. Wallets throw viem's and wagmi's classes, plain objects with an
 * EIP-1193 code, and either wrapped in the other, so the whole chain of causes is searched.
 */
export const walletErrorKinds = [
  "rejected",
  "expired",
  "relayUnreachable",
  "busy",
  "walletMissing",
  "chainMissing",
  "wrongChain",
  "disconnected",
  "unauthorized",
  "unsupported",
  "gasMissing",
  "balanceTooLow",
  "paused",
  "blacklisted",
  "tokenAbsent",
  "reverted",
  "maybeSent",
  "timeout",
  "rateLimited",
  "unreachable",
  "unknown",
] as const;
export type WalletErrorKind = (typeof walletErrorKinds)[number];

/** An error that our own code throws, with its kind. */
export class WalletCheckError extends Error {
  readonly kind: WalletErrorKind;
  constructor(kind: WalletErrorKind, options?: ErrorOptions) {
    super(`The wallet check failed: ${kind}`, options);
    this.name = "WalletCheckError";
    this.kind = kind;
  }
}

/** One error in a chain of causes. */
type Link = { name: string; code: number | null; message: string };
type Rule = { kind: WalletErrorKind; names?: readonly string[]; codes?: readonly number[]; message?: RegExp };

/** "User rejected the request" in EIP-1193 and in CAIP-25. */
const rejectionCodes = [4001, 5000];

/** The first match counts, so specific causes come before the errors that wrap them. */
const rules: readonly Rule[] = [
  { kind: "rejected", names: ["UserRejectedRequestError"], codes: rejectionCodes, message: /user (rejected|denied)/i },
  { kind: "expired", message: /^proposal expired/i },
  { kind: "busy", names: ["ResourceUnavailableRpcError"], codes: [-32002] },
  {
    kind: "walletMissing",
    names: ["ProviderNotFoundError", "ConnectorNotFoundError", "WagmiProviderNotFoundError"],
  },
  { kind: "balanceTooLow", message: /balance too small|transfer amount exceeds balance|ERC20InsufficientBalance/i },
  { kind: "paused", message: /reverted.*\bpaused\b|Pausable: paused|EnforcedPause/is },
  { kind: "blacklisted", message: /blacklisted/i },
  {
    kind: "gasMissing",
    names: ["InsufficientFundsError"],
    message: /insufficient funds|exceeds (the )?balance of the account|gas required exceeds allowance/i,
  },
  { kind: "maybeSent", names: ["NonceTooLowError"], message: /already known|nonce too low|already imported/i },
  {
    kind: "chainMissing",
    names: ["SwitchChainError", "ChainNotConfiguredError", "SwitchChainNotSupportedError"],
    codes: [4902],
  },
  {
    kind: "wrongChain",
    names: ["ConnectorChainMismatchError", "ChainMismatchError", "ChainDisconnectedError"],
    codes: [4901],
  },
  {
    kind: "disconnected",
    names: [
      "ProviderDisconnectedError",
      "ConnectorNotConnectedError",
      "ConnectorAccountNotFoundError",
      "ConnectorUnavailableReconnectingError",
    ],
    // 6000 is CAIP-25's code for a session that one side has ended.
    codes: [4900, 6000],
  },
  { kind: "unauthorized", names: ["UnauthorizedProviderError"], codes: [4100] },
  {
    kind: "unsupported",
    names: ["UnsupportedProviderMethodError", "MethodNotFoundRpcError", "MethodNotSupportedRpcError"],
    codes: [4200, -32601, -32004],
  },
  { kind: "rateLimited", names: ["LimitExceededRpcError"], codes: [-32005, 429] },
  // viem also throws ContractFunctionRevertedError for internal errors of wallets and nodes (-32603): it is not listed.
  { kind: "reverted", names: ["ExecutionRevertedError"], message: /execution reverted/i },
  {
    kind: "timeout",
    names: ["TimeoutError", "WaitForTransactionReceiptTimeoutError", "AbortError"],
    message: /^request expired/i,
  },
  {
    kind: "unreachable",
    names: ["HttpRequestError", "WebSocketRequestError"],
    message: /failed to fetch|networkerror/i,
  },
];

/** The kind of any thrown value. Never throws. */
export function toWalletErrorKind(error: unknown): WalletErrorKind {
  if (error instanceof WalletCheckError) return error.kind;
  const links = toLinks(error);
  if (isFailedChainAddition(links)) return "chainMissing";
  return rules.find((rule) => links.some((link) => matches(rule, link)))?.kind ?? "unknown";
}

/**
 * wagmi reports any failure to add a chain as a rejection by the user. The wallet's own error code shows
 * whether it was one.
 */
function isFailedChainAddition([outer, ...inner]: Link[]): boolean {
  if (outer?.name !== "UserRejectedRequestError") return false;
  const codes = inner.flatMap(({ code }) => code ?? []);
  return codes.length > 0 && !codes.some((code) => rejectionCodes.includes(code));
}

function matches({ names, codes, message }: Rule, link: Link): boolean {
  if (names?.includes(link.name)) return true;
  if (link.code !== null && codes?.includes(link.code)) return true;
  return message?.test(link.message) ?? false;
}

/** The error, its causes, and the node's error, which MetaMask puts in `data`, or `data.originalError` on phones. */
function toLinks(error: unknown): Link[] {
  const links: Link[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && links.length < 20) {
    const current = queue.shift();
    if (typeof current === "string") links.push({ name: "", code: null, message: current });
    if (typeof current !== "object" || current === null) continue;
    const { name, code, message, cause, data } = current as Record<string, unknown>;
    links.push({
      name: typeof name === "string" ? name : "",
      code: typeof code === "number" ? code : null,
      message: typeof message === "string" ? message : "",
    });
    const inner =
      typeof data === "object" && data !== null ? (data as Record<string, unknown>).originalError : undefined;
    queue.push(cause, data, inner);
  }
  return links;
}
