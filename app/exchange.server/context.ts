import type { Logger } from "pino";
import type { KycApplication, KycStatus } from "../api/contract";
import type { AssetSymbol } from "../lib/assets";
import type { ChainGateway } from "./chains/gateway";
import type { Clock } from "./db/clock";
import type { Database } from "./db/database";

/** What functions of the exchange work with; passed as `ctx`. `npm run operate` has only this part. */
export type ExchangeContext = {
  db: Database;
  clock: Clock;
  log: Logger;
  config: ExchangeConfig;
  chains: Record<AssetSymbol, Pick<ChainGateway, "requiredConfirmations">>;
};

/**
 * The context of a running exchange, which also has the chains, the mail server, the identity provider and the rate
 * feeds.
 */
export type RunningContext = ExchangeContext & {
  /** The gateway of each asset's chain. */
  chains: Record<AssetSymbol, ChainGateway>;
  mail: MailSender;
  kyc: KycProvider;
  rateSource: RateSource;
  /** The addresses of our own wallets and of the token contract, which users may not save. */
  forbiddenDeliveryAddresses: string[];
};

/** The settings of the exchange, from docs/configuration.md. Durations in milliseconds, amounts in base units. */
export type ExchangeConfig = {
  mode: "sandbox" | "live";
  /** `web` serves requests and leaves the jobs, e-mails included, to a `worker`; `all` does both. */
  role: "all" | "web" | "worker";
  /** Scheme, host and port of the site; the origin that WebAuthn expects. */
  origin: string;
  /** The origin's host name: WebAuthn's relying party. */
  rpId: string;
  /** Keys for hashing codes and tokens are derived from it, one per purpose. */
  secret: string;
  /** The address for customers' messages; null if there is none. */
  supportEmail: string | null;
  feeBps: number;
  minUsdt: bigint;
  maxUsdt: bigint;
  payoutCost: Record<AssetSymbol, bigint>;
  refundCost: Record<AssetSymbol, bigint>;
  /** The most that one account gets back in USDT refunds within 24 hours without an operator. */
  refundMaxUsdt: bigint;
  quoteTtlMs: number;
  lockTtlMs: number;
  graceMs: number;
  decisionTtlMs: number;
  overpaidToleranceBps: number;
  maxWaitingOrders: number;
  /** How long an account has to wait after its first lock that ended unpaid. 0: no wait. */
  unpaidLockWaitMs: number;
  maxAddresses: number;
  recoveryHoldMs: number;
  /** How long to keep the identity records of deleted accounts. */
  retentionYears: number;
  codeTtlMs: number;
  codeTries: number;
  /** The cost N of scrypt, a power of two. */
  codeHashCost: number;
  challengeTtlMs: number;
  accessTokenTtlMs: number;
  refreshGraceMs: number;
  sessionIdleMs: number;
  sessionAbsoluteMs: number;
  /** How recent a passkey sign-in must be to change passkeys, export data or delete the account. */
  passkeyFreshMs: number;
  rateRefreshMs: number;
  /** Quotes are refused when the rate is older than this. */
  rateMaxAgeMs: number;
  /** A movement of more than `rateCalmBps` within `rateVolatilityWindowMs` widens the spread. */
  rateVolatilityWindowMs: number;
  rateCalmBps: number;
  /** In basis points: if the rate moves by more than this within an hour, new swaps stop. Null: no limit. */
  rateMaxMoveBps: number | null;
  scanEthereumMs: number;
  scanMobilecoinMs: number;
  limits: {
    writesPerAccountPerMinute: number;
    requestsPerAddressPerMinute: number;
    codesPerRecipientPer10Minutes: number;
    codesPerRecipientPerDay: number;
    codesPerSenderPerHour: number;
    messagesPerSenderPerHour: number;
    applicationsPerSenderPerDay: number;
  };
  /** The Fog report servers that MOB addresses may name. Null: any, as in the sandbox. */
  fogServers: readonly string[] | null;
  /** The URL of a mainnet node for looking up names such as alice.eth; null if there is none. May contain a key. */
  ensRpcUrl: string | null;
  /** Origins of the push services that browsers may use; `https://*.example.com` stands for every subdomain. */
  pushServices: readonly string[];
  /** Links with `{hash}`; empty if there is no explorer, as in the sandbox. */
  explorer: { ethereumTx: string; mobilecoinTx: string };
};

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  code: string | null;
  /** The address for replies, if not the sender. */
  replyTo?: string;
  /** Whether automatic replies may go to `replyTo`. */
  allowsAutoReply?: boolean;
};

/**
 * A queued e-mail. Its id and time stay the same when it is sent again, so that receivers can recognise a duplicate.
 */
export type QueuedMail = Mail & { id: string; queuedAt: Date };

/** Sends an e-mail to the mail server, and gives up when the signal aborts. If it rejects, the outbox tries again. */
export type MailSender = { send(mail: QueuedMail, signal?: AbortSignal): Promise<void> };

/** Reviews identities. Its decision comes later: the exchange polls it, or a signed webhook announces it. */
export type KycProvider = {
  readonly name: string;
  /**
   * Submits an application under our own `reference`. Idempotent.
   * @throws KycRefusedError if it can never be accepted
   */
  submit(reference: string, application: KycApplication): Promise<void>;
  /**
   * The provider's decision on an application, null if there is none yet, or `unknown` if it has no such application.
   */
  getDecision(reference: string): Promise<KycDecision | "unknown" | null>;
  /** Verifies and parses the raw body of a webhook. @throws if its signature or time is not valid */
  parseWebhook(rawBody: string, headers: Headers, now: Date): { eventId: string; reference: string };
};

export type KycDecision = { status: Exclude<KycStatus, "not_started">; reasons: string[]; decidedAt: Date };

/**
 * `rate` is USDT per 1 MOB with 12 decimals, `at` the time of that rate; `low` and `high` are the
 * extremes of several feeds, and `rate` if there are none. Rejects if there is no reliable rate.
 */
export type RateSource = { getRate(): Promise<{ rate: bigint; at: Date; low?: bigint; high?: bigint }> };
