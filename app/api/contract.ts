/**
 * The contract of the exchange's HTTP API.
 *
 * JSON with snake_case names. Amounts are decimal strings in the unit of the asset ("250.5", with up to
 * 6 decimals of USDT and 12 of MOB), rates are decimal strings of target per 1 source with 12 decimals,
 * times are ISO 8601 in UTC, and errors are `{detail: {message, code, fields?}}`.
 *
 * The exchange parses requests with these schemas and generates GET /api/openapi.json from them. The
 * site's server checks responses with them. Browser code imports only types, to keep zod out of the browser.
 */
import { z } from "zod";
import { addressTypes, assetSymbols } from "../lib/assets";
import { acceptedDocuments } from "../lib/consent";
import { invalidEmailMessage, isEmailLike } from "../lib/email";
import { decimalPattern } from "../lib/money";
import { isVisible, toLines, toOneLine } from "../lib/one-line";
import { longestSearch, orderGroupNames, shortestSearch } from "../lib/order-filters";
import { decisionChoices, decisionReasons, orderStatuses } from "../lib/order-states";
import type { SwapMail } from "../lib/swap-mails";

const assetSymbol = z.enum(assetSymbols);
const time = z.string().datetime();
const decimal = z.string().regex(decimalPattern, "an amount such as 250 or 250.5");
/** Free text that is displayed later, without invisible characters (see lib/one-line). */
const shownText = (longest: number) => z.string().trim().max(longest).transform(toOneLine);
const shownName = (longest: number) => shownText(longest).refine(isVisible, `1 to ${longest} visible characters`);
/** An e-mail address. Zod's `email()` refuses international domains, so only the exchange checks it fully. */
const identifier = z.string().trim().refine(isEmailLike, invalidEmailMessage);
/** The embedded exchange uses 128 random bits as base64url. */
const id = z.string().min(1).max(64);

/**
 * The body of every response with a status of 400 or more. `fields` maps field names to messages;
 * `request_id` names an unexpected failure in the log; `reason` says why new swaps are paused.
 */
export const errorSchema = z.object({
  detail: z.object({
    message: z.string(),
    code: z.string(),
    fields: z.record(z.string()).optional(),
    request_id: z.string().optional(),
  }),
  reason: z.string().optional(),
});
export type ApiErrorBody = z.infer<typeof errorSchema>;

// ── signing in ──────────────────────────────────────────────────────────────

/**
 * A base64url field of a WebAuthn response, several times as long as browsers send. It may be CBOR, and decoding 48 kB of
 * tiny values takes tens of milliseconds (T14).
 */
const webAuthnBytes = z.string().max(8_192).nullish();

/** A WebAuthn response as JSON. Only checks types, and keeps any other fields that the browser sends. */
const webAuthnResponseSchema = z
  .object({
    id: z.string(),
    response: z
      .object({
        clientDataJSON: webAuthnBytes,
        authenticatorData: webAuthnBytes,
        signature: webAuthnBytes,
        userHandle: webAuthnBytes,
        attestationObject: webAuthnBytes,
        transports: z.array(z.string()).nullish(),
      })
      .passthrough()
      .optional(),
  })
  .passthrough();

/** C04, C05 and C06 share one path and differ in their fields. */
export const authRequestSchema = z.union([
  z
    .object({
      auth_method: z.literal("email"),
      credentials: z.object({ identifier, device_token: z.string().max(100).optional() }).strict(),
    })
    .strict(),
  z
    .object({
      auth_method: z.literal("email").optional(),
      credentials: z
        .object({
          challenge_id: id,
          auth_data: z.object({ code: z.string().regex(/^[0-9]{6}$/, "six digits") }).strict(),
        })
        .strict(),
    })
    .strict(),
  z
    .object({
      auth_method: z.literal("passkey").optional(),
      credentials: z.object({ challenge_id: id, auth_data: webAuthnResponseSchema }).strict(),
    })
    .strict(),
  z.object({ auth_method: z.literal("passkey") }).strict(),
]);

/** V09: the 202 response to the first step of a sign-in. `challenge` is "email" or WebAuthn options. */
export const challengeSchema = z.object({
  challenge_id: id,
  challenge: z.union([z.literal("email"), z.record(z.unknown())]),
});
export type Challenge = z.infer<typeof challengeSchema>;

/** C08 and C09: the account by e-mail address, and WebAuthn options as JSON for it. */
export const passkeyOptionsRequestSchema = z.object({ identifier }).strict();
export const passkeyOptionsSchema = z.object({ challenge_id: id, options: z.record(z.unknown()) });
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

/** C10. `attestation` is a RegistrationResponseJSON. */
export const passkeyVerifyRequestSchema = z
  .object({ identifier, challenge_id: id, attestation: webAuthnResponseSchema })
  .strict();

/** Longer tokens would not fit into the session's cookie: browsers accept at most 4,096 bytes. */
export const maxTokenLength = 1_400;
const tokenFormat = `a token of 1 to ${maxTokenLength} visible ASCII characters`;
/** A header cannot hold any other characters. */
const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, tokenFormat)
  .max(maxTokenLength, tokenFormat);

/**
 * V08: a response without an access token is not a sign-in. `device_token` comes with a sign-in to a verified
 * address. If a later request for an e-mail code carries it, requests by others for that address do not limit it.
 */
export const tokensSchema = z.object({
  access_token: token,
  refresh_token: token.optional(),
  device_token: token.optional(),
});
export type Tokens = z.infer<typeof tokensSchema>;

export const refreshRequestSchema = z.object({ refresh_token: z.string().min(1).max(512) }).strict();

// ── the user ────────────────────────────────────────────────────────────────

const kycStatuses = ["not_started", "pending", "approved", "rejected", "action_required"] as const;
const kycStatusSchema = z.enum(kycStatuses);
export type KycStatus = z.infer<typeof kycStatusSchema>;

/** The account of the access token. */
export const userSchema = z.object({
  id,
  email: z.string(),
  email_verified: z.boolean(),
  created_at: time,
  is_active: z.boolean(),
  kyc_status: kycStatusSchema,
  passkey_authenticated: z.boolean(),
  /** Until when payouts of new swaps wait, because the account was recovered. It may have passed. */
  payouts_wait_until: time.nullish(),
});
export type User = z.infer<typeof userSchema>;

/**
 * `backed_up`: the passkey is synced by a passkey provider. `paused_until`: it cannot sign in until this time, because the
 * account was recovered after another passkey had added it.
 */
export const passkeySchema = z.object({
  id,
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
  backed_up: z.boolean(),
  paused_until: time.nullish(),
});
export type Passkey = z.infer<typeof passkeySchema>;
export const passkeyRenameSchema = z.object({ name: shownName(60) }).strict();

/** A signed-in device. `current` is the session of the access token. */
export const sessionSchema = z.object({
  id,
  method: z.enum(["email", "passkey"]),
  created_at: time,
  last_used_at: time,
  current: z.boolean(),
  user_agent: z.string().nullable(),
});
export type Session = z.infer<typeof sessionSchema>;

/**
 * Which e-mails about swaps the user gets. E-mails that ask for a decision, and e-mails about security, are always
 * sent.
 */
export const mailPreferencesSchema = z.object({
  payment_seen: z.boolean(),
  paid_out: z.boolean(),
  refunded: z.boolean(),
} satisfies Record<SwapMail, z.ZodBoolean>);
export type MailPreferences = z.infer<typeof mailPreferencesSchema>;
export const mailPreferencesChangeSchema = mailPreferencesSchema.partial().strict();
export type MailPreferencesChange = z.infer<typeof mailPreferencesChangeSchema>;

const legalDocument = z.enum(acceptedDocuments);

/** A version of one of the operator's documents, named by the site that shows them. */
const documentVersionSchema = z.object({
  document: legalDocument,
  version: z.string().regex(/^[\x21-\x7e]{1,64}$/, "1 to 64 visible ASCII characters"),
});

/** Versions that the user has accepted, newest first. */
export const consentsSchema = z.object({
  items: z.array(z.object({ document: legalDocument, version: z.string(), accepted_at: time })),
});
export type Consents = z.infer<typeof consentsSchema>;
export const consentRequestSchema = z
  .object({ accepted: z.array(documentVersionSchema.strict()).min(1).max(2) })
  .strict();
export type ConsentRequest = z.infer<typeof consentRequestSchema>;

/** Why an account cannot be deleted now. */
export const deletionBlockerSchema = z.discriminatedUnion("reason", [
  /** The swap is not over, or money for it is on its way. */
  z.object({ reason: z.literal("open_swap"), quote_id: z.number().int(), order_number: z.string() }),
  /** The account was recovered with an e-mail code a short while ago. */
  z.object({ reason: z.literal("recovered"), until: time }),
]);
export type DeletionBlocker = z.infer<typeof deletionBlockerSchema>;

/** What deleting the account now would do. */
export const deletionSchema = z.object({
  obstacles: z.array(deletionBlockerSchema),
  /** How long the law requires the exchange to keep records of customers. */
  retention_years: z.number().int(),
  /** When records of who the user was would be deleted; null if there are none to keep. */
  records_kept_until: time.nullable(),
  /** What was too little to send back. It may still be sent to the refund addresses of the user's swaps. */
  set_aside: z.array(z.object({ asset_symbol: assetSymbol, amount: decimal })).optional(),
});
export type Deletion = z.infer<typeof deletionSchema>;

/** `confirm` is required, so that an empty request deletes nothing. Without `proof`, the passkey must be fresh. */
export const deletionRequestSchema = z
  .object({
    confirm: z.literal("delete my account"),
    /** A code for the account's own address, requested with the token of its passkey session. */
    proof: z
      .object({ challenge_id: id, code: z.string().regex(/^[0-9]{6}$/, "six digits") })
      .strict()
      .optional(),
  })
  .strict();
export type DeletionRequest = z.infer<typeof deletionRequestSchema>;

export const kycApplicationSchema = z
  .object({
    first_name: shownName(100),
    last_name: shownName(100),
    date_of_birth: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "a date such as 1990-04-30"),
    country: z.string().regex(/^[A-Z]{2}$/, "a two-letter country code"),
    document_type: z.enum(["passport", "id_card", "driving_licence"]),
    document_number: z
      .string()
      .trim()
      .min(3)
      .max(40)
      .regex(/^[A-Za-z0-9 \-/]+$/, "letters, digits, spaces, - and /"),
  })
  .strict();
export type KycApplication = z.infer<typeof kycApplicationSchema>;

/** `reasons` explain a rejection or the action required. */
export const kycSchema = z.object({
  status: kycStatusSchema,
  reasons: z.array(z.string()),
  updated_at: time.nullable(),
});
export type Kyc = z.infer<typeof kycSchema>;

// ── assets, rates, status ───────────────────────────────────────────────────

/** `decimals` is the number of digits after the point: 6 for USDT, 12 for MOB. */
export const assetSchema = z.object({
  symbol: assetSymbol,
  name: z.string(),
  network: z.enum(["ethereum", "mobilecoin"]),
  decimals: z.number().int(),
});
export const assetsSchema = z.array(assetSchema);

/** Rates and the terms of every swap. Fees are in basis points (1/100 of a percent). */
export const ratesSchema = z.object({
  /** Target per 1 source with 12 decimals, in both directions. Null while no reliable rate is available. */
  rates: z.object({ USDT_MOB: z.string(), MOB_USDT: z.string() }).nullable(),
  updated_at: time.nullable(),
  fee_bps: z.number().int(),
  limits: z.object({ min_usdt: decimal, max_usdt: decimal }),
  /** What a payout in each asset, and a refund, costs in network fees now. */
  payout_cost: z.object({ USDT: decimal, MOB: decimal }),
  refund_cost: z.object({ USDT: decimal, MOB: decimal }),
  /** Confirmations that a deposit needs to count. */
  confirmations: z.object({ USDT: z.number().int(), MOB: z.number().int() }),
  /** How long a quote stays open, how long a locked quote can be paid, and the extra time for late blocks. */
  quote_ttl_seconds: z.number().int(),
  lock_ttl_seconds: z.number().int(),
  grace_seconds: z.number().int(),
  /** USDT per MOB, oldest first. */
  history: z.array(z.object({ at: time, rate: z.string() })),
});
export type Rates = z.infer<typeof ratesSchema>;
/** Rates without the history. */
export type CurrentRates = Omit<Rates, "history">;

/**
 * A chain. `synced`: its node was in sync at a check within the last 30 seconds. `ok`: payments on it are possible,
 * too.
 */
const chainStatusSchema = z.object({
  ok: z.boolean(),
  height: z.number().int().nullable(),
  chain_id: z.union([z.number().int(), z.string()]).nullable(),
  synced: z.boolean(),
  checked_at: time.nullable(),
});
export const statusSchema = z.object({
  mode: z.enum(["sandbox", "live"]),
  accepting_swaps: z.boolean(),
  /** A code for why new swaps are stopped. Null while they are accepted. */
  reason: z.string().nullable(),
  chains: z.object({ ethereum: chainStatusSchema, mobilecoin: chainStatusSchema }),
});
export type Status = z.infer<typeof statusSchema>;

/** Periods of at least a minute in the last 30 days in which new swaps were not accepted, newest first. */
export const statusHistorySchema = z.object({
  /** When the record starts: 30 days ago, or when the exchange was first started. */
  since: time,
  interruptions: z.array(
    z.object({
      /** A code as in the status, or `not_running`. */
      reason: z.string(),
      from: time,
      /** Null if it is not over. */
      to: time.nullable(),
    }),
  ),
});
export type StatusHistory = z.infer<typeof statusHistorySchema>;

// ── support ─────────────────────────────────────────────────────────────────

/** A message to the operator's support address. The e-mail address of a signed-in user is their account's. */
export const supportMessageSchema = z
  .object({
    email: z.string().trim().max(254).email(invalidEmailMessage).optional(),
    /** The number of a swap, as its page shows it. */
    order_number: z.string().trim().max(20).optional(),
    message: z.string().max(4_000).transform(toLines).refine(isVisible, "1 to 4,000 visible characters"),
  })
  .strict();
export type SupportMessage = z.input<typeof supportMessageSchema>;

// ── quotes, orders, addresses ───────────────────────────────────────────────

/** Exactly one of the two amounts is given: what to send, or what to receive. */
export const quoteRequestSchema = z
  .object({
    source_asset_symbol: assetSymbol,
    target_asset_symbol: assetSymbol,
    source_amount: decimal.optional(),
    target_amount: decimal.optional(),
  })
  .strict()
  .refine((q) => q.source_asset_symbol !== q.target_asset_symbol, {
    message: "Choose two different assets.",
    path: ["target_asset_symbol"],
  })
  .refine((q) => (q.source_amount === undefined) !== (q.target_amount === undefined), {
    message: "Give either source_amount or target_amount.",
    path: ["source_amount"],
  });
export type QuoteRequest = z.infer<typeof quoteRequestSchema>;

/** A quote's id in a path or query: a positive integer below 2^53. */
export const quoteIdText = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, "a positive integer below 2^53")
  .transform(Number)
  .refine(Number.isSafeInteger, "a positive integer below 2^53");

/** V05, V06. `id` is an integer below 2^53. `locked_at` is null until the quote is locked. */
export const quoteSchema = z.object({
  id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  status: z.enum(["open", "locked", "used", "expired"]),
  source_asset_symbol: assetSymbol,
  target_asset_symbol: assetSymbol,
  source_amount: decimal,
  target_amount: decimal,
  fee_amount: decimal,
  fee_asset_symbol: assetSymbol,
  exchange_rate: z.string(),
  expires_at: time,
  locked_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type Quote = z.infer<typeof quoteSchema>;

/** IDs of saved addresses. */
export const lockRequestSchema = z.object({ delivery_address_id: id, refund_address_id: id }).strict();
export type LockRequest = z.infer<typeof lockRequestSchema>;

/** Where and how much to pay. `uri` is a payment URI to scan: EIP-681 with the amount, or `mob:` without it. */
export const fundingAddressSchema = z.object({
  asset_symbol: assetSymbol,
  network: z.enum(["ethereum", "mobilecoin"]),
  chain_id: z.union([z.number().int(), z.string()]),
  address: z.string(),
  amount: decimal,
  uri: z.string(),
  /** Opens a wallet on the same device. For MOB a payment request, which Signal's scanner doesn't accept. */
  wallet_link: z.string(),
  expires_at: time,
});
export type FundingAddress = z.infer<typeof fundingAddressSchema>;

/** A deposit, payout or refund of an order. */
export const transactionSchema = z.object({
  id,
  status: z.enum(["pending", "confirmed", "failed"]),
  asset_symbol: assetSymbol,
  amount: decimal,
  /** What was deducted to cover the network fee, in addition to the `amount` that is sent. Only refunds have it. */
  refund_cost: decimal.optional(),
  /** The receiver: payments of one order may go to different addresses. Only payouts and refunds have it. */
  address: z.string().optional(),
  /** On Ethereum the transaction hash, on MobileCoin the public key of the txo. Null until it is known. */
  hash: z.string().nullable(),
  confirmations: z.number().int(),
  required_confirmations: z.number().int(),
  /**
   * True while a deposit waits for its block to be finalized. Until then it is shown at least one confirmation short.
   */
  awaits_finality: z.boolean().optional(),
  /** Until when a payout or refund waits before it is prepared. Absent while it does not wait for a set time. */
  waits_until: time.optional(),
  purpose: z.enum(["deposit", "payout", "refund"]),
  /** When we saw a deposit, or planned a payout or refund. */
  created_at: time,
  /** The time of a deposit's block. Absent for MobileCoin, whose blocks have none, and for payouts and refunds. */
  block_time: time.optional(),
  /** When a payout or refund was sent, which may be long after it was planned. Absent until then, and for deposits. */
  sent_at: time.optional(),
});
export type Transaction = z.infer<typeof transactionSchema>;

/** The decision that an order waits for, and its deadline. After that, the order is refunded. */
export const decisionSchema = z.object({
  reason: z.enum(decisionReasons),
  deadline: time,
  choices: z.array(z.enum(decisionChoices)),
  /** What the choice covers: the confirmed deposits, minus what was refunded or swapped. */
  amount: decimal.optional(),
  /** What a refund would deduct now to cover the network fee. If it is not less than `amount`, nothing is sent. */
  refund_cost: decimal.optional(),
  /** The payout and the fee if the amount received is swapped at the locked rate. Null if `accept` is not a choice. */
  accept: z.object({ target_amount: decimal, fee_amount: decimal }).nullable().optional(),
  /** A new quote for the amount received, if `requote` is a choice. */
  offer: quoteSchema.nullable(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** A swap, from the locked quote to the payout or the refund. */
export const orderSchema = z.object({
  id,
  quote_id: z.number().int(),
  status: z.enum(orderStatuses),
  source_asset_symbol: assetSymbol,
  target_asset_symbol: assetSymbol,
  source_amount: decimal,
  target_amount: decimal,
  fee_amount: decimal,
  fee_asset_symbol: assetSymbol,
  exchange_rate: z.string(),
  delivery_address: z.string(),
  refund_address: z.string(),
  funding_address: z.string(),
  expires_at: time,
  /** Why the order is on hold, and when it is refunded if that is not resolved. Null otherwise. */
  hold: z.object({ reason: z.string(), deadline: time }).nullable(),
  /**
   * The time until which the payout waits: the order was created within 24 h of an account recovery, or support has
   * chosen another payout address that was saved recently. Null otherwise.
   */
  payout_not_before: time.nullable(),
  decision: decisionSchema.nullable(),
  /** The total of all deposits that have not failed. */
  received_amount: decimal.optional(),
  /** What was received but neither swapped nor refunded, because a refund would cost more. */
  set_aside_amount: decimal.optional(),
  /** How many deposits the order has, including failed ones. */
  incoming_count: z.number().int().optional(),
  /** How many deposits have not failed. */
  received_count: z.number().int().optional(),
  /** When the order's tracking link was created. Null if there is none. */
  tracked_since: time.nullable().optional(),
  /** The 20 largest deposits, oldest first; GET /api/swap/swaps/{id}/deposits has all of them. */
  incoming_txs: z.array(transactionSchema),
  outgoing_txs: z.array(transactionSchema),
  created_at: time,
  /** When the order was completed, refunded or cancelled. Null until then. Later deposits do not change it. */
  finished_at: time.nullable().optional(),
  updated_at: time,
});
export type Order = z.infer<typeof orderSchema>;

export const decisionRequestSchema = z.discriminatedUnion("choice", [
  z.object({ choice: z.literal("accept") }).strict(),
  z
    .object({ choice: z.literal("requote"), quote_id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER) })
    .strict(),
  z.object({ choice: z.literal("refund") }).strict(),
]);
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

export const deliveryAddressRequestSchema = z
  .object({
    type: z.enum(addressTypes),
    address: z.string().trim().min(1).max(512),
    label: shownText(60).default(""),
  })
  .strict();
export type DeliveryAddressRequest = z.input<typeof deliveryAddressRequestSchema>;

export const ensNameRequestSchema = z.object({ name: z.string().trim().min(1).max(512) }).strict();

/** `name` is the normalised form of the given one. */
export const ensNameSchema = z.object({ name: z.string(), address: z.string() });
export type EnsName = z.infer<typeof ensNameSchema>;

/**
 * Only in lists: `last_delivery` says whether the last completed swap into this coin was paid out to this address, and
 * `last_refund` whether the last completed swap from this coin used it as its refund address. Null before the first
 * such swap.
 */
export const deliveryAddressSchema = z.object({
  id,
  type: z.enum(addressTypes),
  address: z.string(),
  label: z.string(),
  created_at: time,
  last_delivery: z.boolean().nullish(),
  last_refund: z.boolean().nullish(),
});
export type DeliveryAddress = z.infer<typeof deliveryAddressSchema>;

/** `rate` is USDT per 1 MOB. */
export const priceAlertRequestSchema = z
  .object({ direction: z.enum(["above", "below"]), rate: decimal.refine((text) => /[1-9]/.test(text), "more than 0") })
  .strict();
export type PriceAlertRequest = z.infer<typeof priceAlertRequestSchema>;

/**
 * The account is told once, by e-mail and browser notification, when 1 MOB costs more ("above") or less ("below") than
 * `rate` USDT.
 */
export const priceAlertSchema = z.object({
  id,
  direction: z.enum(["above", "below"]),
  rate: decimal,
  created_at: time,
});
export type PriceAlert = z.infer<typeof priceAlertSchema>;

/** The public key that a browser needs to subscribe: a point of P-256, base64url. */
export const pushKeySchema = z.object({ public_key: z.string() });

const base64url = (length: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`));

/** A browser's push subscription, as its `toJSON` gives it. */
export const pushSubscriptionRequestSchema = z
  .object({
    endpoint: z.string().min(1).max(1_000),
    keys: z.object({ p256dh: base64url(87), auth: base64url(22) }).strict(),
  })
  .strict();
export type PushSubscriptionRequest = z.infer<typeof pushSubscriptionRequestSchema>;

/** A page of a list, newest first. Pass `next` as `cursor` for the next page; it is null on the last one. */
export const pageSchema = <T extends z.ZodTypeAny>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() });
export const pageQuerySchema = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

const filterTime = time.refine((text) => Date.parse(text) >= 0, "a time after 1970, such as 2026-01-31T00:00:00Z");

/** Which orders a list contains. Each filter that is given has to match. */
export const orderFilterSchema = z.object({
  /** An order number or id, or the beginning of a transaction hash or address of the order, in any case. */
  search: z.string().trim().min(shortestSearch).max(longestSearch).optional(),
  /** A group of states: `active` is every order that is not over, and `unpaid` is every expired or cancelled one. */
  state: z.enum(orderGroupNames).optional(),
  source_asset_symbol: assetSymbol.optional(),
  created_from: filterTime.optional(),
  created_before: filterTime.optional(),
});
export type OrderFilters = z.infer<typeof orderFilterSchema>;

/**
 * The totals of what the user sent, and of what was or still has to be sent to them (payouts and refunds), without
 * failed transactions. `orders` is how many orders were added up, newest first; `capped` says whether there are more.
 * The filters of a list do not affect them.
 */
const orderTotalsSchema = z.object({
  orders: z.number().int().nonnegative(),
  capped: z.boolean(),
  totals: z.array(z.object({ asset_symbol: assetSymbol, deposited: decimal, withdrawn: decimal })),
});
export type OrderTotals = z.infer<typeof orderTotalsSchema>;

/** A page of orders; with `count`, if the request has `count=true` and the server knows it. */
export const orderPageSchema = pageSchema(orderSchema).extend({ count: orderTotalsSchema.optional() });

/** The token of a new tracking link. Only its hash is stored, so it cannot be read again. */
export const trackingTokenSchema = z.object({ token: z.string().min(1).max(100) });

/**
 * What a tracking link shows of an order. It leaves out everything about the owner, and what could identify the order or
 * its transactions: addresses, hashes, block times, numbers and ids.
 */
export const trackedOrderSchema = orderSchema
  .pick({
    status: true,
    source_asset_symbol: true,
    target_asset_symbol: true,
    source_amount: true,
    target_amount: true,
    received_amount: true,
    expires_at: true,
    created_at: true,
    updated_at: true,
  })
  .extend({
    transactions: z.array(
      transactionSchema.omit({
        id: true,
        hash: true,
        refund_cost: true,
        address: true,
        awaits_finality: true,
        waits_until: true,
        block_time: true,
      }),
    ),
  });
export type TrackedOrder = z.infer<typeof trackedOrderSchema>;
