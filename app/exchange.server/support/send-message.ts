import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { supportMessageSchema } from "../../api/contract";
import { toClientNetwork } from "../../lib/client-network";
import { hourMs, minuteMs } from "../../lib/durations";
import { formatAmount } from "../../lib/money";
import { parseOrderNumber, toOrderNumber } from "../../lib/order-number";
import type { Caller } from "../accounts/caller";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { consumeEventLimits, type EventLimit, toRetryAfterSeconds } from "../limits/event-limits";
import { toExactText } from "../mail/format";
import { type SupportedSwap, supportMail } from "../mail/messages/support";
import { queueMail } from "../mail/queue-mail";
import { authenticate, deriveKey } from "../secrets";
import { toSwapTerms } from "../swap-terms";

type Sender = { caller: Caller | null; remoteAddress: string | undefined };

/**
 * How many messages all senders who are not customers may send together in an hour, so that they cannot flood the
 * support mailbox (T71). Customers have separate limits, which these senders cannot use up.
 */
const strangersLimit: EventLimit = { key: "messages", windows: [{ max: 200, ms: hourMs }] };

/**
 * Queues a message to the operator's support address, with the details of the swap if the sender owns it. The sender
 * does not get a copy, because anyone can enter anyone's address (T71). The same message within a minute is sent once.
 * @throws not_found without a support address, invalid without the sender's address, rate_limited
 */
export async function sendSupportMessage(
  ctx: ExchangeContext,
  { caller, remoteAddress }: Sender,
  message: z.output<typeof supportMessageSchema>,
): Promise<void> {
  const to = ctx.config.supportEmail;
  if (to === null) throw new ExchangeError("not_found", { message: "This exchange has no support address." });
  const from = caller?.email ?? message.email;
  if (from === undefined) throw new ExchangeError("invalid", { fields: { email: "Enter the address to reply to." } });
  await ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    const network = remoteAddress === undefined ? "here" : toClientNetwork(remoteAddress);
    const sender = caller !== null && (await isCustomer(tx, caller)) ? caller.accountId : network;
    const limits = [limitOf(ctx, sender), ...(sender === network ? [strangersLimit] : [])];
    if (!(await consumeEventLimits(tx, limits, now))) {
      throw new ExchangeError("rate_limited", { retryAfterSeconds: await toRetryAfterSeconds(tx, limits, now) });
    }
    // The page has no scripts, so pressing the button twice sends the form twice. Both count towards the limits.
    const once = onceAMinute(ctx, [sender, from, message.order_number ?? "", message.message]);
    if (!(await consumeEventLimits(tx, [once], now))) return;
    const found = await findSwap(tx, caller, message.order_number ?? "");
    const mail = supportMail(to, {
      from,
      sender: caller === null ? "unknown" : caller.emailVerified ? "verified" : "unverified",
      number: found?.number ?? (message.order_number || null),
      swap: found,
      text: message.message,
    });
    // Senders take turns, even though all these e-mails go to the same address.
    await queueMail(tx, ctx, mail, { now, sender: `support:${sender}` });
  });
}

/** Whether a sender has proven more than an e-mail address. Anyone can have any number of e-mail addresses. */
async function isCustomer(tx: Database, { accountId, emailVerified, kycStatus }: Caller): Promise<boolean> {
  if (!emailVerified) return false;
  if (kycStatus === "approved") return true;
  const found = await tx.select({ id: orders.id }).from(orders).where(eq(orders.accountId, accountId)).limit(1);
  return found.length > 0;
}

/** Anyone can create accounts, so senders who are not customers share the limit of their network. */
function limitOf(ctx: ExchangeContext, sender: string): EventLimit {
  return { key: `messages-by:${sender}`, windows: [{ max: ctx.config.limits.messagesPerSenderPerHour, ms: hourMs }] };
}

/** Allows the same message of the same sender once a minute. */
function onceAMinute({ config }: ExchangeContext, message: string[]): EventLimit {
  const digest = authenticate(deriveKey(config.secret, "support-message"), ...message);
  return { key: `message:${digest.toString("base64url")}`, windows: [{ max: 1, ms: minuteMs }] };
}

/** The sender's own swap with this number, or null. */
async function findSwap(
  tx: Database,
  caller: Caller | null,
  typed: string,
): Promise<(SupportedSwap & { number: string }) | null> {
  const quoteId = parseOrderNumber(typed);
  if (caller === null || quoteId === null) return null;
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.quoteId, quoteId), eq(orders.accountId, caller.accountId)));
  if (!order) return null;
  const { id, status, sourceAsset, targetAsset } = order;
  const { source, target } = toSwapTerms(order);
  const send = toExactText(formatAmount(source, sourceAsset), sourceAsset);
  const receive = toExactText(formatAmount(target, targetAsset), targetAsset);
  return { id, status, number: toOrderNumber(quoteId), summary: `${send} to ${receive}` };
}
