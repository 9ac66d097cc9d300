import { eq, exists, sql } from "drizzle-orm";
import { getRecoveryHold } from "../accounts/recovery-hold";
import { limitNotifiedAction, queueSecurityNotice } from "../accounts/security-notices";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import type { deliveryAddresses } from "../db/schema/addresses";
import { orders } from "../db/schema/orders";
import { invariant } from "../errors";
import { addressAddedMail, addressRemovedMail } from "../mail/messages/account";

type SavedAddress = Pick<typeof deliveryAddresses.$inferSelect, "accountId" | "type" | "address" | "label">;

/**
 * Tells the owner by e-mail that an address was saved: an attacker may have saved it to receive the next payout (T49).
 * New customers, who save addresses for their first swap, get an e-mail only after an account recovery.
 * @throws rate_limited
 */
export async function notifyOfAddedAddress(tx: Database, ctx: ExchangeContext, saved: SavedAddress, now: Date) {
  const account = await findNotified(tx, saved, now);
  if (account === null) return;
  await limitNotifiedAction(tx, "added-addresses", account.id, now);
  await queueSecurityNotice(tx, ctx, account, { mail: addressAddedMail(account.email, saved, now), now });
}

/** Removals are not limited: an owner must be able to remove everything that someone else has added. */
export async function notifyOfRemovedAddress(tx: Database, ctx: ExchangeContext, removed: SavedAddress, now: Date) {
  const account = await findNotified(tx, removed, now);
  if (account === null) return;
  await queueSecurityNotice(tx, ctx, account, { mail: addressRemovedMail(account.email, removed, now), now });
}

/** The account, if it has an order or was recently recovered. */
async function findNotified(tx: Database, { accountId }: SavedAddress, now: Date) {
  const ofAccount = tx.select({ id: orders.id }).from(orders).where(eq(orders.accountId, accountId));
  const { id, email, emailVerifiedAt, payoutsWaitUntil } = accounts;
  const [account] = await tx
    .select({ id, email, emailVerifiedAt, payoutsWaitUntil, hasOrder: sql<boolean>`${exists(ofAccount)}` })
    .from(accounts)
    .where(eq(id, accountId));
  invariant(account, "an address belongs to an account");
  return account.hasOrder || getRecoveryHold(account, now) ? account : null;
}
