/** The environment's variables: name, form, default and what each is for. `config.server.ts` parses with it. */
import { z } from "zod";
import type { AssetSymbol } from "../lib/assets";
import { parseAmount } from "../lib/money";

const whole = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.coerce
    .number({ invalid_type_error: "must be a whole number" })
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);

const milliseconds = (fallback: number, min = 1) => whole(fallback, { min, max: 2 ** 31 - 1 });

const decimalText = (fallback: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,14})(\.[0-9]{1,12})?$/, "must be an amount such as 250 or 0.5")
    .default(fallback);

/** A decimal amount as base units of `asset`; more decimals than the asset has are refused. */
const amountOf = (asset: AssetSymbol) =>
  z.string().transform((text, ctx) => {
    try {
      return parseAmount(text, asset);
    } catch {
      ctx.addIssue({ code: z.ZodIssueCode.custom, message: `must be an amount of ${asset} such as 0.5` });
      return z.NEVER;
    }
  });

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL (${protocols.map((protocol) => `${protocol}//`).join(", ")})`,
  });
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
const yesNo = z
  .enum(["true", "false", "1", "0"], { errorMap: () => ({ message: "must be true or false" }) })
  .transform((text) => text === "true" || text === "1");

const origin = url("http:", "https:").refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  message: "must be scheme, host and port alone, without a path or a slash at its end",
});

export const settings = z.object({
  // The site
  PORT: whole(3000, { min: 1, max: 65_535 }).describe("Port on which the site listens."),
  HOST: z.string().default("127.0.0.1").describe("Address on which it listens; 0.0.0.0 in a container."),
  ORIGIN: origin.optional().describe("The site's address as browsers see it. Unset: `http://localhost:PORT`."),
  ALLOWED_HOSTS: list(z.string()).describe("Further Host headers that are answered, by comma; others get 421."),
  TRUST_PROXY: yesNo.default("false").describe("Believe X-Forwarded-For of the proxy in front; otherwise stripped."),
  MAX_CONNECTIONS_PER_ADDRESS: whole(512, { min: 1 }).describe("Open connections of one address at a time."),
  DRAIN_MS: milliseconds(10_000).describe("How long requests under way may take to end at a stop."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("How much is logged."),
  DATA_DIR: z.string().default("./.data").describe("Where the embedded database, the sandbox and its secret live."),
  DATABASE_URL: url("postgres:", "postgresql:")
    .optional()
    .describe("PostgreSQL. Unset: the embedded PGlite in DATA_DIR, for one process and never live."),
  DATABASE_POOL_SIZE: whole(10, { min: 2, max: 200 }).describe("Connections to PostgreSQL."),
  SESSION_SECRET: z
    .string()
    .optional()
    .describe("32 random characters or more. Made and kept in DATA_DIR in the sandbox; demanded live."),
  API_URL: url("http:", "https:")
    .optional()
    .describe("Another server that speaks the contract. Unset: the embedded exchange."),
  EXCHANGE_MODE: z.enum(["sandbox", "live"]).default("sandbox").describe("Play money or real money."),

  // Prices and limits
  FEE_BPS: whole(50, { max: 10_000 }).describe("Fee in hundredths of a percent of the source amount."),
  MIN_USDT: amountOf("USDT").default("10").describe("Least a swap may be worth, in USDT."),
  MAX_USDT: amountOf("USDT").default("10000").describe("Most a swap may be worth, in USDT."),
  PAYOUT_COST_USDT: amountOf("USDT").default("0.5").describe("What paying USDT out costs; the fee is never less."),
  PAYOUT_COST_MOB: amountOf("MOB").default("0.0004").describe("What paying MOB out costs; the fee is never less."),
  REFUND_COST_USDT: amountOf("USDT").default("0").describe("Taken off a refund in USDT."),
  REFUND_COST_MOB: amountOf("MOB").default("0").describe("Taken off a refund in MOB."),
  OVERPAID_TOLERANCE_BPS: whole(200, { max: 10_000 }).describe("Up to this much too much is filled pro rata."),
  MAX_WAITING_ORDERS: whole(5, { min: 1 }).describe("Orders of one account that may await a deposit."),
  MAX_ADDRESSES: whole(100, { min: 1 }).describe("Delivery addresses of one account."),
  USDT_CONFIRMATIONS: whole(3, { min: 1, max: 100 }).describe("Blocks after which a USDT deposit counts."),
  MOB_CONFIRMATIONS: whole(1, { min: 1, max: 100 }).describe("Blocks after which a MOB deposit counts."),
  USDT_FINALIZED_ABOVE: amountOf("USDT").optional().describe("Deposits above this wait until Ethereum finalized them."),

  // Times
  QUOTE_TTL_MS: milliseconds(60_000).describe("Life of an open quote."),
  LOCK_TTL_MS: milliseconds(30 * 60_000).describe("Time to pay a locked quote."),
  GRACE_MS: milliseconds(2 * 60_000, 0).describe("Published grace after it."),
  DECISION_TTL_MS: milliseconds(72 * 3_600_000).describe("Time to decide about an order; then it is refunded."),
  RATE_REFRESH_MS: milliseconds(10_000).describe("How often the rate is fetched."),
  RATE_MAX_AGE_MS: milliseconds(60_000).describe("No quotes on a rate older than this."),
  SCAN_ETHEREUM_MS: milliseconds(1_000).describe("How often Ethereum is scanned."),
  SCAN_MOBILECOIN_MS: milliseconds(1_000).describe("How often MobileCoin is scanned."),
  CODE_TTL_MS: milliseconds(10 * 60_000).describe("Life of an e-mail code."),
  CODE_TRIES: whole(5, { min: 1, max: 20 }).describe("Tries at one code."),
  CHALLENGE_TTL_MS: milliseconds(5 * 60_000).describe("Life of a passkey challenge."),
  ACCESS_TOKEN_TTL_MS: milliseconds(15 * 60_000).describe("Life of an access token."),
  REFRESH_GRACE_MS: milliseconds(10_000, 0).describe("How long the last refresh token gets the same successor."),
  SESSION_IDLE_MS: milliseconds(30 * 60_000).describe("A session unused for this long ends."),
  SESSION_ABSOLUTE_MS: milliseconds(12 * 3_600_000).describe("Every session ends after this."),
  PASSKEY_FRESH_MS: milliseconds(5 * 60_000).describe("How old a passkey's word may be for changing passkeys."),
  RECOVERY_HOLD_MS: milliseconds(24 * 3_600_000, 0).describe("How long payouts wait after an account's recovery."),
  WRITES_PER_ACCOUNT_PER_MINUTE: whole(120, { min: 1 }).describe("Writing calls of one account a minute."),
  REQUESTS_PER_ADDRESS_PER_MINUTE: whole(1_200, { min: 1 }).describe("Calls from one address a minute."),
  CODES_PER_RECIPIENT_PER_10_MINUTES: whole(3, { min: 1 }).describe("Code mails to one recipient in 10 minutes."),
  CODES_PER_RECIPIENT_PER_DAY: whole(10, { min: 1 }).describe("Code mails to one recipient a day."),
  CODES_PER_SENDER_PER_HOUR: whole(1_000, { min: 1 }).describe("Code mails asked from one address an hour."),

  // Live
  ETH_RPC_URLS: list(url("http:", "https:")).describe("Ethereum nodes, by comma."),
  ETH_CHAIN_ID: whole(0).optional().describe("1 or 11155111."),
  ETH_XPUB: z.string().optional().describe("Account xpub from which deposit addresses are derived."),
  ETH_PAYOUT_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 0x and 64 hexadecimal digits")
    .optional()
    .describe("Key of the account that pays USDT out."),
  USDT_ADDRESS: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x and 40 hexadecimal digits")
    .optional()
    .describe("The token's contract."),
  ETH_START_BLOCK: whole(0)
    .optional()
    .describe("Block at which scanning begins on an empty database. Unset: the newest."),
  MOBILECOIN_URL: url("http:", "https:").optional().describe("full-service's wallet API (v2)."),
  MOBILECOIN_ACCOUNT_ID: z.string().optional().describe("The exchange's account in it."),
  MOBILECOIN_API_KEY: z.string().optional().describe("Sent as X-API-KEY, where full-service demands one."),
  MOBILECOIN_CHAIN_ID: z.string().default("main").describe("The network that full-service must be on."),
  SMTP_URL: url("smtp:", "smtps:").optional().describe("Mail server."),
  MAIL_FROM: z.string().optional().describe("Sender of the mails."),
  RATE_SOURCES: list(url("https:", "http:")).describe("Price feeds, by comma; two at least when live."),
  RATE_MAX_DEVIATION_BPS: whole(200, { max: 10_000 }).describe("How far two feeds may lie apart before quotes stop."),
  KYC_URL: url("http:", "https:").optional().describe("The identity provider's API."),
  KYC_API_KEY: z.string().optional().describe("Its key."),
  KYC_WEBHOOK_SECRET: z.string().optional().describe("Signs its messages."),
  EXPLORER_ETHEREUM_TX: z.string().default("").describe("Explorer link with {hash}; empty: none."),
  EXPLORER_MOBILECOIN_TX: z.string().default("").describe("Explorer link with {hash}; empty: none."),
  WALLET_RPC_MAINNET: url("http:", "https:").optional().describe("RPC that the browser's wallet code asks (chain 1)."),
  WALLET_RPC_SEPOLIA: url("http:", "https:").optional().describe("The same for Sepolia; the sandbox brings its own."),

  // Sandbox
  SANDBOX_RATE: decimalText("0.35").describe("USDT a MOB at the start."),
  SANDBOX_RATE_SEED: whole(1).describe("Seed of the rate's walk."),
  SANDBOX_RESERVE_USDT: decimalText("1000000").describe("The exchange's USDT."),
  SANDBOX_FAUCET_MAX_USDT: decimalText("10000").describe("Most USDT a call of the faucet."),
  SANDBOX_FAUCET_MAX_ETH: decimalText("1").describe("Most ETH a call of the faucet."),
  SANDBOX_ETHEREUM_BLOCK_MS: milliseconds(1_000, 100).describe("Time between blocks of the sandbox's Ethereum."),
  SANDBOX_MOBILECOIN_BLOCK_MS: milliseconds(1_000).describe("Time from a transaction to its block."),
  SANDBOX_KYC_DELAY_MS: milliseconds(2_000, 0).describe("How long the sandbox's reviewer thinks."),
  ANVIL_PATH: z.string().optional().describe("Another anvil than the one from npm."),
});

export type Settings = z.infer<typeof settings>;
