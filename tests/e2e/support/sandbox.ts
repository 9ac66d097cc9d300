/** Calls of the sandbox's HTTP API. */
import { randomBytes } from "node:crypto";
import { until } from "../../support/until";
import type { Site } from "./site";

/** For polling a site: each request costs it processor time, and a busy machine may need a minute. */
export const patience = { timeoutMs: 60_000, everyMs: 100 };

async function post<T>(site: Site, path: string, body: unknown): Promise<T> {
  const response = await fetch(site.origin + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function get<T>(site: Site, path: string): Promise<T> {
  const response = await fetch(site.origin + path, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${path} responded ${response.status}`);
  return (await response.json()) as T;
}

export type Mail = { to: string; subject: string; text: string; code: string | null; at: string };

const readInbox = (site: Site, to: string) => get<Mail[]>(site, `/sandbox/inbox?to=${encodeURIComponent(to)}`);

/** The newest code e-mailed to this address, optionally only after a time in ms. */
export function readCode(site: Site, to: string, after = 0): Promise<string> {
  const findCode = async () => {
    const mails = await readInbox(site, to);
    return mails.find((mail) => mail.code !== null && Date.parse(mail.at) >= after)?.code;
  };
  return until(`a code for ${to}`, findCode, patience);
}

/** Resolves once the transfer is mined. */
export const faucet = (site: Site, address: string, asset: "ETH" | "USDT", amount: string) =>
  post<{ hash: string }>(site, "/sandbox/faucet", { address, asset, amount });

/** Pays MOB from the sandbox's wallet. Resolves once the payment is in a block. */
export const payMob = (site: Site, address: string, amount: string) =>
  post<{ hash: string }>(site, "/sandbox/mobilecoin/pay", { address, amount });

export type MobWallet = { address: string; balance: string; received: { amount: string; at: string; hash: string }[] };
export const getMobWallet = (site: Site) => get<MobWallet>(site, "/sandbox/mobilecoin/wallet");

/** A new address without a known key, so its balance only grows. In lower case, it has no checksum. */
export const newEthAddress = () => `0x${randomBytes(20).toString("hex")}` as const;

async function callChain<T>(site: Site, method: string, params: unknown[]): Promise<T> {
  const { result } = await post<{ result: T }>(site, "/sandbox/ethereum", { jsonrpc: "2.0", id: 1, method, params });
  return result;
}

type Log = { address: string; topics: string[]; data: string };

/** The address of the USDT contract, from the log of a faucet transfer. */
export async function findToken(site: Site): Promise<string> {
  const { hash } = await faucet(site, newEthAddress(), "USDT", "1");
  const receipt = await callChain<{ logs: Log[] }>(site, "eth_getTransactionReceipt", [hash]);
  const [log] = receipt.logs;
  if (!log) throw new Error("The faucet's payment left no log.");
  return log.address;
}

/** The USDT balance of an address on the chain, in base units. */
export async function getUsdtBalance(site: Site, token: string, address: string): Promise<bigint> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
  return BigInt(await callChain<string>(site, "eth_call", [{ to: token, data }, "latest"]));
}
