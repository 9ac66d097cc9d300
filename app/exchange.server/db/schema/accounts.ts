import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { SwapMail } from "../../../lib/swap-mails";
import { time } from "../columns";

/**
 * A customer. `email` is lower-case ASCII and unproven while `emailVerifiedAt` is null.
 * Lock rows with `for no key update`, so that inserts of rows that reference the account
 * (quotes, sessions) do not wait; this prevents deadlocks with transactions that hold an order.
 */
export const accounts = pgTable(
  "accounts",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    emailVerifiedAt: time(),
    isActive: boolean().notNull().default(true),
    blockedAt: time(),
    kycStatus: text({ enum: ["not_started", "pending", "approved", "rejected", "action_required"] })
      .notNull()
      .default("not_started"),
    /** Set by an account recovery: payouts of orders created before this time wait until this time. */
    payoutsWaitUntil: time(),
    /** E-mails about swaps that the customer has turned off. */
    mutedMails: jsonb().$type<SwapMail[]>().notNull().default([]),
    createdAt: time().notNull(),
    /** When the customer deleted it. The row remains, without personal data, because orders refer to it. */
    deletedAt: time(),
  },
  (t) => [
    uniqueIndex("accounts_email").on(t.email),
    index("accounts_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);
export type AccountRow = typeof accounts.$inferSelect;

/** A WebAuthn credential. `counter` must never decrease (WebAuthn level 3, section 7.2, step 22). */
export const passkeys = pgTable(
  "passkeys",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The credential id from the authenticator, base64url. */
    credentialId: text().notNull(),
    /** COSE key, base64url. */
    publicKey: text().notNull(),
    counter: bigint({ mode: "number" }).notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    backedUp: boolean().notNull(),
    name: text().notNull(),
    /** Added from a session that another passkey had opened, perhaps by someone who had stolen the session. */
    addedByPasskey: boolean().notNull().default(false),
    /** Set by an account recovery: until this time, the passkey cannot sign in. */
    pausedUntil: time(),
    createdAt: time().notNull(),
    lastUsedAt: time(),
  },
  (t) => [
    uniqueIndex("passkeys_credential").on(t.credentialId),
    index("passkeys_of_account").on(t.accountId, t.createdAt, t.id),
  ],
);
export type PasskeyRow = typeof passkeys.$inferSelect;

/**
 * One sign-in and its tokens. Refresh tokens are derived from (id, generation) and never
 * stored; only the current generation is.
 */
export const sessions = pgTable(
  "sessions",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    method: text({ enum: ["email", "passkey"] }).notNull(),
    passkeyAt: time(),
    /** The passkey used to sign in. Removing it ends the session. */
    passkeyId: text(),
    generation: integer().notNull(),
    rotatedAt: time().notNull(),
    userAgent: text(),
    createdAt: time().notNull(),
    lastUsedAt: time().notNull(),
    revokedAt: time(),
  },
  (t) => [index("sessions_of_account").on(t.accountId, t.createdAt, t.id), index("sessions_created").on(t.createdAt)],
);
export type SessionRow = typeof sessions.$inferSelect;

/** Access tokens, stored only as hashes. */
export const accessTokens = pgTable(
  "access_tokens",
  {
    hash: text().primaryKey(),
    sessionId: text()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    expiresAt: time().notNull(),
  },
  (t) => [index("access_tokens_expiry").on(t.expiresAt), index("access_tokens_of_session").on(t.sessionId)],
);

/** An e-mail code that was sent, or a decoy for which nothing was sent. Deleted when used. */
export const emailChallenges = pgTable(
  "email_challenges",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** Set when a session signed in by passkey requested the code: it proves the address and keeps that level. */
    accountId: text(),
    /** Keyed slow hash of the code. Null for a decoy, which no code matches. */
    codeHash: text(),
    /** The budget in which the e-mail and wrong codes are counted (accounts/code-budgets.ts). Null for a decoy. */
    budget: text(),
    tries: integer().notNull().default(0),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (t) => [index("email_challenges_expiry").on(t.expiresAt)],
);

/** A WebAuthn challenge. Deleted before the response is verified, so that it works only once. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    id: text().primaryKey(),
    purpose: text({ enum: ["sign-in", "register"] }).notNull(),
    challenge: text().notNull(),
    /** The account the challenge was issued for; null for a usernameless sign-in. */
    email: text(),
    /** Sign-in: whose passkeys may respond. Register: the account that gets the passkey, or will be created. */
    accountId: text(),
    /** Register on an existing account: the session that may complete it. */
    sessionId: text(),
    expiresAt: time().notNull(),
  },
  (t) => [index("passkey_challenges_expiry").on(t.expiresAt)],
);

/** Networks from which a verified address has signed in, as keyed hashes. */
export const knownNetworks = pgTable(
  "known_networks",
  {
    email: text().notNull(),
    networkHash: text().notNull(),
    lastSignInAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.email, t.networkHash] }), index("known_networks_last_sign_in").on(t.lastSignInAt)],
);

/** Events that count towards a rate limit, such as e-mails to one recipient or wrong codes. */
export const limitEvents = pgTable(
  "limit_events",
  {
    id: text().primaryKey(),
    key: text().notNull(),
    at: time().notNull(),
  },
  (t) => [index("limit_events_key").on(t.key, t.at), index("limit_events_at").on(t.at)],
);

/** The versions of the operator's documents that an account has accepted. */
export const consents = pgTable(
  "consents",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    document: text({ enum: ["terms", "privacy"] }).notNull(),
    /** The site's name for the version. */
    version: text().notNull(),
    acceptedAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.document, t.version] })],
);

/** What the law requires us to keep about a deleted account, until `purgeAt`. */
export const retainedRecords = pgTable(
  "retained_records",
  {
    accountId: text()
      .primaryKey()
      .references(() => accounts.id),
    /** Who the customer was, as JSON, encrypted (AES-256-GCM) under a key derived for this purpose. */
    details: text().notNull(),
    deletedAt: time().notNull(),
    purgeAt: time().notNull(),
  },
  (t) => [index("retained_records_purge").on(t.purgeAt)],
);

/** Who read a retained record, when and why. Deleted with the record. */
export const retainedRecordReadings = pgTable(
  "retained_record_readings",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => retainedRecords.accountId, { onDelete: "cascade" }),
    /** The operator. Null in rows from before operators were recorded. */
    operator: text(),
    reason: text().notNull(),
    readAt: time().notNull(),
  },
  (t) => [index("retained_record_readings_of_account").on(t.accountId, t.readAt, t.id)],
);
