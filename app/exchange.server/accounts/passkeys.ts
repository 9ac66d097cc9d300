import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Passkey } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import type { Caller } from "../http/env";
import type { Cursor } from "../http/pages";
import { passkeyRemovedMail } from "../mail/messages";
import { kickOutbox, queueMail } from "../mail/outbox";
import { revokeSessionsOf } from "./sessions";
import { accounts, passkeys } from "./tables";

type PasskeyRow = typeof passkeys.$inferSelect;

/** Who changes passkeys has proven one within `passkeyFreshMs` (T32). @throws passkey_required, passkey_too_old */
export function requireFreshPasskey(x: ExchangeContext, caller: Caller, now: Date): void {
  if (caller.method !== "passkey") throw new ExchangeError("passkey_required");
  const age = now.getTime() - (caller.passkeyAt?.getTime() ?? 0);
  if (age > x.config.passkeyFreshMs) throw new ExchangeError("passkey_too_old");
}

/** The account's passkeys, newest first; one row more than `limit` when there are more. */
export async function listPasskeys(
  x: ExchangeContext,
  caller: Caller,
  limit: number,
  cursor: Cursor | null,
): Promise<PasskeyRow[]> {
  const after = cursor
    ? or(lt(passkeys.createdAt, cursor.at), and(eq(passkeys.createdAt, cursor.at), lt(passkeys.id, cursor.id)))
    : undefined;
  return x.db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.accountId, caller.accountId), after))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id))
    .limit(limit + 1);
}

/** @throws not_found, for other people's passkeys too */
export async function renamePasskey(x: ExchangeContext, caller: Caller, id: string, name: string): Promise<PasskeyRow> {
  const [row] = await x.db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.accountId, caller.accountId)))
    .returning();
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/**
 * Removes a passkey and ends the sessions that it opened, but for the one that asks. The
 * last one stays where no proven address would be the way back in.
 * @throws passkey_required, passkey_too_old, not_found, passkey_last
 */
export async function removePasskey(x: ExchangeContext, caller: Caller, id: string): Promise<void> {
  await x.db.transaction(async (tx) => {
    // The account's row is locked, so that two removals cannot each leave the other as the last.
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, caller.accountId)).for("no key update");
    const now = await x.clock.now(tx);
    requireFreshPasskey(x, caller, now);
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
    await tx.delete(passkeys).where(eq(passkeys.id, id));
    await revokeSessionsOf(tx, caller.accountId, now, { passkeyId: id, except: caller.sessionId });
    if (account.emailVerifiedAt) await queueMail(tx, x, passkeyRemovedMail(account.email, row.name, now), now);
  });
  kickOutbox(x);
}

/** A passkey as the contract shows it: without its key. */
export function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    backed_up: row.backedUp,
  };
}
