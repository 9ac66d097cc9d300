import { z } from "zod";
import { statusSchema } from "~/api/contract";
import { getConfig } from "~/config/config.server";
import type { Exchange } from "~/exchange-binding/exchange";
import { getExchange } from "~/exchange-binding/exchange.server";
import { throwHttpError, throwNotFound } from "~/session/responses.server";

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

export type SandboxExchange = Exchange & { sandbox: NonNullable<Exchange["sandbox"]> };
/** Visitors take turns, by network. */
type Visitor = { remoteAddress?: string };
type Failure = { error: string };

const noResponse = "The sandbox didn't respond. Try again.";

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
  return mailSchema.array().parse(await readJson(sandbox, `/sandbox/inbox${search}`));
}

const receivedShown = 8;

/** The tester's MobileCoin wallet, with the last few payments that it received, newest first. */
export async function readMobWallet({ sandbox }: SandboxExchange): Promise<SandboxMobWallet> {
  const wallet = walletSchema.parse(await readJson(sandbox, "/sandbox/mobilecoin/wallet"));
  return { ...wallet, received: wallet.received.slice(0, receivedShown) };
}

/** Throws a 503 for the error screens if the call fails, for example because the database does not respond. */
async function readJson(sandbox: SandboxExchange["sandbox"], path: string): Promise<unknown> {
  const response = await sandbox.fetch(toRequest(path));
  return response.ok ? response.json() : throwHttpError(noResponse, 503);
}

/** GET /api/status, or null while the exchange is starting. */
export async function readStatus(exchange: SandboxExchange) {
  const response = await exchange.fetch(toRequest("/api/status"));
  return response.ok ? statusSchema.parse(await response.json()) : null;
}

/** Resolves with the transaction hash once it is mined, or with the error message. */
export function sendFromFaucet(
  exchange: SandboxExchange,
  request: { address: string; asset: string; amount: string },
  visitor: Visitor,
) {
  return post(exchange, { path: "/sandbox/faucet", body: request, visitor });
}

/** Resolves with the transaction hash once it is in a block, or with the error message. */
export function payMob(exchange: SandboxExchange, request: { address: string; amount: string }, visitor: Visitor) {
  return post(exchange, { path: "/sandbox/mobilecoin/pay", body: request, visitor });
}

type Post = { path: string; body: object; visitor: Visitor };

async function post({ sandbox }: SandboxExchange, { path, body, visitor }: Post): Promise<{ hash: string } | Failure> {
  const response = await sandbox.fetch(toRequest(path, body), visitor);
  const result: unknown = await response.json().catch(() => null);
  if (response.ok) return z.object({ hash: z.string() }).parse(result);
  const failure = z.object({ detail: z.object({ message: z.string() }) }).safeParse(result);
  return { error: failure.data?.detail.message ?? noResponse };
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
