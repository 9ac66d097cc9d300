/**
 * Settings that are well-formed but unsafe or unusable: weak secrets, public test keys, real money without its
 * requirements (T5, T20, T62).
 */
import { isIP } from "node:net";
import { mainnetChainId, sepoliaChainId } from "../lib/constants";
import { toDistinctUrls } from "../lib/distinct-urls";
import { hourMs, minuteMs } from "../lib/durations";
import { isLoopback } from "../lib/loopback";
import type { Settings } from "./settings.server";

/** Published keys: derived from `test test … junk`, the default mnemonic of anvil and Hardhat. */
const publicXpubs = [
  "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP",
];
const publicPrivateKeys = [
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
  "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
  "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
  "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e",
  "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356",
  "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
  "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
];
/** The chain ID of anvil and Hardhat. */
const localChainId = 31_337;
/** Tether's contract on mainnet (docs/chains.md). */
const mainnetUsdt = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
/** MobileCoin's network with real money, by full-service's name. */
const realMobilecoin = "main";
const weakWords = /secret|changeme|change-me|password|example|s3cret|12345678|abcdefgh/i;
export const minSecretLength = 32;
const generate = "generate one with `openssl rand -base64 32`";

/** One line per problem, starting with the variable's name. */
export function findUnsafeSettings(s: Settings, origin: string): string[] {
  return [
    ...findSecretErrors(s),
    ...findRoleErrors(s),
    ...findUnusable(s),
    ...(s.EXCHANGE_MODE === "live" ? findLiveErrors(s, origin) : findSandboxErrors(s)),
  ];
}

/** The same for variables that Node.js itself reads. */
export function findUnsafeNodeSettings(
  { EXCHANGE_MODE }: Settings,
  { NODE_TLS_REJECT_UNAUTHORIZED }: Record<string, string | undefined>,
): string[] {
  if (EXCHANGE_MODE !== "live" || NODE_TLS_REJECT_UNAUTHORIZED !== "0") return [];
  return [
    "NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in live mode; anyone in between could pose as a node, a price feed, the identity provider or the mail server",
  ];
}

function findSecretErrors(s: Settings): string[] {
  const secret = s.SESSION_SECRET;
  if (secret === undefined) {
    return s.EXCHANGE_MODE === "live" ? [`SESSION_SECRET: is required in live mode; ${generate}`] : [];
  }
  if (secret.length < minSecretLength) {
    return [`SESSION_SECRET: must have at least ${minSecretLength} characters; ${generate}`];
  }
  if (new Set(secret).size < 12 || weakWords.test(secret)) return [`SESSION_SECRET: is weak; ${generate}`];
  return [];
}

function findRoleErrors(s: Settings): string[] {
  if (s.ROLE === "all") return [];
  const rule = `must be all, not ${s.ROLE},`;
  if (s.API_URL) return [`ROLE: ${rule} with API_URL: the exchange, jobs included, runs elsewhere`];
  if (!s.DATABASE_URL) return [`ROLE: ${rule} without DATABASE_URL: PGlite serves a single process`];
  if (s.EXCHANGE_MODE === "live") return [];
  return [`ROLE: ${rule} with EXCHANGE_MODE=sandbox: the sandbox's chains serve a single process`];
}

/** Settings with which no swap could ever be made. */
function findUnusable(s: Settings): string[] {
  return s.MIN_USDT > s.MAX_USDT ? ["MIN_USDT: must be at most MAX_USDT"] : [];
}

function findSandboxErrors(s: Settings): string[] {
  if (s.ETH_CHAIN_ID !== mainnetChainId) return [];
  return ["EXCHANGE_MODE: sandbox mode cannot be combined with ETH_CHAIN_ID=1 (mainnet)"];
}

/**
 * The settings that an exchange needs in live mode, with the reason where the setting's description does not give it.
 */
const requiredOfExchange = {
  DATABASE_URL: "the embedded PGlite neither syncs to disk nor serves two processes",
  ETH_CHAIN_ID: null,
  ETH_XPUB: null,
  ETH_PAYOUT_PRIVATE_KEY: null,
  USDT_ADDRESS: null,
  MOBILECOIN_URL: null,
  MOBILECOIN_ACCOUNT_ID: null,
  SMTP_URL: null,
  MAIL_FROM: null,
  KYC_URL: null,
  KYC_API_KEY: null,
  KYC_WEBHOOK_SECRET: null,
  USDT_FINALIZED_ABOVE: "it limits what a deep reorg can cost",
  ETH_RPC_URLS: null,
} as const satisfies { [Name in keyof Settings]?: string | null };
const requiredNames = Object.keys(requiredOfExchange) as (keyof typeof requiredOfExchange)[];

/** The settings of a live exchange, with everything that it needs. */
export type LiveSettings = Settings & { [Name in keyof typeof requiredOfExchange]: NonNullable<Settings[Name]> };

/** Whether an exchange runs in this process in live mode. For settings that `findUnsafeSettings` found complete. */
export const isLiveExchange = (s: Settings): s is LiveSettings => s.EXCHANGE_MODE === "live" && s.API_URL === undefined;

/** Whether live mode needs a setting that the sandbox does not. With API_URL, a site needs only its SESSION_SECRET. */
export const isRequiredInLiveMode = (name: string): boolean => name === "SESSION_SECRET" || name in requiredOfExchange;

const isMissing = (value: Settings[keyof typeof requiredOfExchange]) =>
  value === undefined || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);

function findLiveErrors(s: Settings, origin: string): string[] {
  const errors: string[] = [];
  if (!origin.startsWith("https://")) errors.push("ORIGIN: must be an https origin in live mode");
  if (s.ETH_CHAIN_ID === mainnetChainId) errors.push(...findMainnetErrors(s, origin));
  errors.push(...findWalletConnectErrors(s));
  // With API_URL the exchange runs elsewhere: this process has no database and no keys.
  if (s.API_URL) {
    if (!s.API_URL.startsWith("https://")) errors.push("API_URL: must be https in live mode");
    return errors;
  }
  // In the sandbox, this setting shows what happens once the rate is too old.
  if (s.RATE_REFRESH_MS > s.RATE_MAX_AGE_MS)
    errors.push("RATE_REFRESH_MS: must be at most RATE_MAX_AGE_MS in live mode");
  for (const name of requiredNames) {
    const why = requiredOfExchange[name];
    if (isMissing(s[name])) errors.push(`${name}: is required in live mode${why === null ? "" : `; ${why}`}`);
  }
  if (s.ETH_CHAIN_ID === mainnetChainId) errors.push(...findMixedMoneyErrors(s));
  if (s.ETH_CHAIN_ID && ![mainnetChainId, sepoliaChainId, localChainId].includes(s.ETH_CHAIN_ID)) {
    errors.push(
      `ETH_CHAIN_ID: must be ${mainnetChainId} (mainnet), ${sepoliaChainId} (Sepolia) or ${localChainId} (a chain of your own, for a rehearsal); browser wallets support no other chain here`,
    );
  }
  for (const name of ["PAYOUT_COST_USDT", "PAYOUT_COST_MOB"] as const) {
    if (s[name] === 0n) errors.push(`${name}: must be above 0 in live mode; otherwise we pay the network's fees`);
  }
  for (const name of ["REFUND_COST_USDT", "REFUND_COST_MOB"] as const) {
    if (s[name] === 0n) errors.push(`${name}: must be above 0 in live mode; otherwise we pay for refunds of dust`);
  }
  if (s.ETH_PRICE_USDT === 0n) {
    errors.push("ETH_PRICE_USDT: must be above 0 in live mode; otherwise gas counts as free and we pay for it");
  }
  if (s.MAIL_FROM && !/[^\s<>@]@[^\s<>@]/.test(s.MAIL_FROM)) {
    errors.push("MAIL_FROM: must contain an e-mail address, as in Antelope <hello@example.com>");
  }
  if (s.SMTP_URL) errors.push(...findSmtpErrors(new URL(s.SMTP_URL)));
  if (s.KYC_URL?.startsWith("http://") && !isLoopback(new URL(s.KYC_URL).hostname)) {
    errors.push("KYC_URL: must be https in live mode, unless the provider runs on this machine");
  }
  if (toDistinctUrls(s.ETH_RPC_URLS).length < s.ETH_RPC_URLS.length) {
    errors.push(
      "ETH_RPC_URLS: must have different hosts or paths; a node that is listed twice would agree with itself",
    );
  }
  if (toDistinctUrls(s.RATE_SOURCES).length < 2) {
    errors.push("RATE_SOURCES: at least two with different hosts or paths are required in live mode");
  }
  if (s.ETH_XPUB && publicXpubs.includes(s.ETH_XPUB)) errors.push("ETH_XPUB: is a public test key");
  if (s.ETH_PAYOUT_PRIVATE_KEY && publicPrivateKeys.includes(s.ETH_PAYOUT_PRIVATE_KEY.toLowerCase())) {
    errors.push("ETH_PAYOUT_PRIVATE_KEY: is a public test key");
  }
  return errors;
}

/** On mainnet, money without value must not buy real money. */
function findMixedMoneyErrors(s: Settings): string[] {
  const errors: string[] = [];
  if (s.MOBILECOIN_CHAIN_ID !== realMobilecoin) {
    errors.push(
      `MOBILECOIN_CHAIN_ID: must be ${realMobilecoin} with ETH_CHAIN_ID=${mainnetChainId}; otherwise MOB without value buys real USDT`,
    );
  }
  if (s.USDT_ADDRESS && s.USDT_ADDRESS.toLowerCase() !== mainnetUsdt.toLowerCase()) {
    errors.push(`USDT_ADDRESS: must be ${mainnetUsdt} on mainnet; any other contract is not Tether's`);
  }
  return errors;
}

/**
 * What to say at every start, and in `operate status`: settings that may be intentional, as in a rehearsal, but could
 * be a costly mistake. Each is a sentence that starts with the variable's name.
 */
export function findRiskySettings(s: Settings): string[] {
  if (!isLiveExchange(s)) return [];
  const risks = s.ETH_CHAIN_ID === mainnetChainId ? findWeakened(s) : [];
  for (const name of ["WALLET_RPC_MAINNET", "WALLET_RPC_SEPOLIA"] as const) {
    if (isOwnNode(s, s[name]))
      risks.push(
        `${name} is a node of the exchange: visitors can see its URL, including any key in it, and can use up its limits.`,
      );
  }
  if (s.ETH_CHAIN_ID !== mainnetChainId && s.MOBILECOIN_CHAIN_ID === realMobilecoin) {
    risks.push(
      `MOBILECOIN_CHAIN_ID is ${realMobilecoin}, but ETH_CHAIN_ID is a test network: USDT without value buys real MOB. For a rehearsal, set it to test.`,
    );
  }
  return risks;
}

/**
 * Whether the exchange itself uses this node. If it does, the URL should stay on the server. A URL with another key, in
 * the query or the login, has its own limits.
 */
function isOwnNode({ ETH_RPC_URLS, ENS_RPC_URL }: Settings, url: string | undefined): boolean {
  if (url === undefined) return false;
  const own = [...ETH_RPC_URLS, ...(ENS_RPC_URL === undefined ? [] : [ENS_RPC_URL])];
  const toKeys = (node: string) => {
    const { search, username, password } = new URL(node);
    return [search, username, password].join(" ");
  };
  return own.some((node) => toDistinctUrls([node, url]).length === 1 && toKeys(node) === toKeys(url));
}

/** Settings, often of a rehearsal, that switch a defence off. A site may have reasons for them. */
function findWeakened(s: Settings): string[] {
  const risks: string[] = [];
  const warnIf = (isWeak: boolean, name: keyof Settings, effect: string) => {
    if (isWeak) risks.push(`${name} is weak: ${effect}.`);
  };
  warnIf(
    s.RECOVERY_HOLD_MS < hourMs,
    "RECOVERY_HOLD_MS",
    "after a takeover, the owner has less than an hour to stop payouts",
  );
  warnIf(
    s.PASSKEY_FRESH_MS > 15 * minuteMs,
    "PASSKEY_FRESH_MS",
    "a stolen session can change passkeys for more than 15 minutes",
  );
  warnIf(s.ACCESS_TOKEN_TTL_MS > hourMs, "ACCESS_TOKEN_TTL_MS", "a stolen access token is valid for more than an hour");
  warnIf(s.RATE_MAX_AGE_MS > 10 * minuteMs, "RATE_MAX_AGE_MS", "prices may be more than 10 minutes old");
  warnIf(s.RATE_MAX_DEVIATION_BPS > 1_000, "RATE_MAX_DEVIATION_BPS", "price feeds may differ by more than 10 percent");
  warnIf(
    s.REFUND_MAX_USDT > 10n * s.MAX_USDT,
    "REFUND_MAX_USDT",
    "refunds worth ten of the largest swaps need no operator",
  );
  const secret = s.KYC_WEBHOOK_SECRET ?? "";
  warnIf(secret.length < 16, "KYC_WEBHOOK_SECRET", "with fewer than 16 characters, it can be guessed");
  return risks;
}

/** Settings that keep customers from swapping, or operators from alerts. A rehearsal on a test network may have them. */
function findMainnetErrors(s: Settings, origin: string): string[] {
  const errors: string[] = [];
  if (isIP(new URL(origin).hostname.replace(/^\[|\]$/g, "")) !== 0) {
    errors.push(
      "ORIGIN: must use a host name, not an IP address, on mainnet; passkeys cannot be created for IP addresses",
    );
  }
  if (s.LOG_LEVEL === "silent") errors.push("LOG_LEVEL: must not be silent on mainnet; alerts are in the log");
  for (const name of ["WALLET_RPC_MAINNET", "WALLET_RPC_SEPOLIA"] as const) {
    if (s[name]?.startsWith("http://"))
      errors.push(`${name}: must be https on mainnet; browsers block http requests from an https page`);
  }
  for (const name of ["EXPLORER_ETHEREUM_TX", "EXPLORER_MOBILECOIN_TX"] as const) {
    if (s[name] !== "" && !isLinkTemplate(s[name])) {
      errors.push(`${name}: must be a URL with {hash} on mainnet, as in https://explorer.example/tx/{hash}`);
    }
  }
  if (s.MIN_USDT <= s.PAYOUT_COST_USDT) {
    errors.push("MIN_USDT: must be above PAYOUT_COST_USDT on mainnet; a smaller swap does not cover its fee");
  }
  return errors;
}

/** E-mails contain codes. Nodemailer takes its options from the URL's parameters, and the first of each name counts. */
function findSmtpErrors({ protocol, hostname, searchParams }: URL): string[] {
  if (isLoopback(hostname)) return [];
  const errors: string[] = [];
  if (protocol !== "smtps:" && searchParams.get("requireTLS") !== "true")
    errors.push(
      "SMTP_URL: must be smtps, or have ?requireTLS=true, in live mode; otherwise codes may be sent unencrypted",
    );
  if (searchParams.has("tls.rejectUnauthorized", "false") || searchParams.has("tls.rejectUnauthorized", "0"))
    errors.push(
      "SMTP_URL: must not have tls.rejectUnauthorized=false in live mode; anyone could read codes in transit",
    );
  return errors;
}

const isLinkTemplate = (text: string) =>
  text.includes("{hash}") && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function findWalletConnectErrors(s: Settings): string[] {
  if (!s.WALLETCONNECT_PROJECT_ID) return [];
  const errors: string[] = [];
  if (!s.WALLETCONNECT_RELAY_URL.startsWith("wss://")) {
    errors.push("WALLETCONNECT_RELAY_URL: must be wss in live mode");
  }
  const node = s.ETH_CHAIN_ID === sepoliaChainId ? "WALLET_RPC_SEPOLIA" : "WALLET_RPC_MAINNET";
  if (!s[node]) {
    errors.push(
      `${node}: is required with WALLETCONNECT_PROJECT_ID; WalletConnect wallets cannot read the chain on the page's behalf`,
    );
  }
  return errors;
}
