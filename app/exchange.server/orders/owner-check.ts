import { eq, sql } from "drizzle-orm";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { ExchangeError } from "../errors";

/** The hold reasons for an owner who may not swap, as shown to the owner. */
export const identityWithdrawn = "Your identity verification was withdrawn.";
const accountBlocked = "Your account can't be used for swaps at the moment.";

/** Whether an owner may swap: the same conditions as for a new quote. For queries that join `accounts`. */
export const ownerMaySwap = sql`(${accounts.kycStatus} = 'approved' and ${accounts.isActive} and ${accounts.blockedAt} is null)`;

/**
 * Why the owner of an order may not swap now, as a hold reason; or null. Checked when an order is
 * filled and not only at its lock, because hours may pass between the two.
 */
export async function getOwnerProblem(db: Database, accountId: string): Promise<string | null> {
  const [owner] = await db
    .select({ kycStatus: accounts.kycStatus, isActive: accounts.isActive, blockedAt: accounts.blockedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!owner?.isActive || owner.blockedAt !== null) return accountBlocked;
  return owner.kycStatus === "approved" ? null : identityWithdrawn;
}

/** @throws kyc_required, or user_inactive for a blocked or inactive account */
export async function requireOwnerMaySwap(db: Database, accountId: string): Promise<void> {
  const problem = await getOwnerProblem(db, accountId);
  if (problem === identityWithdrawn) throw new ExchangeError("kyc_required");
  if (problem !== null) throw new ExchangeError("user_inactive");
}
