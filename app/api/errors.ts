/** What can go wrong with a call of the API, told apart. C11: any status of 400 or more is an ApiError. */

/** C11: what the exchange answered with a status of 400 or more. */
export class ApiError extends Error {
  readonly status: number;
  /** The exchange's stable code, or "" where another server gave none. */
  readonly code: string;
  /** detail.message, or null where the answer carried none; then `message` is a stand-in. */
  readonly detailMessage: string | null;
  /** Field → what is wrong with it. */
  readonly fields: Record<string, string>;
  /** Seconds; null where not told. */
  readonly retryAfter: number | null;
  /** The whole answer as parsed JSON; unchecked. */
  readonly body: unknown;

  constructor(status: number, body: unknown, retryAfter: number | null) {
    const detail = readDetail(body);
    super(detail.message ?? `The exchange answered ${status}.`);
    this.name = "ApiError";
    this.status = status;
    this.code = detail.code;
    this.detailMessage = detail.message;
    this.fields = detail.fields;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/** No answer at all: the network, a timeout, a body that broke off. */
export class ApiUnreachableError extends Error {
  constructor(options: ErrorOptions) {
    super("The exchange could not be reached.", options);
    this.name = "ApiUnreachableError";
  }
}

/** An answer that is not what the contract says. */
export class ApiContractError extends Error {
  constructor(call: string, options?: ErrorOptions) {
    super(`The answer to ${call} does not fit the contract.`, options);
    this.name = "ApiContractError";
  }
}

/** Whether it is an answer of the exchange, of this status where one is given. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  return error instanceof ApiError && (status === undefined || error.status === status);
}

/** Seconds from a Retry-After header (a number or a date), or null. */
export function parseRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
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
