import { eq, lt } from "drizzle-orm";
import { addMs, dayMs } from "../../lib/durations";
import type { RunningContext } from "../context";
import type { Database } from "../db/database";
import { kycApplications, kycWebhookEvents } from "../db/schema/kyc";
import { ExchangeError } from "../errors";
import { applyKycDecision } from "./apply-decision";
import { scheduleRecheck } from "./follow-applications";

const eventRetentionMs = dayMs;

/**
 * Handles a webhook from the provider. It only says that something changed: the decision is read from the provider, so
 * a forged, repeated or reordered webhook can at worst cause a request, and none if the application that it names does
 * not exist.
 * @throws webhook_invalid
 */
export async function receiveKycWebhook(ctx: RunningContext, rawBody: string, headers: Headers): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  const { eventId, reference } = parseOrRefuse(() => ctx.kyc.parseWebhook(rawBody, headers, now));
  const [known] = await ctx.db.select().from(kycWebhookEvents).where(eq(kycWebhookEvents.id, eventId));
  if (known || !(await isApplication(ctx.db, reference))) return;
  const decision = await ctx.kyc.getDecision(reference);
  const isDecided = decision !== null && decision !== "unknown";
  const changed = isDecided && (await applyKycDecision(ctx, reference, decision));
  if (!changed) await scheduleRecheck(ctx, reference);
  // Stored last: if reading the decision failed, the provider sends the webhook again and it must be handled then.
  await ctx.db.insert(kycWebhookEvents).values({ id: eventId, receivedAt: now }).onConflictDoNothing();
}

/** Applications are stored before the provider learns of them. */
async function isApplication(db: Database, reference: string): Promise<boolean> {
  const [found] = await db
    .select({ id: kycApplications.id })
    .from(kycApplications)
    .where(eq(kycApplications.id, reference));
  return found !== undefined;
}

/** Deletes the ids of webhooks that are too old to be accepted again. */
export async function purgeWebhookEvents(db: Database, now: Date): Promise<void> {
  await db.delete(kycWebhookEvents).where(lt(kycWebhookEvents.receivedAt, addMs(now, -eventRetentionMs)));
}

function parseOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ExchangeError("webhook_invalid", { cause });
  }
}
