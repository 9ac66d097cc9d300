import { and, asc, desc, eq, isNull } from "drizzle-orm";
import type { KycApplication } from "../../api/contract";
import { toOneLine } from "../../lib/one-line";
import { accounts } from "../accounts/tables";
import type { ExchangeContext, KycDecision } from "../context";
import type { Database } from "../db/database";
import { kycActionRequiredMail, kycApprovedMail, kycRejectedMail } from "../mail/messages";
import { kickOutbox, queueMail } from "../mail/outbox";
import { deriveKey, unseal } from "../secrets";
import { kycApplications } from "./tables";

/** Called inside the transaction in which an approval is given or taken back. */
export type OnKycChange = (tx: Database, accountId: string, approved: boolean) => Promise<void>;

const doNothing: OnKycChange = async () => undefined;

/**
 * Writes a provider's decision down. Only the account's newest application counts, and
 * only a decision later than the one known: messages that come twice, late or in another
 * order change nothing (T45). @returns whether anything changed
 */
export async function applyKycDecision(
  x: ExchangeContext,
  reference: string,
  decision: KycDecision,
  onKycChange: OnKycChange = doNothing,
): Promise<boolean> {
  const { status } = decision;
  if (status === "pending") return false;
  const changed = await x.db.transaction(async (tx) => {
    const [found] = await tx.select().from(kycApplications).where(eq(kycApplications.id, reference));
    if (!found) return false;
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, found.accountId)).for("no key update");
    // Read again behind the lock: a newer application or decision may have come first.
    const [application] = await tx
      .select()
      .from(kycApplications)
      .where(eq(kycApplications.accountId, found.accountId))
      .orderBy(desc(kycApplications.createdAt), desc(kycApplications.id))
      .limit(1);
    if (!account || application?.id !== reference) return false;
    if (application.decidedAt && application.decidedAt >= decision.decidedAt) return false;
    const now = await x.clock.now(tx);
    const { decidedAt } = decision;
    const reasons = decision.reasons.slice(0, 20).map((reason) => toOneLine(reason).slice(0, 500));
    await tx
      .update(kycApplications)
      .set({ status, reasons, decidedAt, updatedAt: now })
      .where(eq(kycApplications.id, reference));
    if (account.kycStatus === status) return true;
    await tx.update(accounts).set({ kycStatus: status }).where(eq(accounts.id, account.id));
    if (account.kycStatus === "approved") await onKycChange(tx, account.id, false);
    if (status === "approved") await onKycChange(tx, account.id, true);
    await queueMail(tx, x, resultMail(account.email, status, reasons), now);
    return true;
  });
  if (changed) kickOutbox(x);
  return changed;
}

function resultMail(email: string, status: "approved" | "rejected" | "action_required", reasons: string[]) {
  if (status === "approved") return kycApprovedMail(email);
  return status === "rejected" ? kycRejectedMail(email, reasons) : kycActionRequiredMail(email, reasons);
}

/**
 * The job: hands over applications that the provider has not got yet, and asks after those
 * it has. One that fails does not keep the others. @returns how many changed
 */
export async function applyKycDecisions(x: ExchangeContext, onKycChange?: OnKycChange): Promise<number> {
  const pending = await x.db
    .select()
    .from(kycApplications)
    .where(and(eq(kycApplications.status, "pending"), eq(kycApplications.provider, x.kyc.name)))
    .orderBy(asc(kycApplications.updatedAt))
    .limit(100);
  let changed = 0;
  for (const application of pending) {
    try {
      if (!application.submittedAt) await submitApplication(x, application.id);
      const decision = await x.kyc.getDecision(application.id);
      if (decision && (await applyKycDecision(x, application.id, decision, onKycChange))) changed += 1;
      else
        await x.db
          .update(kycApplications)
          .set({ updatedAt: await x.clock.now(x.db) })
          .where(stillPending(application.id));
    } catch (error) {
      const reason = error instanceof Error ? error.name : "unknown";
      x.log.warn({ reference: application.id, reason }, "an identity check could not be followed; tried again later");
    }
  }
  return changed;
}

function stillPending(id: string) {
  return and(eq(kycApplications.id, id), eq(kycApplications.status, "pending"));
}

/** Hands one application to the provider; doing it twice is harmless, losing one is not. */
export async function submitApplication(x: ExchangeContext, id: string): Promise<void> {
  const [row] = await x.db
    .select()
    .from(kycApplications)
    .where(and(eq(kycApplications.id, id), isNull(kycApplications.submittedAt)));
  if (!row) return;
  const details = JSON.parse(unseal(deriveKey(x.config.secret, "kyc-details"), row.details, id)) as KycApplication;
  await x.kyc.submit(id, details);
  await x.db
    .update(kycApplications)
    .set({ submittedAt: await x.clock.now(x.db) })
    .where(eq(kycApplications.id, id));
}
