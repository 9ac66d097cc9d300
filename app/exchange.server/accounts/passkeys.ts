import { and, eq, sql } from "drizzle-orm";
import type { Passkey } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { newestFirst, type PageRequest } from "../db/pages";
import { type AccountRow, accounts, type PasskeyRow, passkeys } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import { passkeyRemovedMail } from "../mail/messages/account";
import type { Caller } from "./caller";
import { revokeAccountSessions } from "./end-sessions";
import { requireFreshPasskey } from "./fresh-passkey";
import { getPause } from "./passkey-pause";
import { requireOpenSession } from "./require-open-session";
import { queueSecurityNotice } from "./security-notices";

type PasskeyDeletion = { account: AccountRow; passkey: PasskeyRow; exceptSession?: string; now: Date };

/** Returns a page of the account's passkeys, newest first. */
export async function listPasskeys(ctx: ExchangeContext, caller: Caller, page: PageRequest): Promise<PasskeyRow[]> {
  const { after, orderBy, limit } = newestFirst(passkeys, page);
  return ctx.db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.accountId, caller.accountId), after))
    .orderBy(...orderBy)
    .limit(limit);
}

/** @throws not_found, including for passkeys of other accounts */
export async function renamePasskey(
  ctx: ExchangeContext,
  caller: Caller,
  id: string,
  name: string,
): Promise<PasskeyRow> {
  const [row] = await ctx.db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.accountId, caller.accountId)))
    .returning();
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/**
 * Removes a passkey and ends the sessions it opened, except the caller's. The last passkey of an
 * account with an unverified address cannot be removed, because it is the only way to sign in.
 * @throws passkey_required, passkey_too_old, user_blocked, token_expired, not_found, passkey_last
 */
export async function removePasskey(ctx: ExchangeContext, caller: Caller, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Locks the account, so that two parallel removals cannot both leave the other passkey as the last.
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, caller.accountId)).for("no key update");
    const now = await ctx.clock.now(tx);
    requireFreshPasskey(ctx, caller, now);
    if (account?.blockedAt) throw new ExchangeError("user_blocked");
    await requireOpenSession(tx, caller);
    const [row] = await tx
      .select()
      .from(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.accountId, caller.accountId)));
    if (!row || !account) throw new ExchangeError("not_found");
    const [count] = await tx
      .select({ all: sql<number>`count(*)::int` })
      .from(passkeys)
      .where(eq(passkeys.accountId, caller.accountId));
    if (count?.all === 1 && account.emailVerifiedAt === null) throw new ExchangeError("passkey_last");
    await deletePasskey(tx, ctx, { account, passkey: row, exceptSession: caller.sessionId, now });
  });
}

/** Deletes a passkey, ends the sessions it opened, except one, and tells the owner. The caller has locked the account. */
export async function deletePasskey(
  tx: Database,
  ctx: ExchangeContext,
  { account, passkey, exceptSession, now }: PasskeyDeletion,
): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.id, passkey.id));
  const opened = { passkeyId: passkey.id, ...(exceptSession !== undefined && { except: exceptSession }) };
  await revokeAccountSessions(tx, account.id, now, opened);
  await queueSecurityNotice(tx, ctx, account, { mail: passkeyRemovedMail(account.email, passkey, now), now });
}

/** Converts a passkey to the API's form, without its key. */
export function toPasskey(row: PasskeyRow, now: Date): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    backed_up: row.backedUp,
    paused_until: getPause(row, now)?.toISOString() ?? null,
  };
}
