/** What a well-formed environment may still not be: weak, or unfit for real money (T5, T20, T62). */
import { mainnetChainId } from "../lib/constants";
import type { Settings } from "./settings.server";

/** Keys that everybody knows: `test test … junk` and what anvil and hardhat derive from it (facts 69). */
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
const weakWords = /secret|changeme|change-me|password|example|s3cret|12345678|abcdefgh/i;

/** One line for each trouble, naming its variable; empty where there is none. */
export function findLiveTroubles(s: Settings, origin: string): string[] {
  return [...secretTroubles(s), ...(s.EXCHANGE_MODE === "live" ? liveTroubles(s, origin) : sandboxTroubles(s))];
}

function secretTroubles(s: Settings): string[] {
  const secret = s.SESSION_SECRET;
  if (secret === undefined) {
    return s.EXCHANGE_MODE === "live" ? ["SESSION_SECRET: is needed in live mode (openssl rand -base64 32)"] : [];
  }
  if (secret.length < 32) return ["SESSION_SECRET: must have 32 characters or more"];
  if (new Set(secret).size < 12 || weakWords.test(secret)) {
    return ["SESSION_SECRET: is weak; take random characters (openssl rand -base64 32)"];
  }
  return [];
}

function sandboxTroubles(s: Settings): string[] {
  if (s.ETH_CHAIN_ID !== mainnetChainId) return [];
  return ["EXCHANGE_MODE: the sandbox may not be run with ETH_CHAIN_ID=1 (mainnet)"];
}

function liveTroubles(s: Settings, origin: string): string[] {
  const troubles: string[] = [];
  if (!origin.startsWith("https://")) troubles.push("ORIGIN: must be an https origin in live mode");
  // With API_URL the money is elsewhere: this process keeps no database and no keys.
  if (s.API_URL) {
    if (!s.API_URL.startsWith("https://")) troubles.push("API_URL: must be https in live mode");
    return troubles;
  }
  if (!s.DATABASE_URL) {
    troubles.push(
      "DATABASE_URL: is needed in live mode; the embedded PGlite neither syncs to disk nor serves two processes",
    );
  }
  const needed = [
    "ETH_CHAIN_ID",
    "ETH_XPUB",
    "ETH_PAYOUT_PRIVATE_KEY",
    "USDT_ADDRESS",
    "MOBILECOIN_URL",
    "MOBILECOIN_ACCOUNT_ID",
    "SMTP_URL",
    "MAIL_FROM",
    "KYC_URL",
    "KYC_API_KEY",
    "KYC_WEBHOOK_SECRET",
  ] as const;
  for (const name of needed) if (!s[name]) troubles.push(`${name}: is needed in live mode`);
  if (s.ETH_RPC_URLS.length === 0) troubles.push("ETH_RPC_URLS: is needed in live mode");
  if (s.RATE_SOURCES.length < 2) troubles.push("RATE_SOURCES: two at least are needed in live mode");
  if (s.ETH_XPUB && publicXpubs.includes(s.ETH_XPUB)) troubles.push("ETH_XPUB: is a public test key");
  if (s.ETH_PAYOUT_PRIVATE_KEY && publicPrivateKeys.includes(s.ETH_PAYOUT_PRIVATE_KEY.toLowerCase())) {
    troubles.push("ETH_PAYOUT_PRIVATE_KEY: is a public test key");
  }
  return troubles;
}
