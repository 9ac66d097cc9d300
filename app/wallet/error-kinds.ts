/**
 * E18: which trouble an error is. Wallets throw viem's and wagmi's classes, bare objects with a
 * code (EIP-1193), and the one wrapped in the other; the whole chain of causes is looked through.
 */
export const walletTroubles = [
  "rejected",
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
export type WalletTrouble = (typeof walletTroubles)[number];

/** Raised by our own checks before a payment: the trouble is known already. */
export class WalletCheckError extends Error {
  readonly trouble: WalletTrouble;
  constructor(trouble: WalletTrouble, options?: ErrorOptions) {
    super(`the payment was not asked for: ${trouble}`, options);
    this.name = "WalletCheckError";
    this.trouble = trouble;
  }
}

type Link = { name: string; code: number | null; message: string; trouble: unknown };
type Rule = { trouble: WalletTrouble; names?: readonly string[]; codes?: readonly number[]; words?: RegExp };

/** EIP-1193's, and CAIP-25's word for the same. */
const refusalCodes = [4001, 5000];

/** In order: what says more about the cause stands before what merely wraps it. */
const rules: readonly Rule[] = [
  { trouble: "rejected", names: ["UserRejectedRequestError"], codes: refusalCodes, words: /user (rejected|denied)/i },
  { trouble: "busy", names: ["ResourceUnavailableRpcError"], codes: [-32002] },
  {
    trouble: "walletMissing",
    names: ["ProviderNotFoundError", "ConnectorNotFoundError", "WagmiProviderNotFoundError"],
  },
  { trouble: "balanceTooLow", words: /balance too small|transfer amount exceeds balance|ERC20InsufficientBalance/i },
  { trouble: "paused", words: /reverted.*\bpaused\b|Pausable: paused|EnforcedPause/is },
  { trouble: "blacklisted", words: /blacklisted/i },
  {
    trouble: "gasMissing",
    names: ["InsufficientFundsError"],
    words: /insufficient funds|exceeds (the )?balance of the account|gas required exceeds allowance/i,
  },
  { trouble: "maybeSent", names: ["NonceTooLowError"], words: /already known|nonce too low|already imported/i },
  {
    trouble: "chainMissing",
    names: ["SwitchChainError", "ChainNotConfiguredError", "SwitchChainNotSupportedError"],
    codes: [4902],
  },
  {
    trouble: "wrongChain",
    names: ["ConnectorChainMismatchError", "ChainMismatchError", "ChainDisconnectedError"],
    codes: [4901],
  },
  {
    trouble: "disconnected",
    names: [
      "ProviderDisconnectedError",
      "ConnectorNotConnectedError",
      "ConnectorAccountNotFoundError",
      "ConnectorUnavailableReconnectingError",
    ],
    codes: [4900],
  },
  { trouble: "unauthorized", names: ["UnauthorizedProviderError"], codes: [4100] },
  {
    trouble: "unsupported",
    names: ["UnsupportedProviderMethodError", "MethodNotFoundRpcError", "MethodNotSupportedRpcError"],
    codes: [4200, -32601, -32004],
  },
  { trouble: "rateLimited", names: ["LimitExceededRpcError"], codes: [-32005, 429] },
  {
    trouble: "reverted",
    names: ["ContractFunctionRevertedError", "ExecutionRevertedError"],
    words: /execution reverted/i,
  },
  { trouble: "timeout", names: ["TimeoutError", "WaitForTransactionReceiptTimeoutError", "AbortError"] },
  {
    trouble: "unreachable",
    names: ["HttpRequestError", "WebSocketRequestError"],
    words: /failed to fetch|networkerror/i,
  },
];

/** Never throws, whatever was thrown. */
export function toWalletTrouble(error: unknown): WalletTrouble {
  const links = toLinks(error);
  for (const { trouble } of links) {
    const known = walletTroubles.find((one) => one === trouble);
    if (known) return known;
  }
  if (isFailedAddition(links)) return "chainMissing";
  const found = rules.find((rule) => links.some((link) => fits(rule, link)));
  return found?.trouble ?? "unknown";
}

/** wagmi calls whatever fails while a wallet adds a chain a refusal of its owner; the wallet's own code says that it was none. */
function isFailedAddition([outer, ...inner]: Link[]): boolean {
  if (outer?.name !== "UserRejectedRequestError") return false;
  const codes = inner.flatMap(({ code }) => code ?? []);
  return codes.length > 0 && !codes.some((code) => refusalCodes.includes(code));
}

function fits({ names, codes, words }: Rule, link: Link): boolean {
  if (names?.includes(link.name)) return true;
  if (link.code !== null && codes?.includes(link.code)) return true;
  return words?.test(link.message) ?? false;
}

/** The error, what it wraps, and what MetaMask's mobile app hides in `data.originalError`. */
function toLinks(error: unknown): Link[] {
  const links: Link[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && links.length < 20) {
    const one = waiting.shift();
    if (typeof one === "string") links.push({ name: "", code: null, message: one, trouble: null });
    if (typeof one !== "object" || one === null) continue;
    const { name, code, message, trouble, cause, data } = one as Record<string, unknown>;
    links.push({
      name: typeof name === "string" ? name : "",
      code: typeof code === "number" ? code : null,
      message: typeof message === "string" ? message : "",
      trouble,
    });
    const inner =
      typeof data === "object" && data !== null ? (data as Record<string, unknown>).originalError : undefined;
    waiting.push(cause, inner);
  }
  return links;
}
