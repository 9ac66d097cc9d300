/** The errors of API calls. */
import * as errorTexts from "../lib/error-catalogue";

/** C11: a response with a status of 400 or more. */
export class ApiError extends Error {
  readonly status: number;
  /** The stable error code of the API, or "" if the response has none. */
  readonly code: string;
  /** `detail.message` of the response, or null if it has none; `message` is then a placeholder. */
  readonly detailMessage: string | null;
  /** Field name → what is wrong with it. */
  readonly fields: Record<string, string>;
  /** Seconds from the Retry-After header, or null. */
  readonly retryAfter: number | null;

  constructor(status: number, body: unknown, retryAfter: number | null) {
    const detail = readDetail(body);
    super(detail.message ?? `The exchange responded with status ${status}.`);
    this.name = "ApiError";
    this.status = status;
    this.code = detail.code;
    this.detailMessage = detail.message;
    this.fields = detail.fields;
    this.retryAfter = retryAfter;
  }
}

/**
 * What a page shows: the exchange's message, or the catalogue's text for a response without one, such as a proxy's 502.
 */
export const toErrorText = ({ detailMessage }: ApiError): string => detailMessage ?? errorTexts.unknown;

/** There was no complete response: a network error, a timeout, or a truncated body. */
export class ApiUnreachableError extends Error {
  constructor(options: ErrorOptions) {
    super("The exchange could not be reached.", options);
    this.name = "ApiUnreachableError";
  }
}

/** The response does not match the contract. */
export class ApiContractError extends Error {
  constructor(call: string, options?: ErrorOptions) {
    super(`The response to ${call} does not match the contract.`, options);
    this.name = "ApiContractError";
  }
}

/** Whether the exchange's response was missing or unusable, such as a proxy's maintenance page. */
export function isUnavailable(error: unknown): error is ApiUnreachableError | ApiContractError {
  return error instanceof ApiUnreachableError || error instanceof ApiContractError;
}

/** Whether the error is an ApiError, optionally with the given status. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  return error instanceof ApiError && (status === undefined || error.status === status);
}

/** The call's result, or null if the exchange refused it or is unavailable. Rejects with any other error. */
export async function orNullIfUnavailable<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isApiError(error) || isUnavailable(error)) return null;
    throw error;
  }
}

/**
 * The call's result, or null after a 404: there is nothing to return, or the server (`API_URL`) doesn't know the call.
 */
export async function orNullIfUnknown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isApiError(error, 404)) return null;
    throw error;
  }
}

/** The seconds of a Retry-After header (a number or a date), or null if it is absent or invalid. */
export function parseRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  // `Date.parse` would also read two numbers as a date, and two headers are joined into two numbers.
  const date = header.trim().endsWith("GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - nowMs) / 1000);
}

function readDetail(body: unknown): { message: string | null; code: string; fields: Record<string, string> } {
  const detail = isRecord(body) && isRecord(body.detail) ? body.detail : {};
  const fields = isRecord(detail.fields) ? detail.fields : {};
  return {
    message: typeof detail.message === "string" && detail.message !== "" ? detail.message : null,
    code: typeof detail.code === "string" ? detail.code : "",
    fields: Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
