import { desc, eq } from "drizzle-orm";
import { addMs, dayMs } from "../../lib/durations";
import { toOneLine } from "../../lib/one-line";
import type { ExchangeContext, KycDecision } from "../context";
import { accounts } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";
import { kycActionRequiredMail, kycApprovedMail, kycRejectedMail } from "../mail/messages/account";
import { queueMail } from "../mail/queue-mail";
import { holdUnverifiedOrders } from "../orders/holds/owner-eligibility";

/**
 * Applies a provider's decision. If it withdraws an approval, the account's orders are put on hold. Only the account's
 * newest application counts, and only a decision later than the stored one, so repeated, late or reordered messages
 * change nothing (T45).
 * @returns whether anything changed
 */
export async function applyKycDecision(
  ctx: ExchangeContext,
  reference: string,
  decision: KycDecision,
): Promise<boolean> {
  const { status } = decision;
  if (status === "pending") return false;
  return ctx.db.transaction(async (tx) => {
    const [found] = await tx.select().from(kycApplications).where(eq(kycApplications.id, reference));
    if (!found) return false;
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, found.accountId)).for("no key update");
    // Read again under the lock: a newer application or decision may have been stored in the meantime.
    const [application] = await tx
      .select()
      .from(kycApplications)
      .where(eq(kycApplications.accountId, found.accountId))
      .orderBy(desc(kycApplications.createdAt), desc(kycApplications.id))
      .limit(1);
    if (!account || application?.id !== reference) return false;
    if (application.decidedAt && application.decidedAt >= decision.decidedAt) return false;
    const now = await ctx.clock.now(tx);
    const { decidedAt } = decision;
    const reasons = decision.reasons.slice(0, 20).map((reason) => toOneLine(reason).slice(0, 500));
    const isApproved = status === "approved";
    const nextCheckAt = isApproved ? addMs(now, dayMs) : null;
    const approvedAt = application.approvedAt ?? (isApproved ? decidedAt : null);
    await tx
      .update(kycApplications)
      .set({ status, reasons, decidedAt, approvedAt, nextCheckAt, updatedAt: now })
      .where(eq(kycApplications.id, reference));
    if (account.kycStatus === status) return true;
    await tx.update(accounts).set({ kycStatus: status }).where(eq(accounts.id, account.id));
    if (account.kycStatus === "approved") await holdUnverifiedOrders(tx, ctx, account.id);
    // An approval has no effect while the customer is blocked: they see it once the block has ended.
    if (isApproved && account.blockedAt) return true;
    await queueMail(tx, ctx, resultMail(account.email, status, reasons), { now });
    return true;
  });
}

function resultMail(email: string, status: "approved" | "rejected" | "action_required", reasons: string[]) {
  if (status === "approved") return kycApprovedMail(email);
  return status === "rejected" ? kycRejectedMail(email, reasons) : kycActionRequiredMail(email, reasons);
}
