import ky, { HTTPError, TimeoutError } from "ky";
import type { Logger } from "pino";
import { z } from "zod";

/** An error that full-service itself answered. It has no stable codes, only a Rust Debug string (fact 21). */
export class FullServiceError extends Error {
  constructor(
    readonly method: string,
    /** Such as `Database(TxoNotFound("ab…"))`. */
    readonly serverError: string,
    details: string,
  ) {
    super(`full-service ${method}: ${serverError} (${details})`);
    this.name = "FullServiceError";
  }

  /**
   * Whether this error, or one that it wraps, begins with `name`: errors are wrapped in the
   * name of the layer, as in `TransactionBuilder(WalletDb(NoSpendableTxos))`.
   */
  is(name: string): boolean {
    const layers = /^\w+(?:\(\w+)*/.exec(this.serverError)?.[0].split("(") ?? [];
    return layers.some((layer) => layer.startsWith(name));
  }

  /** While any account resyncs every call errors (fact 46). */
  get isResyncing(): boolean {
    return this.message.includes("Resync in progress");
  }
}

export type FullService = {
  call<S extends z.ZodTypeAny>(method: string, params: Record<string, unknown>, answer: S): Promise<z.output<S>>;
};

const envelope = z.union([
  z.object({
    error: z.object({
      message: z.string().default(""),
      data: z.object({ server_error: z.unknown(), details: z.unknown() }).partial().nullish(),
    }),
  }),
  z.object({ result: z.unknown() }),
]);

/**
 * JSON-RPC over HTTP to full-service's wallet API v2. One try a call: the jobs that call
 * come again by themselves, and what a lost answer means only the caller knows.
 *
 * Rejects with `FullServiceError` where the wallet answered an error, with an ordinary error
 * where it could not be reached or its answer is not understood.
 */
export function createFullService(options: {
  url: string;
  apiKey?: string;
  timeoutMs: number;
  log: Logger;
}): FullService {
  const headers: Record<string, string> = options.apiKey ? { "x-api-key": options.apiKey } : {};
  const http = ky.create({ timeout: options.timeoutMs, retry: 0, headers });

  return {
    async call(method, params, answer) {
      const started = performance.now();
      const body: unknown = await http
        .post(options.url, { json: { method, params, jsonrpc: "2.0", id: 1 } })
        .json()
        .catch((error: unknown) => {
          throw new Error(`full-service ${method}: ${toWords(error)}`, { cause: error });
        });
      options.log.trace({ method, ms: Math.round(performance.now() - started) }, "full-service answered");

      const read = envelope.safeParse(body);
      if (!read.success) throw new Error(`full-service ${method}: the answer is no JSON-RPC answer`);
      if ("error" in read.data) {
        const { message, data } = read.data.error;
        throw new FullServiceError(method, toText(data?.server_error ?? message), toText(data?.details ?? ""));
      }
      const result = answer.safeParse(read.data.result);
      if (!result.success) {
        // The issues name members, never values: an answer may hold keys.
        const where = result.error.issues.map((issue) => `${issue.path.join(".")} (${issue.code})`).join(", ");
        throw new Error(`full-service ${method}: the answer is not understood: ${where}`);
      }
      return result.data;
    },
  };
}

function toWords(error: unknown): string {
  if (error instanceof TimeoutError) return "no answer in time";
  if (error instanceof HTTPError) {
    return error.response.status === 401 ? "the API key is wrong (HTTP 401)" : `HTTP ${error.response.status}`;
  }
  return "it cannot be reached";
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
