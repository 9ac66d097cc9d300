import type { Settings } from "./settings.server";

const secretSettings = [
  "SESSION_SECRET",
  "ETH_XPUB",
  "ETH_PAYOUT_PRIVATE_KEY",
  "MOBILECOIN_API_KEY",
  "KYC_API_KEY",
  "KYC_WEBHOOK_SECRET",
] as const;

/** Whether a part of a URL is a key, and not a word such as `/v3`, `/mainnet-beta` or `?pair=MOB_USDT`. */
const isKey = (part: string) => part.length >= 16 || (part.length >= 8 && /\d/.test(part));

/** Every value of the settings that messages must not contain: secrets, and the credentials in URLs (T18). */
export function findSecretValues(s: Settings): string[] {
  const urls = [
    ...[s.API_URL, s.DATABASE_URL, s.MOBILECOIN_URL, s.SMTP_URL, s.KYC_URL, s.ENS_RPC_URL],
    ...[...s.ETH_RPC_URLS, ...s.RATE_SOURCES, ...s.CURRENCY_FEEDS],
  ];
  const secrets = [
    ...secretSettings.map((name) => s[name]),
    ...urls.flatMap((url) => (url ? findCredentials(url) : [])),
  ];
  return secrets.filter((value) => value !== undefined && value !== "") as string[];
}

function findCredentials(text: string): string[] {
  const url = new URL(text);
  const keys = [...url.pathname.split("/"), ...url.searchParams.values()].filter(isKey);
  // Some nodes take their key as the name of a user without a password.
  const credential = url.password || url.username;
  return [credential, ...keys].flatMap((value) => [value, decodeSafely(value)]);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
