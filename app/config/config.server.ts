/**
 * The configuration of this process, parsed from the environment on the first call of
 * `getConfig()`. Nothing else in app/ reads process.env.
 */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ExchangeConfig } from "../exchange.server/context";
import type { ExchangeSetup, LiveSetup } from "../exchange.server/setup";
import { mainnetChainId, sandboxNetworks } from "../lib/constants";
import { parseAmount } from "../lib/money";
import { hideSecrets } from "../lib/redact-url";
import { StartupError } from "../lib/startup-error";
import { pickCamelCased } from "./camel-case";
import {
  findRiskySettings,
  findUnsafeNodeSettings,
  findUnsafeSettings,
  isLiveExchange,
  type LiveSettings,
  minSecretLength,
} from "./live-rules.server";
import { findSecretValues } from "./secret-values";
import {
  applicationsPerDay,
  groups,
  knownFogServers,
  liveDefaults,
  liveMaxMoveBps,
  type Settings,
  settings,
  unpaidLockWaitMs,
  usdtConfirmations,
} from "./settings.server";

export type Config = ReturnType<typeof toConfig>;

/** Everything that is wrong with the environment, one line per variable. */
class ConfigError extends StartupError {
  constructor(errors: string[]) {
    super(`The configuration is invalid:\n${errors.map((error) => `  - ${error}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/**
 * Parses an environment. Empty values count as unset.
 * @throws ConfigError that names every malformed variable or, if there is none, every missing or unsafe one
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => name in settings.shape && value !== undefined && value !== "",
    ),
  );
  const parsed = settings.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path[0]}: ${message}`));
  }
  const s = parsed.data;
  const origin = s.ORIGIN ?? `http://localhost:${s.PORT}`;
  const errors = [...findUnsafeSettings(s, origin), ...findUnsafeNodeSettings(s, environment)];
  if (errors.length > 0) throw new ConfigError(errors);
  const dataDir = resolve(s.DATA_DIR);
  return toConfig(s, { origin, dataDir, secret: s.SESSION_SECRET ?? loadOrCreateSecret(dataDir) });
}

let config: Config | undefined;

/** The configuration of this process. @throws ConfigError */
export function getConfig(): Config {
  if (config === undefined) {
    config = parseConfig(process.env);
    hideSecrets(config.secretValues);
  }
  return config;
}

/** The sandbox's secret: generated on the first start, readable by its owner only. */
function loadOrCreateSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) createSecret(file);
    const secret = readFileSync(file, "utf8").trim();
    if (secret.length >= minSecretLength) return secret;
  } catch (error) {
    throw new ConfigError([
      `DATA_DIR: ${dataDir} is not a writable directory (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
  throw new ConfigError([
    `DATA_DIR: the secret in ${file} is damaged; restore the file, or delete it to have a new one generated`,
  ]);
}

/** If two processes start together, one of them creates the file, as a whole, and both read it. */
function createSecret(file: string): void {
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
    linkSync(own, file);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    // A file system without hard links, such as exFAT.
    if (syscall !== "link") throw error;
    renameSync(own, file);
  } finally {
    rmSync(own, { force: true });
  }
}

function toConfig(s: Settings, { origin, dataDir, secret }: { origin: string; dataDir: string; secret: string }) {
  const live = s.EXCHANGE_MODE === "live";
  const originUrl = new URL(origin);
  const walletRpc = toWalletRpc(s);
  const walletUrls = [walletRpc.mainnet, walletRpc.sepolia, walletRpc.walletConnect?.relayUrl];
  return {
    mode: s.EXCHANGE_MODE,
    port: s.PORT,
    host: s.HOST,
    /** As browsers see the site. The only source of the allowed Origin, of links and of WebAuthn's rpID. */
    origin,
    /** The origin is https: cookies are `__Host-` and Secure, and HSTS is sent. */
    secure: originUrl.protocol === "https:",
    /** Accepted values of the Host header; any other gets 421. */
    allowedHosts: toAllowedHosts(originUrl, s),
    trustProxy: s.TRUST_PROXY,
    maxConnectionsPerAddress: s.MAX_CONNECTIONS_PER_ADDRESS,
    drainMs: s.DRAIN_MS,
    logLevel: s.LOG_LEVEL,
    /** For `hideSecrets`. */
    secretValues: [secret, ...findSecretValues(s)],
    /** Logged at every start. */
    risks: findRiskySettings(s),
    legalDir: s.LEGAL_DIR === undefined ? null : resolve(s.LEGAL_DIR),
    currencyFeeds: s.CURRENCY_FEEDS,
    /** Null if the exchange runs in this process. */
    apiUrl: s.API_URL ?? null,
    /** The sandbox runs in this process, so its inbox, faucet and wallets can be shown. */
    hasSandbox: !live && s.API_URL === undefined,
    walletRpc,
    /** For the Content-Security-Policy: wallets in the browser connect to these. */
    walletRpcOrigins: [...new Set(walletUrls.flatMap((url) => (url ? new URL(url).origin : [])))],
    ...toExchangeSetup(s, { dataDir, exchange: toExchangeConfig(s, originUrl, secret) }),
  };
}

/** Public: pages with wallets get it. Without a project ID, WalletConnect is left out. */
function toWalletRpc(s: Settings) {
  const projectId = s.WALLETCONNECT_PROJECT_ID;
  return {
    mainnet: s.WALLET_RPC_MAINNET ?? null,
    sepolia: s.WALLET_RPC_SEPOLIA ?? null,
    ...(projectId !== undefined && { walletConnect: { projectId, relayUrl: s.WALLETCONNECT_RELAY_URL } }),
  };
}

/** The hosts that the site serves: the origin's and others, and in the sandbox also the loopback hosts. */
function toAllowedHosts(origin: URL, s: Settings): string[] {
  const hosts = new Set([origin.host, ...s.ALLOWED_HOSTS]);
  if (s.EXCHANGE_MODE === "sandbox") {
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) hosts.add(`${name}:${s.PORT}`);
  }
  return [...hosts];
}

/** The setting in base units or, if it is not set, its default for this mode. */
function withLiveDefault(s: Settings, name: keyof typeof liveDefaults): bigint {
  const inLiveMode = parseAmount(liveDefaults[name], name === "REFUND_COST_MOB" ? "MOB" : "USDT");
  return s[name] ?? (s.EXCHANGE_MODE === "live" ? inLiveMode : 0n);
}

function toExchangeSetup(s: Settings, { dataDir, exchange }: { dataDir: string; exchange: ExchangeConfig }) {
  return {
    dataDir,
    databaseUrl: s.DATABASE_URL ?? null,
    databasePoolSize: s.DATABASE_POOL_SIZE,
    exchange,
    confirmations: {
      USDT: s.USDT_CONFIRMATIONS ?? usdtConfirmations[s.ETH_CHAIN_ID === mainnetChainId ? "mainnet" : "elsewhere"],
      MOB: s.MOB_CONFIRMATIONS,
    },
    networks: toNetworks(s),
    live: isLiveExchange(s) ? toLiveSetup(s) : null,
    sandbox: { ...pickCamelCased(s, groups.sandbox, "SANDBOX_"), anvilPath: s.ANVIL_PATH ?? null },
  } satisfies ExchangeSetup;
}

function toNetworks(s: Settings): ExchangeSetup["networks"] {
  const { USDT, MOB } = isLiveExchange(s) ? { USDT: s.ETH_CHAIN_ID, MOB: s.MOBILECOIN_CHAIN_ID } : sandboxNetworks;
  return { USDT: String(USDT), MOB };
}

function toLiveSetup(s: LiveSettings): LiveSetup {
  return {
    ethereum: {
      rpcUrls: s.ETH_RPC_URLS,
      chainId: s.ETH_CHAIN_ID,
      xpub: s.ETH_XPUB,
      payoutPrivateKey: s.ETH_PAYOUT_PRIVATE_KEY,
      usdtAddress: s.USDT_ADDRESS,
      startBlock: s.ETH_START_BLOCK ?? null,
      finalizedAbove: s.USDT_FINALIZED_ABOVE,
      etherPrice: withLiveDefault(s, "ETH_PRICE_USDT"),
    },
    mobilecoin: {
      url: s.MOBILECOIN_URL,
      accountId: s.MOBILECOIN_ACCOUNT_ID,
      apiKey: s.MOBILECOIN_API_KEY ?? null,
      chainId: s.MOBILECOIN_CHAIN_ID,
    },
    mail: { smtpUrl: s.SMTP_URL, from: s.MAIL_FROM },
    rateSources: s.RATE_SOURCES,
    rateMaxDeviationBps: s.RATE_MAX_DEVIATION_BPS,
    kyc: { url: s.KYC_URL, apiKey: s.KYC_API_KEY, webhookSecret: s.KYC_WEBHOOK_SECRET },
  };
}

function toFogServers(s: Settings): readonly string[] {
  return s.MOBILECOIN_FOG_URLS.length > 0 ? s.MOBILECOIN_FOG_URLS : (knownFogServers[s.MOBILECOIN_CHAIN_ID] ?? []);
}

function toExchangeConfig(s: Settings, origin: URL, secret: string) {
  return {
    mode: s.EXCHANGE_MODE,
    role: s.ROLE,
    origin: origin.origin,
    rpId: origin.hostname,
    secret,
    supportEmail: s.SUPPORT_EMAIL ?? null,
    ...pickCamelCased(s, groups.trading),
    payoutCost: { USDT: s.PAYOUT_COST_USDT, MOB: s.PAYOUT_COST_MOB },
    refundCost: {
      USDT: withLiveDefault(s, "REFUND_COST_USDT"),
      MOB: withLiveDefault(s, "REFUND_COST_MOB"),
    },
    refundMaxUsdt: s.REFUND_MAX_USDT,
    unpaidLockWaitMs: s.UNPAID_LOCK_WAIT_MS ?? unpaidLockWaitMs[s.EXCHANGE_MODE],
    ...pickCamelCased(s, groups.deadlines),
    ...pickCamelCased(s, groups.polling),
    rateMaxMoveBps: s.RATE_MAX_MOVE_BPS ?? (s.EXCHANGE_MODE === "live" ? liveMaxMoveBps : null),
    ...pickCamelCased(s, groups.signIn),
    codeHashCost: 2 ** 12,
    limits: {
      ...pickCamelCased(s, groups.rateLimits),
      applicationsPerSenderPerDay: s.APPLICATIONS_PER_SENDER_PER_DAY ?? applicationsPerDay[s.EXCHANGE_MODE],
    },
    fogServers: s.EXCHANGE_MODE === "live" ? toFogServers(s) : null,
    ensRpcUrl: s.ENS_RPC_URL ?? null,
    pushServices: s.PUSH_SERVICES,
    explorer: pickCamelCased(s, groups.explorers, "EXPLORER_"),
  } satisfies ExchangeConfig;
}
