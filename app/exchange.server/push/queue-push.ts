import { and, eq, inArray, sql } from "drizzle-orm";
import type { PriceAlert } from "../../api/contract";
import { addMs, dayMs } from "../../lib/durations";
import { paths } from "../../lib/paths";
import { isAboutExtraMoney, type SwapNotificationKind, toSwapNotification } from "../../lib/swap-notifications";
import type { Database } from "../db/database";
import { pushMessages, pushSubscriptions } from "../db/schema/push";

/**
 * A notification's content. Push services cannot read it, but others may see the screen, so it does not show amounts.
 */
export type PushMessage = { title: string; body: string; path: string };

/**
 * The notification for when 1 MOB costs more ("above") or less ("below") than the rate of a price alert.
 * @param rate USDT per 1 MOB
 */
export function toPriceMessage(direction: PriceAlert["direction"], rate: string): PushMessage {
  const title = `1 MOB costs ${direction === "above" ? "more" : "less"} than ${rate} USDT`;
  // Each alert has its own path, so that alerts don't replace each other.
  return { title, body: "See today's rates.", path: `/vegas#${direction}-${rate}` };
}

/** The notification about a swap. @param quoteId identifies the swap and its page */
export function toSwapMessage(kind: SwapNotificationKind, quoteId: number): PushMessage {
  const path = paths.quote(quoteId);
  // With a path of its own, a message does not replace one about the swap's status.
  return { ...toSwapNotification(kind, quoteId), path: isAboutExtraMoney(kind) ? `${path}#${kind}` : path };
}

/** Whether the account has browsers to notify: a column of a statement that reads from `accounts` anyway. */
export const hasBrowsers = sql<boolean>`exists (
  select 1 from push_subscriptions where push_subscriptions.account_id = accounts.id
)`;

/**
 * Queues a message for every browser of the account, in the transaction that causes it. Deletes unsent
 * ones with the same path: sent later, they would replace this one.
 */
export async function queuePush(tx: Database, accountId: string, message: PushMessage, now: Date): Promise<void> {
  const expiresAt = addMs(now, dayMs);
  const browsers = await tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.accountId, accountId))
    // Locked in the same order as when a session ends, which deletes the subscription and then its messages.
    .for("key share");
  if (browsers.length === 0) return;
  const ids = browsers.map(({ id }) => id);
  await tx
    .delete(pushMessages)
    .where(and(inArray(pushMessages.subscriptionId, ids), eq(pushMessages.path, message.path)));
  await tx
    .insert(pushMessages)
    .values(ids.map((subscriptionId) => ({ subscriptionId, ...message, dueAt: now, expiresAt })));
}
