import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

/**
 * A customer. `email` is lower-case ASCII; whose it is, `emailVerifiedAt` tells (decisions.md).
 * Its row is locked `for no key update`: rows that only name it (a quote, a session) are
 * then written meanwhile, and nobody who holds an order waits for somebody who wants it.
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
    /** After a recovery: payouts of orders made until then wait until then. */
    payoutsWaitUntil: time(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("accounts_email").on(t.email), index("accounts_created").on(t.createdAt)],
);

/** A WebAuthn credential. `counter` may only grow (WebAuthn level 3, section 7.2 step 22). */
export const passkeys = pgTable(
  "passkeys",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** The authenticator's own id, base64url. */
    credentialId: text().notNull(),
    /** COSE key, base64url. */
    publicKey: text().notNull(),
    counter: bigint({ mode: "number" }).notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    backedUp: boolean().notNull(),
    name: text().notNull(),
    createdAt: time().notNull(),
    lastUsedAt: time(),
  },
  (t) => [
    uniqueIndex("passkeys_credential").on(t.credentialId),
    index("passkeys_of_account").on(t.accountId, t.createdAt, t.id),
  ],
);

/**
 * A family of tokens: one sign-in. Refresh tokens are derived from (id, generation) and
 * stand nowhere; only the present generation is known.
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
    /** The passkey that opened it; removing that one ends it. */
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

/** Access tokens, by hash alone. */
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

/** An e-mail code that was sent, or (decoy) pretended. Removed when used. */
export const emailChallenges = pgTable(
  "email_challenges",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** Set when the account's own passkey token asked: the code proves the address and keeps the level. */
    accountId: text(),
    /** Keyed slow hash of the code. Null: nothing was mailed, and no code is right. */
    codeHash: text(),
    tries: integer().notNull().default(0),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (t) => [index("email_challenges_of_email").on(t.email), index("email_challenges_expiry").on(t.expiresAt)],
);

/** A WebAuthn challenge, removed before what answers it is verified. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    id: text().primaryKey(),
    purpose: text({ enum: ["sign-in", "register"] }).notNull(),
    challenge: text().notNull(),
    /** What the ceremony was asked for; null for a usernameless sign-in. */
    email: text(),
    /** Sign-in: whose passkeys may answer. Register: the account that gets one, or will be made. */
    accountId: text(),
    /** Register on an existing account: the session that may complete it. */
    sessionId: text(),
    expiresAt: time().notNull(),
  },
  (t) => [index("passkey_challenges_expiry").on(t.expiresAt)],
);

/** What counts against a limit (mails to one recipient, wrong codes), one row each. */
export const limitEvents = pgTable(
  "limit_events",
  {
    id: text().primaryKey(),
    key: text().notNull(),
    at: time().notNull(),
  },
  (t) => [index("limit_events_key").on(t.key, t.at), index("limit_events_at").on(t.at)],
);
