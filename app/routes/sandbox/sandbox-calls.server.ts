import { z } from "zod";
import { statusSchema } from "~/api/contract";
import { getConfig } from "~/config/config.server";
import type { Exchange } from "~/exchange-binding/exchange";
import { getExchange } from "~/exchange-binding/exchange.server";
import { throwNotFound } from "~/session/responses.server";

const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  code: z.string().nullable(),
  at: z.string(),
});
export type SandboxMail = z.infer<typeof mailSchema>;

const walletSchema = z.object({
  address: z.string(),
  balance: z.string(),
  received: z.array(z.object({ amount: z.string(), at: z.string() })),
});
export type SandboxMobWallet = z.infer<typeof walletSchema>;

type SandboxExchange = Exchange & { sandbox: NonNullable<Exchange["sandbox"]> };
type Failure = { error: string };

/** The embedded exchange with its sandbox. Throws 404 in live mode and if the exchange is a separate server (T20). */
export async function requireSandbox(): Promise<SandboxExchange> {
  if (!getConfig().hasSandbox) return throwNotFound();
  const exchange = await getExchange();
  const { sandbox } = exchange;
  return sandbox ? { ...exchange, sandbox } : throwNotFound();
}

/** E-mails to one address, or all of them if `to` is null. Newest first. */
export async function readInbox({ sandbox }: SandboxExchange, to: string | null): Promise<SandboxMail[]> {
  const search = to === null ? "" : `?${new URLSearchParams({ to })}`;
  return mailSchema.array().parse(await (await sandbox.fetch(toRequest(`/sandbox/inbox${search}`))).json());
}

/** The tester's MobileCoin wallet, with received payments newest first. */
export async function readMobWallet({ sandbox }: SandboxExchange): Promise<SandboxMobWallet> {
  const response = await sandbox.fetch(toRequest("/sandbox/mobilecoin/wallet"));
  const wallet = walletSchema.parse(await response.json());
  return { ...wallet, received: wallet.received.sort((a, b) => b.at.localeCompare(a.at)) };
}

/** GET /api/status, or null while the exchange is starting. */
export async function readStatus(exchange: SandboxExchange) {
  const response = await exchange.fetch(toRequest("/api/status"));
  return response.ok ? statusSchema.parse(await response.json()) : null;
}

/** Resolves with the transaction hash once it is mined, or with the error message. */
export function sendFromFaucet(exchange: SandboxExchange, request: { address: string; asset: string; amount: string }) {
  return post(exchange, "/sandbox/faucet", request);
}

/** Resolves with the transaction hash once it is in a block, or with the error message. */
export function payMob(exchange: SandboxExchange, request: { address: string; amount: string }) {
  return post(exchange, "/sandbox/mobilecoin/pay", request);
}

async function post({ sandbox }: SandboxExchange, path: string, body: object): Promise<{ hash: string } | Failure> {
  const response = await sandbox.fetch(toRequest(path, body));
  const result: unknown = await response.json().catch(() => null);
  if (response.ok) return z.object({ hash: z.string() }).parse(result);
  const failure = z.object({ detail: z.object({ message: z.string() }) }).safeParse(result);
  return { error: failure.data?.detail.message ?? "The sandbox didn't respond. Try again." };
}

function toRequest(path: string, body?: object): Request {
  const url = `http://sandbox.invalid${path}`;
  if (!body) return new Request(url);
  return new Request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
