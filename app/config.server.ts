/**
 * Every environment variable of the site and the exchange, parsed once by zod at boot.
 * Nothing else reads process.env. Importing this module does no work: `getConfig()` does,
 * at its first call, and names everything that is wrong in one message.
 *
 * `npx tsx app/commands/config-table.ts` prints the README's table from `settings`.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findLiveTroubles } from "./config/live-rules.server";
import { type Settings, settings } from "./config/settings.server";
import type { ExchangeConfig } from "./exchange.server/context";
import type { ExchangeSetup } from "./exchange.server/setup";

export type Config = ExchangeSetup & {
  port: number;
  host: string;
  /** Scheme, host and port as browsers see them; the only source of Origin, links and WebAuthn's rpID. */
  origin: string;
  /** The origin is https: cookies are `__Host-` and Secure, HSTS is sent. */
  secure: boolean;
  /** Values of the Host header that are answered; any other gets 421. */
  allowedHosts: string[];
  trustProxy: boolean;
  maxConnectionsPerAddress: number;
  drainMs: number;
  logLevel: string;
  /** Null: the exchange runs in this process. */
  apiUrl: string | null;
  /** The sandbox's world is in this process: its inbox, faucet, chain and wallets can be offered. */
  hasSandbox: boolean;
  sessionSecret: string;
  /** Origins that the wallet's transports may ask from the browser, for the CSP. */
  walletRpcOrigins: string[];
  walletRpcUrls: { mainnet: string | null; sepolia: string | null };
};

/** All that is wrong with the environment, one line each. */
export class ConfigError extends Error {
  constructor(troubles: string[]) {
    super(`The configuration is not right:\n${troubles.map((trouble) => `  - ${trouble}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Parses an environment. Throws one ConfigError that names every wrong variable. Empty values count as absent. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => name in settings.shape && value !== undefined && value !== "",
    ),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  }
  const s = parsed.data;
  const origin = s.ORIGIN ?? `http://localhost:${s.PORT}`;
  const troubles = findLiveTroubles(s, origin);
  if (troubles.length > 0) throw new ConfigError(troubles);
  const dataDir = resolve(s.DATA_DIR);
  return toConfig(s, origin, dataDir, s.SESSION_SECRET ?? keepSecret(dataDir));
}

let config: Config | undefined;

/** The configuration of this process. */
export function getConfig(): Config {
  config ??= parseConfig(process.env);
  return config;
}

/** The sandbox's own secret, made at the first start and readable by its owner alone. */
function keepSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // `wx`: of two processes that start together, one writes and both read the same.
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}

function toConfig(s: Settings, origin: string, dataDir: string, secret: string): Config {
  const live = s.EXCHANGE_MODE === "live";
  const originUrl = new URL(origin);
  const rpcUrls = [s.WALLET_RPC_MAINNET, s.WALLET_RPC_SEPOLIA].filter((url) => url !== undefined);
  return {
    mode: s.EXCHANGE_MODE,
    port: s.PORT,
    host: s.HOST,
    origin,
    secure: originUrl.protocol === "https:",
    allowedHosts: toAllowedHosts(originUrl, s),
    trustProxy: s.TRUST_PROXY,
    maxConnectionsPerAddress: s.MAX_CONNECTIONS_PER_ADDRESS,
    drainMs: s.DRAIN_MS,
    logLevel: s.LOG_LEVEL,
    dataDir,
    databaseUrl: s.DATABASE_URL ?? null,
    databasePoolSize: s.DATABASE_POOL_SIZE,
    apiUrl: s.API_URL ?? null,
    hasSandbox: !live && s.API_URL === undefined,
    sessionSecret: secret,
    walletRpcOrigins: [...new Set(rpcUrls.map((url) => new URL(url).origin))],
    walletRpcUrls: { mainnet: s.WALLET_RPC_MAINNET ?? null, sepolia: s.WALLET_RPC_SEPOLIA ?? null },
    exchange: toExchangeConfig(s, originUrl, secret),
    confirmations: { USDT: s.USDT_CONFIRMATIONS, MOB: s.MOB_CONFIRMATIONS },
    ethereumFinalizedAbove: s.USDT_FINALIZED_ABOVE ?? null,
    ethereum:
      live && s.ETH_XPUB && s.ETH_PAYOUT_PRIVATE_KEY && s.USDT_ADDRESS && s.ETH_CHAIN_ID
        ? {
            rpcUrls: s.ETH_RPC_URLS,
            chainId: s.ETH_CHAIN_ID,
            xpub: s.ETH_XPUB,
            payoutPrivateKey: s.ETH_PAYOUT_PRIVATE_KEY,
            usdtAddress: s.USDT_ADDRESS,
            startBlock: s.ETH_START_BLOCK ?? null,
          }
        : null,
    mobilecoin:
      live && s.MOBILECOIN_URL && s.MOBILECOIN_ACCOUNT_ID
        ? {
            url: s.MOBILECOIN_URL,
            accountId: s.MOBILECOIN_ACCOUNT_ID,
            apiKey: s.MOBILECOIN_API_KEY ?? null,
            chainId: s.MOBILECOIN_CHAIN_ID,
          }
        : null,
    mail: s.SMTP_URL && s.MAIL_FROM ? { smtpUrl: s.SMTP_URL, from: s.MAIL_FROM } : null,
    rateSources: s.RATE_SOURCES,
    rateMaxDeviationBps: s.RATE_MAX_DEVIATION_BPS,
    kyc:
      s.KYC_URL && s.KYC_API_KEY && s.KYC_WEBHOOK_SECRET
        ? { url: s.KYC_URL, apiKey: s.KYC_API_KEY, webhookSecret: s.KYC_WEBHOOK_SECRET }
        : null,
    sandbox: {
      startRate: s.SANDBOX_RATE,
      rateSeed: s.SANDBOX_RATE_SEED,
      reserveUsdt: s.SANDBOX_RESERVE_USDT,
      faucetMaxUsdt: s.SANDBOX_FAUCET_MAX_USDT,
      faucetMaxEth: s.SANDBOX_FAUCET_MAX_ETH,
      ethereumBlockMs: s.SANDBOX_ETHEREUM_BLOCK_MS,
      mobilecoinBlockMs: s.SANDBOX_MOBILECOIN_BLOCK_MS,
      kycDelayMs: s.SANDBOX_KYC_DELAY_MS,
      anvilPath: s.ANVIL_PATH ?? null,
    },
  };
}

/** The names under which the site answers: its origin's, and on this machine alone the loopback's. */
function toAllowedHosts(origin: URL, s: Settings): string[] {
  const hosts = new Set([origin.host, ...s.ALLOWED_HOSTS]);
  if (s.EXCHANGE_MODE === "sandbox") {
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) hosts.add(`${name}:${s.PORT}`);
  }
  return [...hosts];
}

function toExchangeConfig(s: Settings, origin: URL, secret: string): ExchangeConfig {
  return {
    mode: s.EXCHANGE_MODE,
    origin: origin.origin,
    rpId: origin.hostname,
    secret,
    feeBps: s.FEE_BPS,
    minUsdt: s.MIN_USDT,
    maxUsdt: s.MAX_USDT,
    payoutCost: { USDT: s.PAYOUT_COST_USDT, MOB: s.PAYOUT_COST_MOB },
    refundCost: { USDT: s.REFUND_COST_USDT, MOB: s.REFUND_COST_MOB },
    quoteTtlMs: s.QUOTE_TTL_MS,
    lockTtlMs: s.LOCK_TTL_MS,
    graceMs: s.GRACE_MS,
    decisionTtlMs: s.DECISION_TTL_MS,
    overpaidToleranceBps: s.OVERPAID_TOLERANCE_BPS,
    maxWaitingOrders: s.MAX_WAITING_ORDERS,
    maxAddresses: s.MAX_ADDRESSES,
    recoveryHoldMs: s.RECOVERY_HOLD_MS,
    codeTtlMs: s.CODE_TTL_MS,
    codeTries: s.CODE_TRIES,
    challengeTtlMs: s.CHALLENGE_TTL_MS,
    accessTokenTtlMs: s.ACCESS_TOKEN_TTL_MS,
    refreshGraceMs: s.REFRESH_GRACE_MS,
    sessionIdleMs: s.SESSION_IDLE_MS,
    sessionAbsoluteMs: s.SESSION_ABSOLUTE_MS,
    passkeyFreshMs: s.PASSKEY_FRESH_MS,
    rateRefreshMs: s.RATE_REFRESH_MS,
    rateMaxAgeMs: s.RATE_MAX_AGE_MS,
    scanEthereumMs: s.SCAN_ETHEREUM_MS,
    scanMobilecoinMs: s.SCAN_MOBILECOIN_MS,
    limits: {
      writesPerAccountPerMinute: s.WRITES_PER_ACCOUNT_PER_MINUTE,
      requestsPerAddressPerMinute: s.REQUESTS_PER_ADDRESS_PER_MINUTE,
      codesPerRecipientPer10Minutes: s.CODES_PER_RECIPIENT_PER_10_MINUTES,
      codesPerRecipientPerDay: s.CODES_PER_RECIPIENT_PER_DAY,
      codesPerSenderPerHour: s.CODES_PER_SENDER_PER_HOUR,
    },
    explorer: { ethereumTx: s.EXPLORER_ETHEREUM_TX, mobilecoinTx: s.EXPLORER_MOBILECOIN_TX },
  };
}
