import { eq, lt } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { applyKycDecision, type OnKycChange } from "./decide";
import { kycWebhookEvents } from "./tables";

const keepEventsMs = 86_400_000;

/**
 * A provider's message says only that something changed; what, is asked of the provider
 * itself. So a forged, repeated or reordered message can at worst cause a question.
 * @throws webhook_invalid
 */
export async function takeKycWebhook(
  x: ExchangeContext,
  rawBody: string,
  headers: Headers,
  onKycChange?: OnKycChange,
): Promise<void> {
  const now = await x.clock.now(x.db);
  const { eventId, reference } = readOrRefuse(() => x.kyc.parseWebhook(rawBody, headers, now));
  const [known] = await x.db.select().from(kycWebhookEvents).where(eq(kycWebhookEvents.id, eventId));
  if (known) return;
  const decision = await x.kyc.getDecision(reference);
  if (decision) await applyKycDecision(x, reference, decision, onKycChange);
  // Written last: a message whose decision could not be fetched is sent again and must count then.
  await x.db.insert(kycWebhookEvents).values({ id: eventId, receivedAt: now }).onConflictDoNothing();
  await x.db.delete(kycWebhookEvents).where(lt(kycWebhookEvents.receivedAt, new Date(now.getTime() - keepEventsMs)));
}

function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ExchangeError("webhook_invalid", { cause });
  }
}
