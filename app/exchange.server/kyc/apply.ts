import { desc, eq } from "drizzle-orm";
import type { Kyc, KycApplication } from "../../api/contract";
import { accounts } from "../accounts/tables";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import type { Caller } from "../http/env";
import { newId } from "../ids";
import { deriveKey, seal } from "../secrets";
import { checkApplication } from "./application";
import { submitApplication } from "./decide";
import { kycApplications } from "./tables";

/** From where an application may be sent: at first, and again when it was refused or incomplete. */
const sendableFrom = { not_started: true, rejected: true, action_required: true, pending: false, approved: false };

/** @throws email_unproven */
export async function getKyc(x: ExchangeContext, caller: Caller): Promise<Kyc> {
  requireProven(caller);
  const [account] = await x.db.select().from(accounts).where(eq(accounts.id, caller.accountId));
  const [application] = await x.db
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
 * Takes an application: kept sealed first, then handed to the provider. A provider that
 * cannot be reached delays it (a job tries again) and loses nothing.
 * @throws email_unproven, user_inactive, invalid, kyc_state
 */
export async function sendApplication(x: ExchangeContext, caller: Caller, application: KycApplication): Promise<Kyc> {
  requireProven(caller);
  const id = newId();
  const createdAt = await x.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, caller.accountId)).for("no key update");
    const now = await x.clock.now(tx);
    checkApplication(application, now);
    if (!account || !sendableFrom[account.kycStatus]) throw new ExchangeError("kyc_state");
    await tx.insert(kycApplications).values({
      id,
      accountId: account.id,
      status: "pending",
      reasons: [],
      details: seal(deriveKey(x.config.secret, "kyc-details"), JSON.stringify(application), id),
      provider: x.kyc.name,
      createdAt: now,
      updatedAt: now,
    });
    await tx.update(accounts).set({ kycStatus: "pending" }).where(eq(accounts.id, account.id));
    return now;
  });
  try {
    await submitApplication(x, id);
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    x.log.warn({ reference: id, reason }, "an application could not be handed over; tried again later");
  }
  return { status: "pending", reasons: [], updated_at: createdAt.toISOString() };
}

function requireProven(caller: Caller): void {
  if (!caller.emailVerified) throw new ExchangeError("email_unproven");
}
