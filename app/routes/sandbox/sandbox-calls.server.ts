import { z } from "zod";
import { statusSchema } from "~/api/contract";
import { type Exchange, getExchange } from "~/api/exchange.server";
import { getConfig } from "~/config.server";
import { raiseNotFound } from "~/session/responses.server";

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
type Refusal = { error: string };

/** The exchange with its sandbox. Raises 404 in live mode, and where the exchange is another server (T20). */
export async function requireSandbox(): Promise<SandboxExchange> {
  if (!getConfig().hasSandbox) return raiseNotFound();
  const exchange = await getExchange();
  const { sandbox } = exchange;
  return sandbox ? { ...exchange, sandbox } : raiseNotFound();
}

/** The newest first; everybody's where `to` is null. */
export async function readInbox({ sandbox }: SandboxExchange, to: string | null): Promise<SandboxMail[]> {
  const search = to === null ? "" : `?${new URLSearchParams({ to })}`;
  return mailSchema.array().parse(await (await sandbox.fetch(toRequest(`/sandbox/inbox${search}`))).json());
}

/** The tester's MobileCoin wallet; what came to it newest first. */
export async function readMobWallet({ sandbox }: SandboxExchange): Promise<SandboxMobWallet> {
  const answer = await sandbox.fetch(toRequest("/sandbox/mobilecoin/wallet"));
  const wallet = walletSchema.parse(await answer.json());
  return { ...wallet, received: wallet.received.sort((a, b) => b.at.localeCompare(a.at)) };
}

/** As /api/status says; null until it can. */
export async function readStatus(exchange: SandboxExchange) {
  const answer = await exchange.fetch(toRequest("/api/status"));
  return answer.ok ? statusSchema.parse(await answer.json()) : null;
}

/** POST /sandbox/faucet. Resolves with the hash when it is mined, or with the refusal's words. */
export function askFaucet(exchange: SandboxExchange, request: { address: string; asset: string; amount: string }) {
  return post(exchange, "/sandbox/faucet", request);
}

/** POST /sandbox/mobilecoin/pay. Resolves when it is in a block. */
export function payMob(exchange: SandboxExchange, request: { address: string; amount: string }) {
  return post(exchange, "/sandbox/mobilecoin/pay", request);
}

async function post({ sandbox }: SandboxExchange, path: string, body: object): Promise<{ hash: string } | Refusal> {
  const answer = await sandbox.fetch(toRequest(path, body));
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return z.object({ hash: z.string() }).parse(said);
  const refusal = z.object({ detail: z.object({ message: z.string() }) }).safeParse(said);
  return { error: refusal.data?.detail.message ?? "The sandbox did not answer. Try again." };
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
