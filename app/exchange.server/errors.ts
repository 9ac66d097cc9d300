/**
 * The errors a caller may see, each with its HTTP status and default message. Bugs are not in this
 * table: they throw `invariant` errors, which become a 500 with a request id and no details.
 */
const table = {
  bad_request: [400, "The request couldn't be read."],
  method_not_allowed: [405, "This method is not allowed here."],
  body_too_large: [413, "The request is too large."],
  encoding_unsupported: [415, "Send the body as JSON in UTF-8, without Content-Encoding."],
  idempotency_key_missing: [400, "Send an Idempotency-Key header, so that a repeated request has no second effect."],
  invalid: [422, "Some of the values are not valid."],
  idempotency_key_reused: [422, "This Idempotency-Key was used for a different request."],
  address_invalid: [422, "This is not a valid address."],
  amount_invalid: [422, "This is not a valid amount."],
  amount_too_small: [422, "The amount is below the minimum."],
  amount_too_large: [422, "The amount is above the maximum."],

  token_missing: [401, "Sign in to continue."],
  token_expired: [401, "Token expired"],
  code_wrong: [401, "This code is wrong or has expired."],
  challenge_invalid: [401, "This sign-in attempt is no longer valid. Start again."],
  passkey_invalid: [401, "We couldn't verify the passkey."],
  passkeys_none: [401, "No passkeys registered for user"],
  refresh_invalid: [401, "Token expired"],
  webhook_invalid: [401, "The signature is not valid."],

  passkey_required: [403, "Sign in with a passkey to do this."],
  passkey_paused: [
    403,
    "This passkey is paused, because the account was recovered recently. Sign in with another passkey, or with a code.",
  ],
  passkey_too_old: [403, "Confirm with your passkey again to do this."],
  user_inactive: [403, "This account is not active."],
  user_blocked: [403, "Unauthorized"],
  email_unproven: [403, "Confirm your e-mail address first."],
  kyc_required: [403, "Verify your identity before you swap."],

  not_found: [404, "Not found."],

  conflict: [409, "This is no longer possible: something has changed in the meantime."],
  idempotency_in_flight: [409, "We're still working on this. Wait a moment and try again."],
  quote_expired: [409, "This price has expired. Get a new one."],
  quote_locked: [409, "This price is already locked."],
  offer_expired: [409, "This price has expired. Here is a new one."],
  already_decided: [
    409,
    "This decision has already been made, by you, by our team, or because the time to choose has ended.",
  ],
  order_funded: [409, "We've seen a payment, so you can no longer cancel this swap."],
  order_closed: [409, "This swap no longer accepts payments. Don't send anything to its address."],
  too_many_orders: [409, "You have too many swaps waiting for a payment. Pay for one or cancel one first."],
  too_many_addresses: [409, "You have reached the maximum number of saved addresses. Remove one first."],
  too_many_alerts: [409, "You have reached the maximum number of price alerts. Remove one first."],
  passkey_last: [409, "This is your only way to sign in. Add another passkey or confirm your e-mail address first."],
  deletion_refused: [
    409,
    "You can't delete your account yet: a swap is open, money is on its way, or the account was recovered recently.",
  ],
  recovered_recently: [
    409,
    "The account was recovered with an e-mail code recently. To protect you, you have to wait before you can do this.",
  ],
  kyc_state: [409, "You can't send an application now: it is already in review or approved."],

  rate_limited: [429, "Too many requests in a short time. Wait a moment."],
  internal: [500, "Something went wrong on our side. Check whether your change was saved before you try again."],
  swaps_stopped: [503, "New swaps are paused. If you have already paid for a swap, we complete it or refund it."],
  rate_unknown: [503, "We have no reliable rate right now. Try again shortly."],
  liquidity: [503, "We can't cover a swap of this size right now. Try a smaller amount, or try again later."],
  names_unavailable: [503, "We can't look up names right now. Enter the address, which starts with 0x."],
  starting: [503, "The exchange is starting."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof table;
export const errorCodes = Object.keys(table);

type Details = {
  /** Replaces the default message. Must not contain secrets. */
  message?: string;
  /** A message for each invalid field. */
  fields?: Record<string, string>;
  /** Becomes the Retry-After header (429, 503). */
  retryAfterSeconds?: number;
  /** Further properties of the response body beside `detail`, such as a new offer. */
  extra?: Record<string, unknown>;
  cause?: unknown;
};

/** An error that is returned to the caller. */
export class ExchangeError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly extra: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? table[code][1], { cause: details.cause });
    this.name = "ExchangeError";
    this.code = code;
    this.status = table[code][0];
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.extra = details.extra;
  }
}

/** Throws if a condition that only a bug can break is false. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant: ${message}`);
}
