import ky, { HTTPError, TimeoutError } from "ky";
import type { Logger } from "pino";
import { z } from "zod";
import { BodyTooLargeError, fetchWhole } from "../../../lib/http/whole-responses";

/** A page of 500 outputs or payments takes a few MB. */
const maxBytes = 64 * 1024 * 1024;

/** An error returned by full-service. It has no stable error codes, only a Rust Debug string. */
export class FullServiceError extends Error {
  constructor(
    readonly method: string,
    /** For example `Database(TxoNotFound("ab…"))`. */
    readonly serverError: string,
    details: string,
  ) {
    super(`full-service ${method}: ${serverError} (${details})`);
    this.name = "FullServiceError";
  }

  /**
   * Whether the name of this error, or of an error it wraps, starts with `name`. Each layer
   * wraps the error of the layer below: `TransactionBuilder(WalletDb(NoSpendableTxos))`, or, for calls to the network,
   * `Retry(Error { error: Grpc(…), total_delay: …, tries: … })`.
   */
  is(name: string): boolean {
    const layers = /^\w+(?:(?:\(| \{ error: )\w+)*/.exec(this.serverError)?.[0].split(/\(| \{ error: /) ?? [];
    return layers.some((layer) => layer.startsWith(name));
  }

  /** While any account resyncs, every call returns this error. */
  get isResyncing(): boolean {
    return this.message.includes("Resync in progress");
  }
}

export type FullService = {
  call<S extends z.ZodTypeAny>(method: string, params: Record<string, unknown>, schema: S): Promise<z.output<S>>;
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
 * A JSON-RPC client for full-service's wallet API v2. Calls are not retried: the jobs run
 * again anyway, and only the caller knows what a lost response means.
 *
 * A call rejects with `FullServiceError` when the wallet returned an error, and with a plain
 * `Error` when it could not be reached or its response is not valid.
 */
export function createFullService(options: {
  url: string;
  apiKey?: string;
  timeoutMs: number;
  log: Logger;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof fetch;
}): FullService {
  const headers: Record<string, string> = options.apiKey ? { "x-api-key": options.apiKey } : {};
  const http = ky.create({
    timeout: options.timeoutMs,
    retry: 0,
    headers,
    redirect: "error",
    fetch: fetchWhole(maxBytes, options.fetch),
  });

  return {
    async call(method, params, schema) {
      const started = performance.now();
      const body: unknown = await http
        .post(options.url, { json: { method, params, jsonrpc: "2.0", id: 1 } })
        .json()
        .catch((error: unknown) => {
          throw new Error(`full-service ${method}: ${describeRequestError(error)}`, { cause: error });
        });
      options.log.trace({ method, ms: Math.round(performance.now() - started) }, "full-service responded");

      const response = envelope.safeParse(body);
      if (!response.success) throw new Error(`full-service ${method}: not a JSON-RPC response`);
      if ("error" in response.data) {
        const { message, data } = response.data.error;
        throw new FullServiceError(method, toText(data?.server_error ?? message), toText(data?.details ?? ""));
      }
      const result = schema.safeParse(response.data.result);
      if (!result.success) {
        // Only member names, never values: a response may contain keys.
        const where = result.error.issues.map((issue) => `${issue.path.join(".")} (${issue.code})`).join(", ");
        throw new Error(`full-service ${method}: unexpected response: ${where}`);
      }
      return result.data;
    },
  };
}

function describeRequestError(error: unknown): string {
  if (error instanceof TimeoutError) return "the request timed out";
  if (error instanceof BodyTooLargeError) return "the response is too large";
  if (error instanceof HTTPError) {
    return error.response.status === 401 ? "the API key is wrong (HTTP 401)" : `HTTP ${error.response.status}`;
  }
  return "it cannot be reached";
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
