import { desc, eq } from "drizzle-orm";
import type { Kyc } from "../../api/contract";
import { type Caller, requireVerifiedEmail } from "../accounts/caller";
import type { ExchangeContext } from "../context";
import { accounts } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";

/** @throws email_unproven */
export async function getKyc(ctx: ExchangeContext, caller: Caller): Promise<Kyc> {
  requireVerifiedEmail(caller);
  const [account] = await ctx.db.select().from(accounts).where(eq(accounts.id, caller.accountId));
  const [application] = await ctx.db
    .select()
    .from(kycApplications)
    .where(eq(kycApplications.accountId, caller.accountId))
    .orderBy(desc(kycApplications.createdAt), desc(kycApplications.id))
    .limit(1);
  return {
    status: account?.kycStatus ?? "not_started",
    reasons: application?.reasons ?? [],
    updated_at: (application?.decidedAt ?? application?.createdAt)?.toISOString() ?? null,
  };
}
