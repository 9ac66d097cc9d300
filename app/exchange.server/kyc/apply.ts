import { desc, eq } from "drizzle-orm";
import type { Kyc, KycApplication } from "../../api/contract";
import type { Caller } from "../accounts/caller";
import type { ExchangeContext } from "../context";
import { accounts } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";
import { describeError } from "../describe-error";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { checkApplication } from "./application";
import { submitApplication } from "./decide";
import { sealDetails } from "./details";

/** The statuses in which an application may be sent: at first, and again after a rejection or a request for more. */
const canApplyFrom = { not_started: true, rejected: true, action_required: true, pending: false, approved: false };

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

/**
 * Stores an application encrypted, then submits it to the provider. If the provider cannot be
 * reached, a job submits it later.
 * @throws email_unproven, invalid, token_expired, kyc_state
 */
export async function sendApplication(ctx: ExchangeContext, caller: Caller, application: KycApplication): Promise<Kyc> {
  requireVerifiedEmail(caller);
  const id = newId();
  const createdAt = await ctx.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, caller.accountId)).for("no key update");
    const now = await ctx.clock.now(tx);
    checkApplication(application, now);
    if (account?.deletedAt) throw new ExchangeError("token_expired");
    if (!account || !canApplyFrom[account.kycStatus]) throw new ExchangeError("kyc_state");
    await tx.insert(kycApplications).values({
      id,
      accountId: account.id,
      status: "pending",
      reasons: [],
      details: sealDetails(ctx.config, id, application),
      provider: ctx.kyc.name,
      createdAt: now,
      nextCheckAt: now,
      updatedAt: now,
    });
    await tx.update(accounts).set({ kycStatus: "pending" }).where(eq(accounts.id, account.id));
    return now;
  });
  try {
    await submitApplication(ctx, id);
  } catch (error) {
    ctx.log.warn({ reference: id, error: describeError(error) }, "could not submit a KYC application; will retry");
  }
  return { status: "pending", reasons: [], updated_at: createdAt.toISOString() };
}

function requireVerifiedEmail(caller: Caller): void {
  if (!caller.emailVerified) throw new ExchangeError("email_unproven");
}
