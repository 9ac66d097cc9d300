import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { supportMessageSchema } from "../../api/contract";
import { formatAmount } from "../../lib/money";
import { toNetwork } from "../../lib/network";
import { parseOrderNumber, toOrderNumber } from "../../lib/order-number";
import type { Caller } from "../accounts/caller";
import { consumeRateLimits, hourMs, type RateLimit } from "../accounts/rate-limits";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { type SupportedSwap, supportMail, toExactText } from "../mail/messages";
import { flushOutbox, queueMail } from "../mail/outbox";

type Sender = { caller: Caller | null; remoteAddress: string | undefined };

/**
 * What strangers, whose e-mail address is not verified, may send in an hour together: support cannot read more, and its
 * mailbox is not flooded (T71). It does not count customers, so strangers cannot use up what customers may send.
 */
const limitOfStrangers: RateLimit = { key: "messages", windows: [{ max: 200, ms: hourMs }] };

/**
 * Queues a message to the operator's support address. It has the details of a swap that the sender owns. The sender
 * gets no copy: anyone can enter any address, and this must not send e-mail to it (T71).
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
  if (from === undefined) throw new ExchangeError("invalid", { fields: { email: "where to answer" } });
  await ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    const network = remoteAddress === undefined ? "here" : toNetwork(remoteAddress);
    const sender = caller?.emailVerified ? caller.accountId : network;
    const limits = [limitOf(ctx, sender), ...(sender === network ? [limitOfStrangers] : [])];
    if (!(await consumeRateLimits(tx, limits, now)))
      throw new ExchangeError("rate_limited", { retryAfterSeconds: 900 });
    const found = await findSwap(tx, caller, message.order_number ?? "");
    const mail = supportMail(to, {
      from,
      isSignedIn: caller !== null,
      number: found?.number ?? (message.order_number || null),
      swap: found,
      text: message.message,
    });
    // Senders take turns, although all of these e-mails go to one address.
    await queueMail(tx, ctx, mail, { now, sender: `support:${sender}` });
  });
  flushOutbox(ctx);
}

/** New accounts cost nothing, so those without a verified address share what their network may send. */
function limitOf(ctx: ExchangeContext, sender: string): RateLimit {
  return { key: `messages-by:${sender}`, windows: [{ max: ctx.config.limits.messagesPerSenderPerHour, ms: hourMs }] };
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
  const { id, status, sourceAsset, targetAsset, sourceAmount, targetAmount } = order;
  const send = toExactText(formatAmount(sourceAmount, sourceAsset), sourceAsset);
  const receive = toExactText(formatAmount(targetAmount, targetAsset), targetAsset);
  return { id, status, number: toOrderNumber(quoteId), summary: `${send} to ${receive}` };
}
