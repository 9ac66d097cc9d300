import { and, eq, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { dayMs } from "../../../lib/durations";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../../lib/money";
import { formatDecimalText, plainNumberStyle } from "../../../lib/number-style";
import { toOrderNumber } from "../../../lib/order-number";
import { paths } from "../../../lib/paths";
import type { SwapMail } from "../../../lib/swap-mails";
import { isAboutExtraMoney, type SwapNotificationKind } from "../../../lib/swap-notifications";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { accounts } from "../../db/schema/accounts";
import type { OrderRow } from "../../db/schema/orders";
import { toExactText } from "../../mail/format";
import type { SwapPrice } from "../../mail/messages/swap";
import { dropQueuedMail, queueMail } from "../../mail/queue-mail";
import type { EmailTemplate } from "../../mail/template";
import { hasBrowsers, queuePush, toSwapMessage } from "../../push/queue-push";
import { toSwapTerms } from "../../swap-terms";

type Notice = {
  order: OrderRow;
  kind: SwapNotificationKind;
  /** The setting that turns off e-mails of this kind, if it has a different name. */
  mutedAs?: SwapMail;
  /** When the e-mail becomes useless, if that is earlier than usual. */
  deadline?: Date;
};

/** E-mails that are out of date once the order has moved on. */
const progressKinds: readonly SwapNotificationKind[] = [
  "payment_seen",
  "payment_short",
  "payment_late",
  "decision_needed",
  "on_hold",
  "released",
];

/** Notifications that ask the owner to open the swap, which is impossible while the account is blocked. */
const opensSwap: readonly SwapNotificationKind[] = ["payment_short", "on_hold", "decision_needed"];

/**
 * Queues the e-mail, unless the owner has turned off e-mails of its kind, and a notification for the owner's browsers.
 */
export async function notifyOwner(
  tx: Database,
  ctx: ExchangeContext,
  { order, kind, mutedAs, deadline }: Notice,
  write: (to: string, isBlocked: boolean) => EmailTemplate,
): Promise<void> {
  const [owner] = await tx
    .select({ email: accounts.email, muted: accounts.mutedMails, blockedAt: accounts.blockedAt, hasBrowsers })
    .from(accounts)
    .where(and(eq(accounts.id, order.accountId), isNull(accounts.deletedAt)));
  if (!owner) return;
  const isMuted = owner.muted.some((muted) => muted === (mutedAs ?? kind));
  const isBlocked = owner.blockedAt !== null;
  const isPushed = owner.hasBrowsers && !(isBlocked && opensSwap.includes(kind));
  const topic = toTopic(order.id);
  const isProgress = progressKinds.includes(kind);
  // A new e-mail about progress replaces one that is still queued; any other e-mail removes it.
  if (!isAboutExtraMoney(kind) && (isMuted || !isProgress)) await dropQueuedMail(tx, ctx, topic);
  if (isMuted && !isPushed) return;
  const now = await ctx.clock.now(tx);
  const ttlMs = Math.min(
    3 * dayMs,
    deadline === undefined ? Number.POSITIVE_INFINITY : deadline.getTime() - now.getTime(),
  );
  if (!isMuted) {
    await queueMail(tx, ctx, write(owner.email, isBlocked), { now, ttlMs, ...(isProgress && { topic }) });
  }
  if (isPushed) await queuePush(tx, order.accountId, toSwapMessage(kind, order.quoteId), now);
}

/** Deletes an e-mail about an order's progress that has not been sent yet, because the order has moved on. */
export async function dropProgressMail(tx: Database, ctx: ExchangeContext, orderId: string): Promise<void> {
  await dropQueuedMail(tx, ctx, toTopic(orderId));
}

const toTopic = (orderId: string) => `swap:${orderId}`;

/** What every e-mail about a swap says: its number, its page, and the price at which it was filled or else locked. */
export function describeSwap(ctx: ExchangeContext, order: OrderRow) {
  const { sourceAsset, targetAsset, quoteId } = order;
  const terms = toSwapTerms(order);
  const rate = formatDecimal(terms.rate, RATE_DECIMALS);
  const toText = (amount: bigint, asset: AssetSymbol) => toExactText(formatAmount(amount, asset), asset);
  const price: SwapPrice = {
    sent: toText(terms.source, sourceAsset),
    received: toText(terms.target, targetAsset),
    fee: toText(terms.fee, sourceAsset),
    rate: `1 ${sourceAsset} = ${formatDecimalText(rate, plainNumberStyle)} ${targetAsset}`,
  };
  return { number: toOrderNumber(quoteId), url: new URL(paths.quote(quoteId), ctx.config.origin).href, price };
}

/** What is missing from the agreed amount, with its asset; null if nothing is. */
export function toMissing({ sourceAmount, sourceAsset }: OrderRow, received: bigint): string | null {
  const missing = sourceAmount - received;
  return missing > 0n ? toExactText(formatAmount(missing, sourceAsset), sourceAsset) : null;
}
