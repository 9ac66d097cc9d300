import { and, eq, gt } from "drizzle-orm";
import { addMs, dayMs } from "../../lib/durations";
import type { Database } from "../db/database";
import { passkeys } from "../db/schema/accounts";
import { ExchangeError } from "../errors";

/** The age from which a passkey is trusted even if it was added with another passkey. */
const trustedAfterMs = 30 * dayMs;

/**
 * Pauses the passkeys that may not be the owner's when an account is recovered (T31): those that were added from a
 * session of another passkey in the last 30 days. Someone who stole a session may have added them, and could remove the
 * owner's new passkey at once.
 *
 * Other passkeys stay usable. A thief who reads the owner's mailbox can recover the account, too, and the owner then
 * needs a passkey to remove the thief's. So a passkey with which the account was opened, or that was added with an
 * e-mail code, is never paused. Pausing does not help such a thief, because the passkey that they have added may remove
 * all others anyway.
 * @returns the paused passkeys, newest first
 */
export async function pauseDoubtfulPasskeys(
  tx: Database,
  accountId: string,
  { now, until }: { now: Date; until: Date },
): Promise<{ name: string; createdAt: Date }[]> {
  const isDoubtful = and(
    eq(passkeys.accountId, accountId),
    eq(passkeys.addedByPasskey, true),
    gt(passkeys.createdAt, addMs(now, -trustedAfterMs)),
  );
  const paused = await tx
    .update(passkeys)
    .set({ pausedUntil: until })
    .where(isDoubtful)
    .returning({ name: passkeys.name, createdAt: passkeys.createdAt });
  return paused.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/** Until when a passkey is paused. Null if it is not. */
export function getPause({ pausedUntil }: { pausedUntil: Date | null }, now: Date): Date | null {
  return pausedUntil && pausedUntil > now ? pausedUntil : null;
}

/** @throws passkey_paused */
export function requireNoPause(passkey: { pausedUntil: Date | null }, now: Date): void {
  if (getPause(passkey, now)) throw new ExchangeError("passkey_paused");
}
