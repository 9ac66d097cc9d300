/**
 * Operating errors of the exchange: what can go wrong while everybody behaves.
 * One table gives each code its HTTP status and its words; a programmer's error is
 * an `invariant` and ends as a 500 with an id and no details.
 */
const table = {
  bad_request: [400, "The request could not be read."],
  method_not_allowed: [405, "This cannot be done here."],
  body_too_large: [413, "The request is too large."],
  idempotency_key_missing: [400, "Send an Idempotency-Key header, so that a repeated request is not a second one."],
  invalid: [422, "Some of what was sent is not valid."],
  idempotency_key_reused: [422, "This Idempotency-Key was used for another request."],
  address_invalid: [422, "This is not a valid address."],
  amount_invalid: [422, "This is not a valid amount."],
  amount_too_small: [422, "The amount is below the minimum."],
  amount_too_large: [422, "The amount is above the maximum."],

  token_missing: [401, "Sign in to continue."],
  token_expired: [401, "Token expired"],
  code_wrong: [401, "This code is not right or no longer valid."],
  challenge_invalid: [401, "This sign-in attempt is no longer valid. Start again."],
  passkey_invalid: [401, "The passkey could not be verified."],
  passkeys_none: [401, "No passkeys registered for user"],
  refresh_invalid: [401, "Token expired"],
  webhook_invalid: [401, "The signature does not fit."],

  passkey_required: [403, "Sign in with a passkey to do this."],
  passkey_too_old: [403, "Confirm with your passkey once more to do this."],
  user_inactive: [403, "This account is not active."],
  user_blocked: [403, "Unauthorized"],
  email_unproven: [403, "Prove your e-mail address first."],
  kyc_required: [403, "Identity verification is needed before you can swap."],

  not_found: [404, "Not found."],

  conflict: [409, "The state does not allow this."],
  idempotency_in_flight: [409, "The same request is being worked on."],
  quote_expired: [409, "This quote has expired. Ask for a new one."],
  quote_locked: [409, "This quote is locked already."],
  offer_expired: [409, "This offer has expired. Here is a new one."],
  already_decided: [409, "This has been decided otherwise already."],
  order_funded: [409, "A deposit was seen; the swap can no longer be cancelled."],
  order_closed: [409, "This swap takes no payment any more. Send nothing to its address."],
  too_many_orders: [409, "Too many swaps await your deposit. Pay or cancel one first."],
  too_many_addresses: [409, "You keep as many addresses as an account may have. Remove one first."],
  passkey_last: [409, "This is your only way to sign in. Add another passkey or prove your e-mail first."],
  kyc_state: [409, "Your application cannot be sent in its present state."],

  rate_limited: [429, "Too many requests. Wait a moment and try again."],
  internal: [500, "Something went wrong on our side. Nothing was half done; try again."],
  swaps_stopped: [503, "New swaps are stopped for the moment. Swaps under way go on."],
  rate_unknown: [503, "No trustworthy rate is known at the moment. Try again shortly."],
  liquidity: [503, "We cannot cover a swap of this size at the moment. Try a smaller one or later."],
  starting: [503, "The exchange is starting."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof table;

type Details = {
  /** Replaces the table's words where there is more to say. Never carries a secret. */
  message?: string;
  /** Field → what is wrong with it. */
  fields?: Record<string, string>;
  /** Seconds until trying again makes sense (429, 503). */
  retryAfterSeconds?: number;
  /** Further members of the answer's body beside `detail`, such as a new offer. */
  extra?: Record<string, unknown>;
  cause?: unknown;
};

/** An error that the caller may read. `status` follows from `code`. */
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

/** Throws where the program itself is wrong. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant: ${message}`);
}
