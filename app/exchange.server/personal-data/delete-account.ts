import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Deletion, DeletionRequest } from "../../api/contract";
import { addMs, dayMs } from "../../lib/durations";
import { formatAmount } from "../../lib/money";
import type { Caller } from "../accounts/caller";
import { redeemEmailCode, type VerifiedEmail } from "../accounts/email-codes";
import { revokeAccountSessions } from "../accounts/end-sessions";
import { requireFreshPasskey } from "../accounts/fresh-passkey";
import { requireOpenSession } from "../accounts/require-open-session";
import { queueSecurityNotice } from "../accounts/security-notices";
import type { ExchangeContext } from "../context";
import { afterCommit } from "../db/after-commit";
import type { Database } from "../db/database";
import {
  type AccountRow,
  accounts,
  consents,
  emailChallenges,
  knownNetworks,
  passkeyChallenges,
  passkeys,
  sessions,
} from "../db/schema/accounts";
import { deliveryAddresses } from "../db/schema/addresses";
import { kycApplications } from "../db/schema/kyc";
import { idempotencyKeys, orders } from "../db/schema/orders";
import { priceAlerts } from "../db/schema/price-alerts";
import { pushSubscriptions } from "../db/schema/push";
import { quotes } from "../db/schema/quotes";
import { ExchangeError } from "../errors";
import { accountDeletedMail } from "../mail/messages/account";
import { listSetAside } from "../orders/payouts-and-refunds/set-aside";
import { revokeAccountTrackingLinks } from "../orders/tracking-links";
import { findDeletionBlockers } from "./deletion-blockers";
import { mustKeepRecords, retainRecords, toPurgeDate } from "./retained-records";

/** What a deletion would do now, and what prevents it. */
export async function previewDeletion(
  ctx: ExchangeContext,
  { accountId }: Pick<Caller, "accountId">,
): Promise<Deletion> {
  const now = await ctx.clock.now(ctx.db);
  const keeps = await mustKeepRecords(ctx.db, accountId);
  const setAside = await listSetAside(ctx.db, accountId);
  return {
    obstacles: await findDeletionBlockers(ctx.db, ctx, accountId),
    retention_years: ctx.config.retentionYears,
    records_kept_until: keeps ? toPurgeDate(now, ctx.config.retentionYears).toISOString() : null,
    set_aside: setAside.map(({ asset, amount }) => ({ asset_symbol: asset, amount: formatAmount(amount, asset) })),
  };
}

/**
 * Deletes the caller's account permanently. They prove who they are with a passkey verified just now, or with an e-mail
 * code that this account's own passkey session requested. Everything happens in one transaction: after a crash the
 * account is either whole or gone. Orders and the ledger stay, and name an account without personal data.
 * @throws passkey_required, passkey_too_old, code_wrong, rate_limited, user_blocked, deletion_refused, token_expired if
 *   the session has ended
 */
export async function deleteAccount(
  ctx: ExchangeContext,
  caller: Caller,
  { proof }: DeletionRequest,
  remoteAddress?: string,
): Promise<void> {
  if (proof === undefined) {
    await ctx.db.transaction(async (tx) => {
      requireFreshPasskey(ctx, caller, await ctx.clock.now(tx));
      await eraseAndTell(tx, ctx, caller);
    });
  } else {
    const erase = async (tx: Database, { requestedBy }: VerifiedEmail) => {
      // A code of another account, or one that a stranger requested for this address, is not accepted.
      if (requestedBy !== caller.accountId) throw new ExchangeError("code_wrong");
      await eraseAndTell(tx, ctx, caller);
    };
    const { challenge_id: challengeId, code } = proof;
    await redeemEmailCode(ctx, { challengeId, code, remoteAddress }, erase);
  }
}

/**
 * Job: deletes data that was stored by requests that ran at the same time as a deletion, such as a link to follow an
 * order. Safe to run at any time.
 */
export async function eraseLeftovers(ctx: ExchangeContext): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  for (const { id } of await selectRecentlyDeleted(ctx.db, now)) await eraseTraces(ctx.db, id);
}

/** The accounts that were deleted in the last day. */
export function selectRecentlyDeleted(db: Database, now: Date) {
  return db
    .select({ id: accounts.id })
    .from(accounts)
    .where(gt(accounts.deletedAt, addMs(now, -dayMs)));
}

async function eraseAndTell(tx: Database, ctx: ExchangeContext, caller: Caller): Promise<void> {
  // The account before its session, the order in which everything locks them.
  const account = await lockAccount(tx, caller.accountId);
  // An operator may have blocked it since the request began, perhaps to preserve its data.
  if (account.blockedAt) throw new ExchangeError("user_blocked");
  await requireOpenSession(tx, caller);
  const { deletedAt: now, keptUntil } = await eraseAccount(tx, ctx, account);
  await queueSecurityNotice(tx, ctx, account, { mail: accountDeletedMail(account.email, now, keptUntil), now });
}

/**
 * Locks an account that is to be deleted. Locking a quote takes the same row lock, so no order can be created
 * concurrently.
 * @throws token_expired
 */
export async function lockAccount(tx: Database, accountId: string): Promise<AccountRow> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  if (!account || account.deletedAt) throw new ExchangeError("token_expired");
  return account;
}

/**
 * Deletes an account permanently, without telling its owner.
 * @param account as `lockAccount` returned it
 * @returns when it was deleted, and until when the law requires us to keep records of it
 * @throws deletion_refused
 */
export async function eraseAccount(
  tx: Database,
  ctx: ExchangeContext,
  account: AccountRow,
): Promise<{ deletedAt: Date; keptUntil: Date | null }> {
  const { id: accountId } = account;
  const obstacles = await findDeletionBlockers(tx, ctx, accountId);
  if (obstacles.length > 0) throw new ExchangeError("deletion_refused", { extra: { obstacles } });
  const now = await ctx.clock.now(tx);
  const keeps = await mustKeepRecords(tx, accountId);
  if (keeps) await retainRecords(tx, ctx, account, now);
  // Ends event streams as well: the database announces revoked sessions.
  await revokeAccountSessions(tx, accountId, now);
  await eraseTraces(tx, accountId);
  // An address that the account has not verified is someone else's: their codes and registrations stay.
  if (account.emailVerifiedAt) await eraseTracesOfAddress(tx, account.email);
  await tx
    .update(accounts)
    .set({
      // Never a valid address: without an @, a code cannot be requested for it.
      email: `deleted ${accountId}`,
      emailVerifiedAt: null,
      isActive: false,
      kycStatus: "not_started",
      mutedMails: [],
      payoutsWaitUntil: null,
      deletedAt: now,
    })
    .where(eq(accounts.id, accountId));
  // A restored backup brings the account back, and only the log says which one: docs/order-lifecycle.md.
  afterCommit(tx, () => ctx.log.info({ account: accountId }, "an account was deleted"));
  return { deletedAt: now, keptUntil: keeps ? toPurgeDate(now, ctx.config.retentionYears) : null };
}

/**
 * Deletes every row of the account that says something about the person, except orders and what they refer to. Links to
 * follow the orders stop working.
 */
async function eraseTraces(tx: Database, id: string): Promise<void> {
  await revokeAccountTrackingLinks(tx, id);
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.accountId, id));
  await tx.delete(sessions).where(eq(sessions.accountId, id));
  await tx.delete(passkeys).where(eq(passkeys.accountId, id));
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.accountId, id));
  await tx.delete(emailChallenges).where(eq(emailChallenges.accountId, id));
  await tx.delete(deliveryAddresses).where(eq(deliveryAddresses.accountId, id));
  await tx.delete(priceAlerts).where(eq(priceAlerts.accountId, id));
  await tx.delete(kycApplications).where(eq(kycApplications.accountId, id));
  await tx.delete(consents).where(eq(consents.accountId, id));
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.accountId, id));
  await eraseQuotes(tx, id);
}

/** Deletes an account's quotes, except offers and quotes that have an order. */
export function eraseQuotes(tx: Database, accountId: string) {
  return tx
    .delete(quotes)
    .where(
      and(
        eq(quotes.accountId, accountId),
        isNull(quotes.offerForOrderId),
        sql`not exists (select 1 from ${orders} where ${orders.quoteId} = ${quotes.id})`,
      ),
    );
}

/** Deletes what anyone has requested for the address. */
async function eraseTracesOfAddress(tx: Database, email: string): Promise<void> {
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.email, email));
  await tx.delete(emailChallenges).where(eq(emailChallenges.email, email));
  await tx.delete(knownNetworks).where(eq(knownNetworks.email, email));
}
