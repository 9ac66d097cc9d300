import { and, asc, eq, lte, not, or, type SQL } from "drizzle-orm";
import { addMs, dayMs, minuteMs } from "../../lib/durations";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext, KycDecision, RunningContext } from "../context";
import { kycApplications } from "../db/schema/kyc";
import { cutToFirstLine, describeError } from "../describe-error";
import { applyKycDecision } from "./apply-decision";
import { reportRefusals } from "./refusals";
import { KycRefusedError } from "./refused-error";
import { submitToProvider } from "./submit-to-provider";

type ApplicationRow = typeof kycApplications.$inferSelect;

/** How many applications a run checks at a time, so that a slow provider does not delay the others. */
const parallelChecks = 5;
/** How long a provider may take to know an application that it has accepted. */
const acceptanceMs = 5 * minuteMs;
/**
 * After this many failures, a run leaves the rest to the next one, because each failure may take as long as the
 * provider's timeout.
 */
const maxFailuresInARow = 3;

/** Whether an application waits for the provider's decision, or is due to be checked again. */
export async function hasKycWork(ctx: RunningContext): Promise<boolean> {
  const now = await ctx.clock.now(ctx.db);
  const { status, nextCheckAt, provider } = kycApplications;
  const [open] = await ctx.db
    .select({ id: kycApplications.id })
    .from(kycApplications)
    .where(and(or(eq(status, "pending"), lte(nextCheckAt, now)), eq(provider, ctx.kyc.name)))
    .limit(1);
  return open !== undefined;
}

/**
 * Job: submits applications that the provider has not received yet, and reads its decisions: on pending applications
 * less and less often, on approved ones once a day, in case the webhook that withdraws an approval was lost. A failure
 * does not stop the rest, but several in a row do, because the provider is probably unreachable.
 */
export async function followApplications(ctx: RunningContext): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  const isPending = eq(kycApplications.status, "pending");
  const due = [
    ...(await selectDue(ctx, { now, which: isPending, limit: 80 })),
    // However many are waiting, some approved ones are checked again, because an approval may have been withdrawn.
    ...(await selectDue(ctx, { now, which: not(isPending), limit: 20 })),
  ];
  let failure: unknown = null;
  let failuresInARow = 0;
  const checkOne = async (application: ApplicationRow) => {
    const unchanged = and(eq(kycApplications.id, application.id), eq(kycApplications.status, application.status));
    try {
      const outcome = await check(ctx, application, now);
      if (outcome !== "changed") {
        const next = { nextCheckAt: toNextCheck(application, now), ...(outcome === "responded" && { updatedAt: now }) };
        await ctx.db.update(kycApplications).set(next).where(unchanged);
      }
      failuresInARow = 0;
    } catch (error) {
      failure = error;
      failuresInARow += 1;
      const nextCheckAt = addMs(now, Math.min(toWaitMs(application, now), maxWaitMs));
      await ctx.db.update(kycApplications).set({ nextCheckAt }).where(unchanged);
      const { id: reference } = application;
      ctx.log.warn(
        { reference, error: describeError(error) },
        "could not read a decision of the identity provider; will retry",
      );
    }
  };
  const waiting = due.values();
  const checkInTurn = async () => {
    for (const application of waiting) {
      if (failuresInARow >= maxFailuresInARow) return;
      await checkOne(application);
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, checkInTurn));
  // Even if nothing is due: a webhook may have brought the decision that was missing.
  await reportKycOutage(ctx, now, failure);
}

function selectDue(ctx: RunningContext, { now, which, limit }: { now: Date; which: SQL; limit: number }) {
  return ctx.db
    .select()
    .from(kycApplications)
    .where(and(which, lte(kycApplications.nextCheckAt, now), eq(kycApplications.provider, ctx.kyc.name)))
    .orderBy(asc(kycApplications.nextCheckAt))
    .limit(limit);
}

/**
 * Submits an application if necessary, and applies the decision if there is one.
 * @returns whether it has changed, the provider has responded, or it does not know the application yet
 * @throws if the provider has lost the application, which is then submitted again
 */
async function check(
  ctx: RunningContext,
  { id, status, submittedAt }: ApplicationRow,
  now: Date,
): Promise<"changed" | "responded" | "unknown"> {
  const apply = async (decision: KycDecision) =>
    (await applyKycDecision(ctx, id, decision)) ? "changed" : "responded";
  try {
    if (status === "pending" && !submittedAt) await submitToProvider(ctx, id);
  } catch (error) {
    if (!(error instanceof KycRefusedError)) throw error;
    ctx.log.error(
      { reference: id, error: describeError(error) },
      "the identity provider will never accept an application",
    );
    const decidedAt = await ctx.clock.now(ctx.db);
    const outcome = await apply({ status: "action_required", reasons: [refusedText], decidedAt });
    await reportRefusals(ctx, error);
    return outcome;
  }
  const decision = await ctx.kyc.getDecision(id);
  if (decision === null) return "responded";
  if (decision !== "unknown") return apply(decision);
  // An approval stays: the provider can no longer withdraw it.
  if (status !== "pending") return "responded";
  if (!submittedAt || submittedAt > addMs(now, -acceptanceMs)) return "unknown";
  await ctx.db.update(kycApplications).set({ submittedAt: null }).where(eq(kycApplications.id, id));
  throw new Error("the identity provider does not know an application that it has accepted");
}

const refusedText = "We couldn't process your details. Check them and send them again.";

function toNextCheck(application: ApplicationRow, now: Date): Date | null {
  const isFollowed = application.status === "pending" || application.status === "approved";
  return isFollowed ? addMs(now, toWaitMs(application, now)) : null;
}

/**
 * How long until an application is checked again. In its first minute, a pending one is checked every time that the job
 * runs. The checks of approved ones are spread.
 */
function toWaitMs({ status, createdAt }: ApplicationRow, now: Date): number {
  if (status !== "pending") return dayMs * (0.75 + 0.25 * Math.random());
  const ageMs = now.getTime() - createdAt.getTime();
  return ageMs < minuteMs ? 0 : Math.min(ageMs / 10, maxWaitMs);
}

const maxWaitMs = 15 * minuteMs;
/** Longer than `maxWaitMs`. */
const reportAfterMs = 30 * minuteMs;
/** Approved applications are checked once a day. */
const reportApprovedAfterMs = 2 * dayMs;
const outageSubject = "identity-checks";

/** Alerts an operator when the provider has not responded about an application for a long time. */
async function reportKycOutage(ctx: RunningContext, now: Date, failure: unknown): Promise<void> {
  const { status, nextCheckAt, updatedAt } = kycApplications;
  const isWaiting = and(eq(status, "pending"), lte(updatedAt, addMs(now, -reportAfterMs)));
  // Applications that could not be checked are tried again within `maxWaitMs`.
  const isDue = lte(nextCheckAt, addMs(now, maxWaitMs));
  const isUnchecked = and(eq(status, "approved"), isDue, lte(updatedAt, addMs(now, -reportApprovedAfterMs)));
  const waitingSince = await findOldest(ctx, isWaiting);
  const since = waitingSince ?? (await findOldest(ctx, isUnchecked));
  if (!since) return clearAlert(ctx.db, outageSubject);
  if (failure === null) return;
  const effect = waitingSince
    ? "Customers are waiting for their verification."
    : "If the provider withdraws an approval, we may not notice.";
  // Never the message of a database error, because it contains the query's parameters.
  const { name, message = name } = describeError(failure);
  const reason = `We have not had a valid response from the identity provider about an application since ${since.toISOString()} (${cutToFirstLine(String(message))}). ${effect} We keep trying.`;
  await raiseAlert(ctx.db, ctx, {
    subject: outageSubject,
    reason,
    action: "Check KYC_URL and KYC_API_KEY, or report the response to the provider.",
    at: now,
  });
}

/** When the provider last responded about the application of this kind that has waited longest. */
async function findOldest(ctx: RunningContext, which: SQL | undefined): Promise<Date | undefined> {
  const { provider, updatedAt } = kycApplications;
  const [oldest] = await ctx.db
    .select({ updatedAt })
    .from(kycApplications)
    .where(and(which, eq(provider, ctx.kyc.name)))
    .orderBy(asc(updatedAt))
    .limit(1);
  return oldest?.updatedAt;
}

/** Lets the job query the provider about an application again: a webhook may arrive before the decision can be read. */
export async function scheduleRecheck(ctx: ExchangeContext, reference: string): Promise<void> {
  const nextCheckAt = addMs(await ctx.clock.now(ctx.db), minuteMs);
  await ctx.db.update(kycApplications).set({ nextCheckAt }).where(eq(kycApplications.id, reference));
}
