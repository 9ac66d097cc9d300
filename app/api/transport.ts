import ky, { HTTPError, type Options, TimeoutError } from "ky";
import type { z } from "zod";
import { requestRetries, requestTimeoutMs } from "../lib/constants";
import { BodyTooLargeError, fetchWhole } from "../lib/http/whole-responses";
import { ApiContractError, ApiError, ApiUnreachableError, parseRetryAfter } from "./errors";

export type TransportOptions = {
  /** Sends a request: the embedded exchange's `fetch`, or one over HTTP. */
  fetch(request: Request): Promise<Response>;
  /** Scheme, host and port, and a path if the API is not at the root. */
  baseUrl: string;
  /** C01: read for every attempt, so that retries use a refreshed token. Null if signed out. */
  accessToken: () => string | null;
  /** The longest total wait between attempts, in ms, so that Retry-After cannot hold a loader for minutes. */
  waitBudgetMs?: number;
  timeoutMs?: number;
  /** Gets every response that does not match the contract, for the log. */
  onContractError?: (error: ApiContractError) => void;
  /**
   * Aborted once the responses are no longer needed. New calls are then refused, and calls that only read are
   * cancelled. A call that changes something is never cancelled, because it may have taken effect.
   */
  signal?: AbortSignal | undefined;
  /** The visitor's User-Agent. The list of sessions shows it, so that visitors recognise their devices. */
  userAgent?: string;
};

export type Call = {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  search?: Record<string, string | number | undefined>;
  json?: unknown;
  headers?: Record<string, string>;
  /** C02, C03: the number of retries, if not three. */
  retries?: number;
  /** A POST that has the same effect when it is sent again. */
  isRepeatable?: boolean;
  /**
   * The caller reads the body as it arrives. All other bodies, including error bodies, must arrive before the timeout.
   */
  isStream?: boolean;
};

/** Several times the size of the longest list. */
const maxBodyBytes = 16 * 1024 * 1024;
/** A call that has taken this long is not tried again. Otherwise a page could take several timeouts to load. */
const retryWindowMs = 10_000;

export type Transport = {
  /** Resolves with a response below 300. @throws ApiError, ApiUnreachableError, ApiContractError */
  send(call: Call): Promise<Response>;
  /** Resolves with the JSON, checked against the schema. @throws ApiError, ApiUnreachableError, ApiContractError */
  read<T extends z.ZodTypeAny>(schema: T, call: Call): Promise<z.output<T>>;
  /** The error of a response that does not match the contract, once it is logged. */
  toContractError(call: Call, cause: unknown): ApiContractError;
};

/**
 * C11, built on ky: a timeout of 60 s and up to three retries of idempotent methods on network errors,
 * 429 and 5xx, with exponential backoff and jitter, honouring Retry-After.
 */
export function createTransport(options: TransportOptions): Transport {
  const toContractError: Transport["toContractError"] = ({ method = "GET", path }, cause) => {
    const error = new ApiContractError(`${method} ${path}`, { cause });
    options.onContractError?.(error);
    return error;
  };

  const send = async (call: Call): Promise<Response> => {
    if (options.signal?.aborted) throw new ApiUnreachableError({ cause: options.signal.reason });
    const isRead = (call.method ?? "GET") === "GET";
    const startedAt = performance.now();
    let waitLeftMs = options.waitBudgetMs ?? Number.POSITIVE_INFINITY;
    let waitMs = 0;
    const receive = (input: RequestInfo | URL) => options.fetch(input as Request);
    const receiveStream = async (input: RequestInfo | URL) => {
      const response = await receive(input);
      return response.ok ? response : fetchWhole(maxBodyBytes, async () => response)(input);
    };
    const kyOptions: Options = {
      method: call.method ?? "GET",
      fetch: call.isStream ? receiveStream : fetchWhole(maxBodyBytes, receive),
      redirect: "error",
      timeout: options.timeoutMs ?? requestTimeoutMs,
      retry: {
        limit: call.retries ?? requestRetries,
        methods: call.isRepeatable ? ["get", "delete", "post"] : ["get", "delete"],
        // By default, ky also waits as long as headers such as RateLimit-Reset say, and for weeks after a Retry-After
        // that it cannot read.
        shouldRetry: ({ error, retryCount }) => {
          if (options.signal?.aborted || !isTemporary(error)) return false;
          if (performance.now() - startedAt > retryWindowMs) return false;
          waitMs = toWaitMs(error, retryCount);
          if (waitMs > waitLeftMs) return false;
          waitLeftMs -= waitMs;
          return true;
        },
        delay: () => waitMs,
      },
      hooks: {
        beforeRequest: [
          (request) => {
            const token = options.accessToken();
            if (token === null) request.headers.delete("X-Auth-Token");
            else request.headers.set("X-Auth-Token", token);
          },
        ],
      },
      headers: {
        accept: "application/json",
        ...(options.userAgent && { "User-Agent": options.userAgent }),
        ...call.headers,
      },
      ...(isRead && options.signal && { signal: options.signal }),
      ...(call.json !== undefined && { json: call.json }),
      ...(call.search && { searchParams: call.search }),
    };
    try {
      return await ky(options.baseUrl.replace(/\/$/, "") + call.path, kyOptions);
    } catch (error) {
      if (!(error instanceof HTTPError)) throw new ApiUnreachableError({ cause: error });
      // Our requests should never get a response such as 304.
      if (error.response.status < 400) throw toContractError(call, error);
      throw await toApiError(error.response);
    }
  };

  return {
    send,
    async read(schema, call) {
      const response = await send(call);
      try {
        return schema.parse(await response.json());
      } catch (cause) {
        throw toContractError(call, cause);
      }
    },
    toContractError,
  };
}

/** Whether the next attempt may succeed: after a network error, 429 and 5xx. */
function isTemporary(error: Error): boolean {
  if (error instanceof HTTPError) return error.response.status === 429 || error.response.status >= 500;
  return !(error instanceof TimeoutError || error instanceof BodyTooLargeError);
}

/** How long to wait after an attempt; attempts are counted from 1. */
function toWaitMs(error: Error, attempt: number): number {
  const seconds = error instanceof HTTPError ? readRetryAfter(error.response) : null;
  return seconds === null ? 250 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2) : seconds * 1000;
}

const readRetryAfter = ({ headers }: Response) => parseRetryAfter(headers.get("retry-after"));

async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  return new ApiError(response.status, body, readRetryAfter(response));
}
