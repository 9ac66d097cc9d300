import type { Logger } from "pino";
import type { KycApplication, KycStatus } from "../api/contract";
import type { AssetSymbol } from "../lib/assets";
import type { ChainGateway } from "./chains/gateway";
import type { Clock } from "./db/clock";
import type { Database } from "./db/database";

/** Everything the exchange works with, handed to `createExchange` and from there to every function as `x`. */
export type ExchangeContext = {
  db: Database;
  clock: Clock;
  log: Logger;
  config: ExchangeConfig;
  /** By asset: the gateway of the chain on which that asset lives. */
  chains: Record<AssetSymbol, ChainGateway>;
  mail: MailSender;
  kyc: KycProvider;
  rateSource: RateSource;
  /** Nobody may have coins delivered here: our wallets' own addresses and the token's contract. */
  forbiddenDeliveryAddresses: string[];
};

/** All of it configuration (`decisions.md`, Numbers); durations in milliseconds, amounts in base units. */
export type ExchangeConfig = {
  mode: "sandbox" | "live";
  /** Scheme, host and port of the site: WebAuthn's expected origin. */
  origin: string;
  /** WebAuthn relying party: the origin's host name. */
  rpId: string;
  /** Keys for hashing codes and deriving tokens are made from it, one per purpose. */
  secret: string;
  feeBps: number;
  minUsdt: bigint;
  maxUsdt: bigint;
  payoutCost: Record<AssetSymbol, bigint>;
  refundCost: Record<AssetSymbol, bigint>;
  quoteTtlMs: number;
  lockTtlMs: number;
  graceMs: number;
  decisionTtlMs: number;
  overpaidToleranceBps: number;
  maxWaitingOrders: number;
  maxAddresses: number;
  recoveryHoldMs: number;
  codeTtlMs: number;
  codeTries: number;
  challengeTtlMs: number;
  accessTokenTtlMs: number;
  refreshGraceMs: number;
  sessionIdleMs: number;
  sessionAbsoluteMs: number;
  /** How old a passkey confirmation may be for changing passkeys. */
  passkeyFreshMs: number;
  rateRefreshMs: number;
  /** No quotes on a rate older than this. */
  rateMaxAgeMs: number;
  scanEthereumMs: number;
  scanMobilecoinMs: number;
  limits: {
    writesPerAccountPerMinute: number;
    requestsPerAddressPerMinute: number;
    codesPerRecipientPer10Minutes: number;
    codesPerRecipientPerDay: number;
    codesPerSenderPerHour: number;
  };
  /** Chains' names for people and links; empty where there is no explorer (the sandbox). */
  explorer: { ethereumTx: string; mobilecoinTx: string };
};

export type Mail = { to: string; subject: string; text: string; html: string; code: string | null };

/** Hands a mail over. Rejects when it could not be handed over; the caller's outbox tries again. */
export type MailSender = { send(mail: Mail): Promise<void> };

/** Who reviews identities. The answer comes later, by `KycDecision` (poll or signed webhook). */
export type KycProvider = {
  readonly name: string;
  /** Sends an application; `reference` is ours and comes back with the decision. Sending twice is harmless. */
  submit(reference: string, application: KycApplication): Promise<void>;
  /** The provider's present word on an application, or null while there is none. */
  getDecision(reference: string): Promise<KycDecision | null>;
  /** Verifies and reads a webhook's raw body; throws where the signature or the time is wrong. */
  parseWebhook(rawBody: string, headers: Headers, now: Date): { eventId: string; reference: string };
};

export type KycDecision = { status: Exclude<KycStatus, "not_started">; reasons: string[]; decidedAt: Date };

/** USDT per 1 MOB as an integer with 12 decimals, and when it was true. Rejects when no trustworthy one is known. */
export type RateSource = { getRate(): Promise<{ rate: bigint; at: Date }> };
