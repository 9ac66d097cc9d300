import { and, asc, desc, eq, isNull } from "drizzle-orm";
import { toOneLine } from "../../lib/one-line";
import type { ExchangeContext, KycDecision } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";
import { kycActionRequiredMail, kycApprovedMail, kycRejectedMail } from "../mail/messages";
import { flushOutbox } from "../mail/outbox";
import { queueMail } from "../mail/queue-mail";
import { unsealDetails } from "./details";

/** Called in the transaction that withdraws an approval. */
export type OnKycWithdrawn = (tx: Database, accountId: string) => Promise<void>;

const doNothing: OnKycWithdrawn = async () => undefined;

/**
 * Applies a provider's decision. Only the account's newest application counts, and only a decision
 * later than the stored one, so repeated, late or reordered messages change nothing (T45).
 * @returns whether anything changed
 */
export async function applyKycDecision(
  ctx: ExchangeContext,
  reference: string,
  decision: KycDecision,
  onKycWithdrawn: OnKycWithdrawn = doNothing,
): Promise<boolean> {
  const { status } = decision;
  if (status === "pending") return false;
  const changed = await ctx.db.transaction(async (tx) => {
    const [found] = await tx.select().from(kycApplications).where(eq(kycApplications.id, reference));
    if (!found) return false;
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, found.accountId)).for("no key update");
    // Read again under the lock: a newer application or decision may have been stored meanwhile.
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
    await tx
      .update(kycApplications)
      .set({ status, reasons, decidedAt, updatedAt: now })
      .where(eq(kycApplications.id, reference));
    if (account.kycStatus === status) return true;
    await tx.update(accounts).set({ kycStatus: status }).where(eq(accounts.id, account.id));
    if (account.kycStatus === "approved") await onKycWithdrawn(tx, account.id);
    await queueMail(tx, ctx, resultMail(account.email, status, reasons), { now });
    return true;
  });
  if (changed) flushOutbox(ctx);
  return changed;
}

function resultMail(email: string, status: "approved" | "rejected" | "action_required", reasons: string[]) {
  if (status === "approved") return kycApprovedMail(email);
  return status === "rejected" ? kycRejectedMail(email, reasons) : kycActionRequiredMail(email, reasons);
}

/** Whether an application waits for the provider's decision. */
export async function hasPendingKyc(ctx: ExchangeContext): Promise<boolean> {
  const pending = await ctx.db
    .select({ id: kycApplications.id })
    .from(kycApplications)
    .where(and(eq(kycApplications.status, "pending"), eq(kycApplications.provider, ctx.kyc.name)))
    .limit(1);
  return pending.length > 0;
}

/**
 * Job: submits applications that the provider has not received yet, and polls for decisions on
 * the others. A failure does not stop the rest. @returns how many changed
 */
export async function applyKycDecisions(ctx: ExchangeContext, onKycWithdrawn?: OnKycWithdrawn): Promise<number> {
  const pending = await ctx.db
    .select()
    .from(kycApplications)
    .where(and(eq(kycApplications.status, "pending"), eq(kycApplications.provider, ctx.kyc.name)))
    .orderBy(asc(kycApplications.updatedAt))
    .limit(100);
  let changed = 0;
  for (const application of pending) {
    try {
      if (!application.submittedAt) await submitApplication(ctx, application.id);
      const decision = await ctx.kyc.getDecision(application.id);
      if (decision && (await applyKycDecision(ctx, application.id, decision, onKycWithdrawn))) changed += 1;
      else
        await ctx.db
          .update(kycApplications)
          .set({ updatedAt: await ctx.clock.now(ctx.db) })
          .where(isPending(application.id));
    } catch (error) {
      const reason = error instanceof Error ? error.name : "unknown";
      ctx.log.warn({ reference: application.id, reason }, "could not read a KYC decision; will retry");
    }
  }
  return changed;
}

function isPending(id: string) {
  return and(eq(kycApplications.id, id), eq(kycApplications.status, "pending"));
}

/** Submits one application to the provider. Submitting twice is harmless. */
export async function submitApplication(ctx: ExchangeContext, id: string): Promise<void> {
  const [row] = await ctx.db
    .select()
    .from(kycApplications)
    .where(and(eq(kycApplications.id, id), isNull(kycApplications.submittedAt)));
  if (!row) return;
  await ctx.kyc.submit(id, unsealDetails(ctx.config, row));
  await ctx.db
    .update(kycApplications)
    .set({ submittedAt: await ctx.clock.now(ctx.db) })
    .where(eq(kycApplications.id, id));
}
