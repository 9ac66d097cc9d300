import { rm } from "node:fs/promises";
import pino from "pino";
import type { z } from "zod";
import { parseConfig } from "~/config/config.server";
import { bootExchange, type Exchange } from "~/exchange.server/index";
import { startSandbox } from "~/sandbox.server/sandbox";
import { createDataDirectory } from "./data-directory";
import { type Backend, signUp } from "./sign-up";
import { until } from "./until";

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type ApiResponse<T = any> = { status: number; body: T; headers: Headers };

/**
 * The whole exchange as `npm start` boots it, with PGlite, its workers, a real anvil and the full-service
 * double. Called only through its `fetch`, like an external client.
 */
export async function startSandboxExchange() {
  const dataDir = await createDataDirectory("sandbox");
  const config = parseConfig({ SANDBOX_KYC_DELAY_MS: "0", DATA_DIR: dataDir });
  const exchange: Exchange = await bootExchange(config, pino({ level: "silent" }), startSandbox);
  await exchange.workers.start();

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  async function call<T = any>(
    method: string,
    path: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse<T>> {
    const headers = new Headers(options.headers);
    if (options.token) headers.set("X-Auth-Token", options.token);
    if (options.body !== undefined) headers.set("Content-Type", "application/json");
    const request = new Request(`${config.origin}${path}`, {
      method,
      headers,
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
    const response = path.startsWith("/sandbox")
      ? await exchange.sandbox?.fetch(request)
      : await exchange.fetch(request);
    if (!response) throw new Error("This exchange has no sandbox.");
    const text = await response.text();
    const json = response.headers.get("Content-Type")?.includes("json") === true && text !== "";
    return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
  }

  const backend: Backend = {
    origin: config.origin,
    fetch: exchange.fetch,
    readCode: (email) =>
      until("the code", async () => {
        const { body } = await call<{ code: string | null }[]>("GET", `/sandbox/inbox?to=${encodeURIComponent(email)}`);
        return body.find((mail) => mail.code)?.code;
      }),
    untilReviewed: (api) => until("the decision", async () => (await api.getKyc()).status !== "pending"),
  };

  return {
    config,
    exchange,
    call,
    /** Calls, requires a status, and parses the response with a schema of the contract. */
    async read<S extends z.ZodTypeAny>(
      schema: S,
      status: number,
      ...args: Parameters<typeof call>
    ): Promise<z.infer<S>> {
      const response = await call(...args);
      if (response.status !== status)
        throw new Error(`${args[0]} ${args[1]}: ${response.status} ${JSON.stringify(response.body)}`);
      return schema.parse(response.body);
    },
    /** Signs up a customer with a passkey, a verified address and approved KYC. Returns the token. */
    signUp: async (email: string): Promise<string> => (await signUp(backend, email)).tokens.access_token,
    async stop() {
      await exchange.workers.stop();
      await exchange.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
