/**
 * The contract of the exchange's HTTP API: specification section 7 and the calls that
 * `decisions.md` defines. JSON in snake_case, amounts as decimal strings, times as
 * ISO 8601 in UTC, errors as `{detail: {message, code}}`.
 *
 * The exchange parses with these schemas and generates its OpenAPI document from them;
 * the site's server checks answers with them. Browsers import types alone, so that zod
 * is in no first page.
 */
import { z } from "zod";
import { addressTypes, assetSymbols } from "../lib/assets";
import { toOneLine } from "../lib/one-line";
import { decisionChoices, decisionReasons, orderStatuses } from "../lib/order-states";

const assetSymbol = z.enum(assetSymbols);
const time = z.string().datetime();
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,14})(\.[0-9]{1,12})?$/, "an amount such as 250 or 250.5");
/** Free text that is shown again. What is not seen of it is left out first, and does not make it a text. */
const shownText = (longest: number) => z.string().trim().max(longest).transform(toOneLine);
const shownName = (longest: number) =>
  shownText(longest).refine((text) => text !== "", `1 to ${longest} letters that can be seen`);
const identifier = z.string().trim().max(254).email("an e-mail address such as ada@example.org");
/** 128 random bits, base64url. */
const id = z.string().min(1).max(64);

export const errorSchema = z.object({
  detail: z.object({ message: z.string(), code: z.string(), fields: z.record(z.string()).optional() }),
});
export type ApiErrorBody = z.infer<typeof errorSchema>;

// ── signing in ──────────────────────────────────────────────────────────────

/** C04, C05, C06: one path, told apart by what they carry. */
export const authRequestSchema = z.union([
  z.object({ auth_method: z.literal("email"), credentials: z.object({ identifier }).strict() }).strict(),
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
      credentials: z.object({ challenge_id: id, auth_data: z.object({ id: z.string() }).passthrough() }).strict(),
    })
    .strict(),
  z.object({ auth_method: z.literal("passkey") }).strict(),
]);

/** V09: an e-mail sign-in is answered 202 with both. */
export const challengeSchema = z.object({
  challenge_id: id,
  challenge: z.union([z.literal("email"), z.record(z.unknown())]),
});
export type Challenge = z.infer<typeof challengeSchema>;

/** C08 and C09. `options` are the WebAuthn options as JSON. */
export const passkeyOptionsRequestSchema = z.object({ identifier }).strict();
export const passkeyOptionsSchema = z.object({ challenge_id: id, options: z.record(z.unknown()) });
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

/** C10. `attestation` is a RegistrationResponseJSON. */
export const passkeyVerifyRequestSchema = z
  .object({ identifier, challenge_id: id, attestation: z.object({ id: z.string() }).passthrough() })
  .strict();

/** V08: without an access token nobody is signed in. */
export const tokensSchema = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1).optional() });
export type Tokens = z.infer<typeof tokensSchema>;

export const refreshRequestSchema = z.object({ refresh_token: z.string().min(1).max(512) }).strict();

// ── the user ────────────────────────────────────────────────────────────────

export const kycStatuses = ["not_started", "pending", "approved", "rejected", "action_required"] as const;
export const kycStatusSchema = z.enum(kycStatuses);
export type KycStatus = z.infer<typeof kycStatusSchema>;

export const userSchema = z.object({
  id,
  email: z.string(),
  email_verified: z.boolean(),
  created_at: time,
  is_active: z.boolean(),
  kyc_status: kycStatusSchema,
  passkey_authenticated: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

export const passkeySchema = z.object({
  id,
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
  backed_up: z.boolean(),
});
export type Passkey = z.infer<typeof passkeySchema>;
export const passkeyRenameSchema = z.object({ name: shownName(60) }).strict();

export const sessionSchema = z.object({
  id,
  method: z.enum(["email", "passkey"]),
  created_at: time,
  last_used_at: time,
  current: z.boolean(),
  user_agent: z.string().nullable(),
});
export type Session = z.infer<typeof sessionSchema>;

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

export const kycSchema = z.object({
  status: kycStatusSchema,
  reasons: z.array(z.string()),
  updated_at: time.nullable(),
});
export type Kyc = z.infer<typeof kycSchema>;

// ── assets, rates, status ───────────────────────────────────────────────────

export const assetSchema = z.object({
  symbol: assetSymbol,
  name: z.string(),
  network: z.enum(["ethereum", "mobilecoin"]),
  decimals: z.number().int(),
});
export const assetsSchema = z.array(assetSchema);
export type Asset = z.infer<typeof assetSchema>;

export const ratesSchema = z.object({
  /** Target per 1 source, 12 decimals, both ways; null while no trustworthy rate is known. */
  rates: z.object({ USDT_MOB: z.string(), MOB_USDT: z.string() }).nullable(),
  updated_at: time.nullable(),
  fee_bps: z.number().int(),
  limits: z.object({ min_usdt: decimal, max_usdt: decimal }),
  payout_cost: z.object({ USDT: decimal, MOB: decimal }),
  refund_cost: z.object({ USDT: decimal, MOB: decimal }),
  confirmations: z.object({ USDT: z.number().int(), MOB: z.number().int() }),
  quote_ttl_seconds: z.number().int(),
  lock_ttl_seconds: z.number().int(),
  grace_seconds: z.number().int(),
  /** USDT per MOB, oldest first. */
  history: z.array(z.object({ at: time, rate: z.string() })),
});
export type Rates = z.infer<typeof ratesSchema>;
export const rateRanges = ["1h", "24h", "7d", "30d"] as const;
export type RateRange = (typeof rateRanges)[number];

export const chainStatusSchema = z.object({
  ok: z.boolean(),
  height: z.number().int().nullable(),
  chain_id: z.union([z.number().int(), z.string()]).nullable(),
  synced: z.boolean(),
  checked_at: time.nullable(),
});
export const statusSchema = z.object({
  mode: z.enum(["sandbox", "live"]),
  accepting_swaps: z.boolean(),
  /** Why new swaps are stopped, as a code; null while they are taken. */
  reason: z.string().nullable(),
  chains: z.object({ ethereum: chainStatusSchema, mobilecoin: chainStatusSchema }),
});
export type Status = z.infer<typeof statusSchema>;

// ── quotes, orders, addresses ───────────────────────────────────────────────

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

/** The quote of specification section 3 (V05, V06). `id` is an integer below 2^53. */
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

export const lockRequestSchema = z.object({ delivery_address_id: id, refund_address_id: id }).strict();
export type LockRequest = z.infer<typeof lockRequestSchema>;

export const fundingAddressSchema = z.object({
  asset_symbol: assetSymbol,
  network: z.enum(["ethereum", "mobilecoin"]),
  chain_id: z.union([z.number().int(), z.string()]),
  address: z.string(),
  amount: decimal,
  uri: z.string(),
  expires_at: time,
});
export type FundingAddress = z.infer<typeof fundingAddressSchema>;

export const transactionSchema = z.object({
  id,
  status: z.enum(["pending", "confirmed", "failed"]),
  asset_symbol: assetSymbol,
  amount: decimal,
  /** Ethereum: the transaction's hash. MobileCoin: the txo's public key. Null while not yet sent. */
  hash: z.string().nullable(),
  confirmations: z.number().int(),
  required_confirmations: z.number().int(),
  purpose: z.enum(["deposit", "payout", "refund"]),
  created_at: time,
});
export type Transaction = z.infer<typeof transactionSchema>;

export const decisionSchema = z.object({
  reason: z.enum(decisionReasons),
  deadline: time,
  choices: z.array(z.enum(decisionChoices)),
  /** A 60-second quote for what came; only where `requote` is a choice. */
  offer: quoteSchema.nullable(),
});
export type Decision = z.infer<typeof decisionSchema>;

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
  /** Why an order is on hold and when that ends in a refund; null otherwise. */
  hold: z.object({ reason: z.string(), deadline: time }).nullable(),
  /** Payouts of orders made within 24 h of an account recovery wait until then; null otherwise. */
  payout_not_before: time.nullable(),
  decision: decisionSchema.nullable(),
  incoming_txs: z.array(transactionSchema),
  outgoing_txs: z.array(transactionSchema),
  created_at: time,
  updated_at: time,
});
export type Order = z.infer<typeof orderSchema>;

export const decisionRequestSchema = z.discriminatedUnion("choice", [
  z.object({ choice: z.literal("accept") }).strict(),
  z.object({ choice: z.literal("requote"), quote_id: z.number().int().positive() }).strict(),
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

export const deliveryAddressSchema = z.object({
  id,
  type: z.enum(addressTypes),
  address: z.string(),
  label: z.string(),
  created_at: time,
});
export type DeliveryAddress = z.infer<typeof deliveryAddressSchema>;

/** Lists: `?cursor=`, `?limit=`, newest first. */
export const pageSchema = <T extends z.ZodTypeAny>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() });
export const pageQuerySchema = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
