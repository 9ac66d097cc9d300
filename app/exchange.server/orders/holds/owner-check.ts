import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/database";
import { type AccountRow, accounts } from "../../db/schema/accounts";
import type { OrderRow } from "../../db/schema/orders";
import { ExchangeError } from "../../errors";

/** Why the owner of an order may not swap: the identity is not verified, or the account is blocked or inactive. */
export type OwnerProblem = NonNullable<OrderRow["holdProblem"]>;

/** As shown to the owner of an order that is on hold because of it. */
export const problemTexts: Record<OwnerProblem, string> = {
  unverified: "Your identity verification was withdrawn.",
  blocked: "Your account can't be used for swaps at the moment.",
};

/** Whether an owner may swap: the same conditions as for a new quote. For queries that join `accounts`. */
export const ownerMaySwap = sql`(${accounts.kycStatus} = 'approved' and ${accounts.isActive} and ${accounts.blockedAt} is null)`;

/**
 * Why the owner of an order may not swap now, or null. Checked when an order is filled and not only at its lock,
 * because hours may pass between the two.
 */
export async function getOwnerProblem(db: Database, accountId: string): Promise<OwnerProblem | null> {
  const [owner] = await db.select(swapperColumns).from(accounts).where(eq(accounts.id, accountId));
  return owner ? toProblem(owner) : "blocked";
}

/** What `requireSwapper` reads of an account. */
export const swapperColumns = {
  kycStatus: accounts.kycStatus,
  isActive: accounts.isActive,
  blockedAt: accounts.blockedAt,
};
type Swapper = Pick<AccountRow, keyof typeof swapperColumns>;

function toProblem({ kycStatus, isActive, blockedAt }: Swapper): OwnerProblem | null {
  if (!isActive || blockedAt !== null) return "blocked";
  return kycStatus === "approved" ? null : "unverified";
}

/**
 * Whether the owner has deleted the account. Blocked accounts don't count, because an operator may want to look at
 * their orders first.
 */
export async function isOwnerGone(db: Database, accountId: string): Promise<boolean> {
  const [owner] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.deletedAt), isNull(accounts.blockedAt)));
  return owner !== undefined;
}

/** @throws kyc_required, or user_inactive for a blocked or inactive account */
export async function requireOwnerMaySwap(db: Database, accountId: string): Promise<void> {
  refuse(await getOwnerProblem(db, accountId));
}

/** Like `requireOwnerMaySwap`, for an account whose columns were read. */
export const requireSwapper = (account: Swapper): void => refuse(toProblem(account));

function refuse(problem: OwnerProblem | null): void {
  if (problem === "unverified") throw new ExchangeError("kyc_required");
  if (problem !== null) throw new ExchangeError("user_inactive");
}
