/**
 * Every environment variable: its type, default and description, declared once.
 * The configuration (config.server.ts), docs/configuration.md and .env.example (docs.server.ts)
 * and the defaults of the tests all come from here.
 */
import { z } from "zod";
import type { AssetSymbol } from "../lib/assets";
import { decimalPattern, parseAmount } from "../lib/money";

const integer = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.coerce
    .number({ invalid_type_error: "must be a whole number" })
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);

/** The upper bound is the longest delay that Node's timers accept. */
const milliseconds = (fallback: number, min = 1) => integer(fallback, { min, max: 2 ** 31 - 1 });

/** New swaps are refused when a chain has not been scanned for 30 seconds. */
const scanInterval = () => integer(1_000, { min: 1, max: 15_000 });

const decimalText = (fallback: string) =>
  z.string().regex(decimalPattern, "must be an amount such as 250 or 0.5").default(fallback);

/** A decimal amount with no more decimals than USDT has. */
const usdtText = (fallback: string) =>
  z.string().refine(isAmountOfUsdt, "must be an amount of USDT such as 250 or 0.5").default(fallback);

function isAmountOfUsdt(text: string): boolean {
  try {
    return parseAmount(text, "USDT") >= 0n;
  } catch {
    return false;
  }
}

/** A decimal amount, parsed to base units of `asset`. Rejects more decimals than the asset has. */
const amountOf = (asset: AssetSymbol) =>
  z.string().transform((text, ctx) => {
    try {
      return parseAmount(text, asset);
    } catch {
      ctx.addIssue({ code: z.ZodIssueCode.custom, message: `must be an amount of ${asset} such as 0.5` });
      return z.NEVER;
    }
  });

/** Defaults in live mode of settings that default to 0 in the sandbox. */
export const liveDefaults = { REFUND_COST_USDT: "0.5", REFUND_COST_MOB: "0.0004", ETH_PRICE_USDT: "5000" } as const;

const liveDefault = (name: keyof typeof liveDefaults) =>
  `Defaults to 0 in the sandbox and to ${liveDefaults[name]} in live mode, which refuses 0.`;

/**
 * The default of RATE_MAX_MOVE_BPS in live mode. A coin with a small market can move by a tenth in an hour without a
 * fault.
 */
export const liveMaxMoveBps = 2_000;

/**
 * The Fog report servers of Signal, and of MobileCoin, which Moby uses too, by full-service's chain id. Sources:
 * MobileCoinMainNetConfig and MobileCoinTestNetConfig in Signal-Android, and MobileCoin's SDKs.
 */
export const knownFogServers: Partial<Record<string, readonly string[]>> = {
  main: [
    "fog://fog-rpt-prd.namda.net",
    "fog://service.fog.mob.production.namda.net",
    "fog://fog.prod.mobilecoinww.com",
  ],
  test: ["fog://fog-rpt-stg.namda.net", "fog://service.fog.mob.staging.namda.net", "fog://fog.test.mobilecoin.com"],
};

/** The default of USDT_CONFIRMATIONS. */
export const usdtConfirmations = { mainnet: 12, elsewhere: 3 } as const;

/** How many applications for identity verification a network may send in a day. */
export const applicationsPerDay = { live: 20, sandbox: 10_000 } as const;

/** The default of UNPAID_LOCK_WAIT_MS. In the sandbox, trying out late and small payments does not hurt anyone. */
export const unpaidLockWaitMs = { live: 60_000, sandbox: 0 } as const;

/** Rejects a URL without a host: `smtp:` and `postgres:` URLs parse without one. */
const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol) && hasHost(text), {
    message: `must be a URL with a host (${protocols.map((protocol) => `${protocol}//`).join(", ")})`,
  });
/** PostgreSQL also accepts a socket directory in the query: postgres:///antelope?host=/var/run/postgresql */
const hasHost = (text: string) => new URL(text).hostname !== "" || new URL(text).searchParams.has("host");

const list = <T extends z.ZodTypeAny>(item: T) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item))
    .default("");
/** What a Host header may be, in lower case, as hosts are compared. */
const host = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]+)?$/.test(text), {
    message: "must be hosts such as www.example.com or 10.0.0.5:3000, without a scheme or path",
  });
/** An origin, or all subdomains of a domain. */
const pushService = z
  .string()
  .regex(/^https?:\/\/(\*\.)?[a-z0-9.-]+(:[0-9]+)?$/, "must be an origin such as https://push.example.com");
const fogServer = z
  .string()
  .regex(/^fog:\/\/[a-z0-9.-]+(:[0-9]+)?$/, "must be URLs such as fog://fog.example.com, without a path");
const boolean = z
  .enum(["true", "false", "1", "0"], { errorMap: () => ({ message: "must be true or false" }) })
  .transform((text) => text === "true" || text === "1");

const origin = url("http:", "https:").refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  message: "must be a scheme, host and port only, without a path or trailing slash",
});

const site = {
  PORT: integer(3000, { min: 1, max: 65_535 }).describe(
    "Port to listen on. A `worker` listens, too, so processes on one machine need different ports.",
  ),
  HOST: z.string().default("127.0.0.1").describe("Address to listen on. Use `0.0.0.0` in a container."),
  ORIGIN: origin.optional().describe("Public address of the site. Defaults to `http://localhost:PORT`."),
  ALLOWED_HOSTS: list(host).describe(
    "Additional `Host` headers to accept, for health checks and API clients, separated by commas. Browsers that open a page there are redirected to `ORIGIN`. Requests for any other host get 421.",
  ),
  TRUST_PROXY: boolean
    .default("false")
    .describe(
      "Trust `X-Forwarded-For` from the proxy in front. If false, the header is removed, and all visitors behind a proxy count as one client network.",
    ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(512, { min: 1 }).describe(
    "Maximum number of open connections per client network: an IPv4 address, or a /56 of IPv6. Not used with `TRUST_PROXY`.",
  ),
  DRAIN_MS: milliseconds(10_000).describe("How long a shutdown waits for open requests."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Lowest level to log: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`."),
  EXCHANGE_MODE: z
    .enum(["sandbox", "live"])
    .default("sandbox")
    .describe("`sandbox` for play money, `live` for real money."),
  SESSION_SECRET: z
    .string()
    .optional()
    .describe("At least 32 random characters (`openssl rand -base64 32`). The sandbox generates one in `DATA_DIR`."),
  SUPPORT_EMAIL: z
    .string()
    .email("must be an e-mail address")
    .optional()
    .describe(
      "Address that customers write to for help. If unset, pages don't show an address and the contact form is off.",
    ),
  LEGAL_DIR: z
    .string()
    .optional()
    .describe(
      "Directory with your `terms.md`, `privacy.md` and `accessibility.md`. If unset, or for a file that is missing, the pages show our templates.",
    ),
  API_URL: url("http:", "https:")
    .optional()
    .describe("Base URL of a remote exchange. If unset, the exchange runs in this process."),
  ROLE: z
    .enum(["all", "web", "worker"])
    .default("all")
    .describe(
      "What this process does: `web` serves the site and the API, `worker` runs the jobs, `all` does both. Processes with different roles share one `DATABASE_URL`; the sandbox has one process with `all`.",
    ),
};

const storage = {
  DATA_DIR: z
    .string()
    .default("./.data")
    .describe("Directory for the embedded database, the sandbox chains and the generated secret."),
  DATABASE_URL: url("postgres:", "postgresql:")
    .optional()
    .describe(
      "PostgreSQL connection URL. If unset, an embedded PGlite database in `DATA_DIR` serves a single process.",
    ),
  DATABASE_POOL_SIZE: integer(10, { min: 2, max: 200 }).describe(
    "Maximum number of PostgreSQL connections in the pool. Each process keeps one more, for notifications.",
  ),
};

const trading = {
  FEE_BPS: integer(50, { max: 9_999 }).describe("Fee in basis points of the source amount, at most 9999."),
  MIN_USDT: amountOf("USDT").default("10").describe("Smallest swap, as its value in USDT."),
  MAX_USDT: amountOf("USDT").default("10000").describe("Largest swap, as its value in USDT."),
  OVERPAID_TOLERANCE_BPS: integer(200, { max: 10_000 }).describe(
    "An overpayment of up to this many basis points is swapped too, at the locked rate. A larger one is refunded.",
  ),
  MAX_WAITING_ORDERS: integer(5, { min: 1 }).describe(
    "Maximum number of open orders per account that are less than half paid.",
  ),
  UNPAID_LOCK_WAIT_MS: integer(0)
    .optional()
    .describe(
      `How long an account must wait before it can lock another price after a lock has ended unpaid, in milliseconds. Each further unpaid lock within 24 hours doubles the wait. Defaults to ${unpaidLockWaitMs.live} in live mode, and to ${unpaidLockWaitMs.sandbox} (no wait) in the sandbox.`,
    ),
  MAX_ADDRESSES: integer(100, { min: 1 }).describe("Maximum number of saved delivery addresses per account."),
};

const costs = {
  PAYOUT_COST_USDT: amountOf("USDT")
    .default("0.5")
    .describe(
      "What we assume a USDT payout costs in network fees. If gas costs more, the higher cost applies. Our fee is never lower than this. Live mode refuses 0.",
    ),
  PAYOUT_COST_MOB: amountOf("MOB")
    .default("0.0004")
    .describe(
      "What we assume a MOB payout costs in network fees. Our fee is never lower than this. Live mode refuses 0.",
    ),
  REFUND_COST_USDT: amountOf("USDT")
    .optional()
    .describe(
      `What we deduct from a USDT refund. If gas costs more, we deduct the higher cost. Amounts that do not exceed it are set aside. ${liveDefault("REFUND_COST_USDT")}`,
    ),
  REFUND_COST_MOB: amountOf("MOB")
    .optional()
    .describe(
      `What we deduct from a MOB refund. Amounts that do not exceed it are set aside. ${liveDefault("REFUND_COST_MOB")}`,
    ),
  ETH_PRICE_USDT: amountOf("USDT")
    .optional()
    .describe(
      `Price of one ether in USDT, to convert the cost of gas for payouts and refunds. Set it at or above the market price. Live mode only: defaults to ${liveDefaults.ETH_PRICE_USDT}, and 0 is refused.`,
    ),
  REFUND_MAX_USDT: amountOf("USDT")
    .default("10000")
    .describe(
      "A USDT refund that brings an account's open refunds and those of the last 24 hours above this total waits for an operator.",
    ),
};

const deadlines = {
  QUOTE_TTL_MS: milliseconds(60_000).describe("How long an open quote is valid."),
  LOCK_TTL_MS: milliseconds(30 * 60_000).describe("How long a customer has to pay a locked quote."),
  GRACE_MS: milliseconds(2 * 60_000, 0).describe("Extra time after the payment deadline, shown to the customer."),
  DECISION_TTL_MS: milliseconds(72 * 3_600_000).describe(
    "How long a customer has to decide about an order. After that it is refunded.",
  ),
  RECOVERY_HOLD_MS: milliseconds(24 * 3_600_000, 0).describe(
    "How long payouts of new swaps, and re-addressed payments, wait after an account recovery. Until then the account can't be deleted and its data can't be downloaded. Re-addressed payments also wait this long after their new address was saved.",
  ),
  RETENTION_YEARS: integer(5, { max: 100 }).describe(
    "How many years to keep the identity records of customers who delete their account. Anti-money-laundering law sets it: five years in the EU and the UK.",
  ),
};

const polling = {
  RATE_REFRESH_MS: milliseconds(10_000).describe("How often to fetch the rate."),
  RATE_MAX_AGE_MS: milliseconds(60_000).describe("Refuse quotes when the rate is older than this."),
  RATE_VOLATILITY_WINDOW_MS: milliseconds(5 * 60_000).describe(
    "How far back to look for movements of the rate, which widen the spread between buying and selling. The last rate before that period counts too.",
  ),
  RATE_CALM_BPS: integer(200, { max: 1_000_000 }).describe(
    "A movement of up to this many basis points within `RATE_VOLATILITY_WINDOW_MS` does not widen the spread.",
  ),
  RATE_MAX_MOVE_BPS: integer(0, { min: 1, max: 1_000_000 })
    .optional()
    .describe(
      `Stop new swaps when the rate moves by more than this many basis points within an hour, or across a longer gap without rates, until an operator switches them back on. Defaults to ${liveMaxMoveBps} in live mode, and to no limit in the sandbox.`,
    ),
  SCAN_ETHEREUM_MS: scanInterval().describe(
    "How often to scan Ethereum for deposits. While no swap is open, the interval is five times as long, up to 5 seconds. At most 15000.",
  ),
  SCAN_MOBILECOIN_MS: scanInterval().describe(
    "How often to scan MobileCoin for deposits. While no swap is open, the interval is five times as long, up to 5 seconds. At most 15000.",
  ),
};

const signIn = {
  CODE_TTL_MS: milliseconds(10 * 60_000).describe("How long an e-mail code is valid."),
  CODE_TRIES: integer(5, { min: 1, max: 20 }).describe("Maximum number of attempts per e-mail code."),
  CHALLENGE_TTL_MS: milliseconds(5 * 60_000).describe("How long a passkey challenge is valid."),
  ACCESS_TOKEN_TTL_MS: milliseconds(15 * 60_000).describe("How long an access token is valid."),
  REFRESH_GRACE_MS: milliseconds(10_000, 0).describe(
    "How long the previous refresh token still returns the same new one.",
  ),
  SESSION_IDLE_MS: milliseconds(30 * 60_000).describe("End a session after this long without use."),
  SESSION_ABSOLUTE_MS: milliseconds(12 * 3_600_000).describe("End every session after this long."),
  PASSKEY_FRESH_MS: milliseconds(5 * 60_000).describe(
    "How recent a passkey sign-in must be to change passkeys, end newer sessions, download personal data or delete the account.",
  ),
};

const rateLimits = {
  WRITES_PER_ACCOUNT_PER_MINUTE: integer(120, { min: 1 }).describe(
    "Maximum number of write requests per account per minute. Calls under `/api/auth` (codes, passkeys, signing in and out) and calls that remove something, or decide about or cancel a swap, count for their session instead.",
  ),
  REQUESTS_PER_ADDRESS_PER_MINUTE: integer(1_200, { min: 1 }).describe(
    "Maximum number of API calls per client network per minute. The same limit applies to pages and to calls to the sandbox. Files and cached public pages are not counted.",
  ),
  CODES_PER_RECIPIENT_PER_10_MINUTES: integer(3, { min: 1 }).describe(
    "Maximum number of code e-mails per recipient and client network that are sent without a pause. After that, one is sent each minute for four minutes, and then at growing intervals.",
  ),
  CODES_PER_RECIPIENT_PER_DAY: integer(10, { min: 1 }).describe(
    "Maximum number of code e-mails per day to a recipient's own browser or network. All networks without an earlier sign-in together get at most 1.5 times as many.",
  ),
  CODES_PER_SENDER_PER_HOUR: integer(1_000, { min: 1 }).describe(
    "Maximum number of code e-mails per client network per hour, to all recipients; then one every 5 seconds.",
  ),
  MESSAGES_PER_SENDER_PER_HOUR: integer(5, { min: 1 }).describe(
    "Maximum number of messages to `SUPPORT_EMAIL` per customer (an account with a verified address that is approved or has a swap), or per client network, per hour.",
  ),
  APPLICATIONS_PER_SENDER_PER_DAY: integer(0, { min: 1 })
    .optional()
    .describe(
      `Maximum number of applications for identity verification per client network per day; then one every five minutes. Each account may send five a day. Defaults to ${applicationsPerDay.live} in live mode, where the provider may charge for each, and to ${applicationsPerDay.sandbox} in the sandbox.`,
    ),
};

const whichDeposits =
  "A higher number applies to every deposit that is not credited yet, a lower one only to deposits first seen after the change.";

const chains = {
  USDT_CONFIRMATIONS: integer(0, { min: 1, max: 100 })
    .optional()
    .describe(
      `Number of confirmations after which a USDT deposit is credited, and a USDT payment that we send is final. Defaults to ${usdtConfirmations.mainnet} on mainnet, and to ${usdtConfirmations.elsewhere} on other networks. ${whichDeposits}`,
    ),
  MOB_CONFIRMATIONS: integer(1, { min: 1, max: 100 }).describe(
    `Number of confirmations after which a MOB deposit is credited, and a MOB payment that we send is final. ${whichDeposits}`,
  ),
  USDT_FINALIZED_ABOVE: amountOf("USDT")
    .optional()
    .describe(
      "How much USDT one order may have in blocks that are not finalized. Deposits beyond it count only once their block is finalized. All orders together may have ten times as much.",
    ),
  ETH_RPC_URLS: list(url("http:", "https:")).describe(
    "JSON-RPC URLs of Ethereum nodes, separated by commas. With two or more, a majority must agree on each deposit. Their hosts or paths must differ.",
  ),
  ETH_CHAIN_ID: integer(0)
    .optional()
    .describe("Ethereum chain id: 1 (mainnet), 11155111 (Sepolia) or 31337 (a chain of your own, for a rehearsal)."),
  ETH_XPUB: z.string().optional().describe("Account xpub (m/44'/60'/0') from which funding addresses are derived."),
  ETH_PAYOUT_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 0x and 64 hexadecimal digits")
    .optional()
    .describe("Private key of the account that pays USDT."),
  USDT_ADDRESS: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x and 40 hexadecimal digits")
    .optional()
    .describe(
      "Contract address of the USDT token. On mainnet it must be Tether's. On a test network, a new token needs a new database.",
    ),
  ETH_START_BLOCK: integer(0)
    .optional()
    .describe("First block to scan with an empty database. Defaults to the newest block."),
  MOBILECOIN_URL: url("http:", "https:")
    .optional()
    .describe("URL of full-service's wallet API, version 2: `http://HOST:PORT/wallet/v2`."),
  MOBILECOIN_ACCOUNT_ID: z.string().optional().describe("Account id of the exchange in full-service."),
  MOBILECOIN_API_KEY: z.string().optional().describe("Sent as `X-API-KEY` if full-service requires one."),
  MOBILECOIN_CHAIN_ID: z
    .string()
    .default("main")
    .describe("Network that full-service must be connected to: `main`, the only one that mainnet accepts, or `test`."),
  MOBILECOIN_FOG_URLS: list(fogServer).describe(
    `Fog report servers of the MOB addresses that can be paid, separated by commas. full-service connects to them, so list only servers that you trust. If unset, the servers of Signal and MobileCoin can be used; on mainnet ${knownFogServers.main?.map((url) => `\`${url}\``).join(", ")}. Addresses without Fog can always be paid. Not used in the sandbox.`,
  ),
};

const services = {
  SMTP_URL: url("smtp:", "smtps:")
    .optional()
    .describe(
      "SMTP server: `smtps://user:password@host:465`, or `smtp://…?requireTLS=true` for STARTTLS. In live mode, the connection must be encrypted, except to this machine.",
    ),
  MAIL_FROM: z.string().optional().describe("Sender address of e-mails. In live mode it must contain an address."),
  RATE_SOURCES: list(url("https:", "http:")).describe(
    "URLs of price feeds, separated by commas. Live mode requires at least two with different hosts or paths.",
  ),
  RATE_MAX_DEVIATION_BPS: integer(200, { max: 10_000 }).describe(
    "Refuse quotes when two price feeds differ by more than this many basis points.",
  ),
  CURRENCY_FEEDS: list(url("https:", "http:")).describe(
    "URLs of feeds with the value of 1 USDT in other currencies, separated by commas; the first that responds is used. Customers then see approximate values in their currency. If unset, live mode does not show these values, and the sandbox uses fixed rates.",
  ),
  KYC_URL: url("http:", "https:")
    .optional()
    .describe("API of the identity provider. In live mode it must be https, except on the same machine."),
  KYC_API_KEY: z.string().optional().describe("API key for the identity provider."),
  KYC_WEBHOOK_SECRET: z.string().optional().describe("Secret that signs the identity provider's webhooks."),
};

const names = {
  ENS_RPC_URL: url("http:", "https:")
    .optional()
    .describe(
      "JSON-RPC URL of an Ethereum mainnet node, to look up names such as alice.eth in address fields. It stays on the server. If unset, only addresses are accepted.",
    ),
};

const notifications = {
  PUSH_SERVICES: list(pushService)
    .default(
      "https://fcm.googleapis.com,https://updates.push.services.mozilla.com,https://*.push.apple.com,https://*.notify.windows.com",
    )
    .describe(
      "Origins of the push services to which notifications for browsers are sent, separated by commas. `*.` stands for any subdomain. Change it only if a browser uses another service.",
    ),
};

const explorers = {
  EXPLORER_ETHEREUM_TX: z
    .string()
    .default("")
    .describe("URL of an Ethereum transaction in a block explorer, with `{hash}` as a placeholder."),
  EXPLORER_MOBILECOIN_TX: z
    .string()
    .default("")
    .describe("URL of a MobileCoin transaction in a block explorer, with `{hash}` as a placeholder."),
};

const browserWallets = {
  WALLET_RPC_MAINNET: url("http:", "https:")
    .optional()
    .describe(
      "Public JSON-RPC URL used by wallets in the browser for mainnet. Visible to visitors, so don't use a node of the exchange.",
    ),
  WALLET_RPC_SEPOLIA: url("http:", "https:")
    .optional()
    .describe(
      "Public JSON-RPC URL used by wallets in the browser for Sepolia. The sandbox uses its own chain instead.",
    ),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits")
    .optional()
    .describe(
      "Project ID for WalletConnect, which lets customers pay from a wallet on a phone. Reown issues it under its own terms. Visible to visitors; live mode then needs a `WALLET_RPC` for its chain.",
    ),
  WALLETCONNECT_RELAY_URL: url("ws:", "wss:")
    .default("wss://relay.walletconnect.org")
    .describe(
      "URL of the relay between this site and wallets that connect with WalletConnect. Not contacted without `WALLETCONNECT_PROJECT_ID`.",
    ),
};

const sandbox = {
  SANDBOX_RATE: z
    .string()
    .regex(decimalPattern, "must be an amount such as 250 or 0.5")
    .refine((text) => /[1-9]/.test(text), "must be above 0")
    .default("0.35")
    .describe("Initial rate: USDT per 1 MOB."),
  SANDBOX_RATE_SEED: integer(1).describe("Seed of the simulated rate changes."),
  SANDBOX_RESERVE_USDT: usdtText("1000000").describe("Initial USDT balance of the exchange."),
  SANDBOX_FAUCET_MAX_USDT: usdtText("10000").describe("Maximum USDT per faucet request."),
  SANDBOX_FAUCET_MAX_ETH: decimalText("1").describe("Maximum ETH per faucet request."),
  SANDBOX_ETHEREUM_BLOCK_MS: milliseconds(1_000, 100).describe("Block time of the sandbox's Ethereum chain."),
  SANDBOX_MOBILECOIN_BLOCK_MS: milliseconds(1_000).describe("Block time of the sandbox's MobileCoin ledger."),
  SANDBOX_KYC_DELAY_MS: milliseconds(1_000, 0).describe("How long the sandbox takes to review an application."),
};

const sandboxTools = {
  ANVIL_PATH: z.string().optional().describe("Path of an anvil binary to use instead of the one from npm."),
};

/** The variables that become one object of the configuration each. */
export const groups = { trading, deadlines, polling, signIn, rateLimits, explorers, sandbox };

/** The sections of docs/configuration.md and .env.example, in order. */
export const sections = [
  { title: "Site", shape: site },
  { title: "Storage", shape: storage },
  { title: "Prices and order limits", shape: { ...trading, ...costs } },
  { title: "Deadlines", shape: deadlines },
  { title: "Polling", shape: polling },
  { title: "Sign-in and sessions", shape: signIn },
  { title: "Rate limits", shape: rateLimits },
  { title: "Chains", shape: chains },
  { title: "External services", shape: { ...services, ...names, ...notifications } },
  { title: "Explorer links", shape: explorers },
  { title: "Browser wallets", shape: browserWallets },
  { title: "Sandbox", shape: { ...sandbox, ...sandboxTools } },
];

export const settings = z.object({
  ...site,
  ...storage,
  ...trading,
  ...costs,
  ...deadlines,
  ...polling,
  ...signIn,
  ...rateLimits,
  ...chains,
  ...services,
  ...names,
  ...notifications,
  ...explorers,
  ...browserWallets,
  ...sandbox,
  ...sandboxTools,
});

export type Settings = z.infer<typeof settings>;
