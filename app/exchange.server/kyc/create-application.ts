import { eq } from "drizzle-orm";
import type { Kyc, KycApplication } from "../../api/contract";
import { toClientNetwork } from "../../lib/client-network";
import { dayMs, minuteMs } from "../../lib/durations";
import { type Caller, requireVerifiedEmail } from "../accounts/caller";
import { requireOpenSession } from "../accounts/require-open-session";
import type { ExchangeContext, RunningContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { kycApplications } from "../db/schema/kyc";
import { describeError } from "../describe-error";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { consumeEventLimits, toRetryAfterSeconds } from "../limits/event-limits";
import { checkApplication } from "./check-application";
import { sealDetails } from "./details";
import { submitToProvider } from "./submit-to-provider";

/** The statuses in which an application may be sent: at first, and again after a rejection or a request for more. */
const canApplyFrom = { not_started: true, rejected: true, action_required: true, pending: false, approved: false };

/** Enough to correct mistakes. */
const perAccountPerDay = 5;

/** After a network has used up its applications for a day, it may send one more at this interval. */
const fromNetworkAfterMaxMs = 5 * minuteMs;

type Applicant = { caller: Caller; remoteAddress: string | undefined };

/**
 * Stores an application encrypted, then submits it to the provider. If the provider cannot be
 * reached, a job submits it later.
 * @throws email_unproven, invalid, user_blocked, token_expired if the session has ended, kyc_state, rate_limited
 */
export async function createApplication(
  ctx: RunningContext,
  { caller, remoteAddress }: Applicant,
  application: KycApplication,
): Promise<Kyc> {
  requireVerifiedEmail(caller);
  const id = newId();
  const createdAt = await ctx.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, caller.accountId)).for("no key update");
    const now = await ctx.clock.now(tx);
    checkApplication(application, now);
    if (account?.blockedAt) throw new ExchangeError("user_blocked");
    await requireOpenSession(tx, caller);
    if (!account || !canApplyFrom[account.kycStatus]) throw new ExchangeError("kyc_state");
    await limitApplications(tx, ctx, { accountId: account.id, remoteAddress }, now);
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
    await submitToProvider(ctx, id);
  } catch (error) {
    ctx.log.warn(
      { reference: id, error: describeError(error) },
      "could not submit an application for verification; will retry",
    );
  }
  return { status: "pending", reasons: [], updated_at: createdAt.toISOString() };
}

/** The provider may charge for each application, and anyone can create accounts (T45). @throws rate_limited */
async function limitApplications(
  tx: Database,
  ctx: ExchangeContext,
  { accountId, remoteAddress }: { accountId: string; remoteAddress: string | undefined },
  now: Date,
): Promise<void> {
  const ofAccount = { key: `applications:${accountId}`, windows: [{ max: perAccountPerDay, ms: dayMs }] };
  if (!(await consumeEventLimits(tx, [ofAccount], now))) {
    const message = `You have sent ${perAccountPerDay} applications in a day. Try again tomorrow.`;
    const retryAfterSeconds = await toRetryAfterSeconds(tx, [ofAccount], now);
    throw new ExchangeError("rate_limited", { message, retryAfterSeconds });
  }
  if (remoteAddress === undefined) return;
  const { applicationsPerSenderPerDay: max } = ctx.config.limits;
  const windows = [{ max, ms: dayMs, thenEveryMs: fromNetworkAfterMaxMs }];
  if (!(await consumeEventLimits(tx, [{ key: `applications-by:${toClientNetwork(remoteAddress)}`, windows }], now))) {
    const message = "Your network has sent many applications today. Try again in a few minutes.";
    throw new ExchangeError("rate_limited", { message, retryAfterSeconds: fromNetworkAfterMaxMs / 1_000 });
  }
}
