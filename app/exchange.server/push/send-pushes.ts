import { and, eq, inArray, lt, notExists, notInArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { claimDue, dropExpired, retryLater } from "../db/queue";
import { QueueSender } from "../db/queue-sender";
import { pushMessages, pushSubscriptions } from "../db/schema/push";
import { describeError } from "../describe-error";
import { perContext } from "../per-context";
import { isPushEndpoint } from "./subscriptions";
import { toVapidKeys } from "./vapid";

/** How many messages a process sends at a time, and how many in one run. */
const parallelSends = 20;
const sendsPerRun = 500;
const sendMs = 10_000;
/** How many messages may be sent at a time to one host, so that one that hangs leaves room for the others. */
const parallelPerHost = 10;

type MessageRow = typeof pushMessages.$inferSelect;
type SubscriptionRow = typeof pushSubscriptions.$inferSelect;
type Claimed = { message: MessageRow; to: SubscriptionRow; now: Date };

/** Sends the messages of one context. */
function createSender(ctx: ExchangeContext): QueueSender<Claimed, void> {
  /** The browsers to which messages are being sent. */
  const busy = new Map<number, SubscriptionRow>();
  const claim = async (): Promise<Claimed | undefined> => {
    const now = await ctx.clock.now(ctx.db);
    const where = isNext(ctx.db, [...busy.values()]);
    const [message] = await claimDue(ctx.db, pushMessages, now, { limit: 1, where });
    if (!message) return undefined;
    const isItsBrowser = eq(pushSubscriptions.id, message.subscriptionId);
    const [to] = await ctx.db.select().from(pushSubscriptions).where(isItsBrowser);
    // If the subscription has just been deleted, so was the message.
    if (!to) return claim();
    busy.set(to.id, to);
    return { message, to, now };
  };
  const send = async (claimed: Claimed, giveUp: AbortSignal) => {
    try {
      await sendClaimed(ctx, claimed, giveUp);
    } finally {
      busy.delete(claimed.to.id);
    }
  };
  return new QueueSender({ parallelSends, sendsPerRun, sendMs, claim, send });
}

const getSender = perContext(createSender);

/**
 * Whether a message may be sent while others are being sent to the browsers `busy`. Only the oldest of each browser may,
 * so that its messages arrive in the order of their events.
 */
function isNext(db: Database, busy: readonly SubscriptionRow[]): SQL | undefined {
  const toHost = ({ endpoint }: SubscriptionRow) => endpoint.split("/")[2] ?? "";
  const hosts = busy.map(toHost);
  const fullHosts = hosts.filter((host) => hosts.filter((other) => other === host).length >= parallelPerHost);
  const { subscriptionId } = pushMessages;
  const earlier = alias(pushMessages, "earlier");
  const ofBrowser = and(eq(earlier.subscriptionId, subscriptionId), lt(earlier.id, pushMessages.id));
  const isFull = inArray(sql`split_part(${pushSubscriptions.endpoint}, '/', 3)`, [...new Set(fullHosts)]);
  const ofFullHost = and(eq(pushSubscriptions.id, subscriptionId), isFull);
  const busyIds = busy.map(({ id }) => id);
  return and(
    notInArray(subscriptionId, busyIds),
    notExists(db.select({ id: earlier.id }).from(earlier).where(ofBrowser)),
    notExists(db.select({ id: pushSubscriptions.id }).from(pushSubscriptions).where(ofFullHost)),
  );
}

/**
 * Sends the messages that are due, several at a time. Each browser gets its messages one after another, in the order of
 * their events. Concurrent runs share the limit on parallel sends. Deletes subscriptions that can no longer be used.
 */
export function sendPushes(ctx: ExchangeContext): Promise<void> {
  return getSender(ctx).track(sendDue(ctx));
}

async function sendDue(ctx: ExchangeContext): Promise<void> {
  await dropExpired(ctx.db, pushMessages, await ctx.clock.now(ctx.db));
  await getSender(ctx).run();
}

/**
 * Job: starts sending the messages that are due. It does not wait for the push services, so that the next run can send
 * others while one is slow.
 */
export async function startPushing(ctx: ExchangeContext): Promise<void> {
  sendPushes(ctx).catch((error: unknown) =>
    ctx.log.error({ error: describeError(error) }, "could not send the notifications that are due; will retry"),
  );
}

/** Stops sending, as `stopOutbox` does. Call it before closing the database. */
export function stopPushes(ctx: ExchangeContext): Promise<void> {
  return getSender(ctx).stop();
}

/**
 * Whether the browser no longer exists. 401 and 403 don't count: they may be our fault, which would affect all
 * browsers.
 */
const isGone = (status: number) => status === 404 || status === 410;
/** Whether the push service will never accept this message. */
const isRefused = (status: number) =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status) && !isGone(status);

/** Sends a message, which stays in the queue if that fails. */
async function sendClaimed(ctx: ExchangeContext, claimed: Claimed, giveUp: AbortSignal): Promise<void> {
  const { message, to, now } = claimed;
  let minWaitMs = 0;
  try {
    const { status, retryAfterMs } = await send(ctx, claimed, giveUp);
    if (isGone(status)) {
      ctx.log.info({ status }, "deleted the subscription of a browser that no longer exists");
      await ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, to.id));
      return;
    }
    if (isRefused(status)) ctx.log.warn({ status }, "deleted a notification that the push service refused");
    else if (status >= 300) {
      minWaitMs = retryAfterMs;
      throw new Error(`the push service responded with ${status}`);
    }
    await ctx.db.delete(pushMessages).where(eq(pushMessages.id, message.id));
  } catch (error) {
    await retryLater(ctx.db, pushMessages, message, { now, minWaitMs });
    const { attempts } = message;
    ctx.log.warn({ attempts, error: describeError(error) }, "could not notify a browser; will retry");
  }
}

/** @returns the push service's status, and how long it asks us to wait before the next attempt */
async function send(
  { config }: ExchangeContext,
  { message, to, now }: Claimed,
  giveUp: AbortSignal,
): Promise<{ status: number; retryAfterMs: number }> {
  const { title, body, path, expiresAt } = message;
  // The list of services may have changed since the browser subscribed.
  if (!isPushEndpoint(to.endpoint, config.pushServices)) return { status: 410, retryAfterMs: 0 };
  const { default: webPush } = await import("web-push");
  const subject = `mailto:${config.supportEmail ?? `no-reply@${config.rpId}`}`;
  // How long the push service keeps it while the browser is not running.
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
  const details = webPush.generateRequestDetails(
    { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
    JSON.stringify({ title, body, path }),
    { vapidDetails: { subject, ...toVapidKeys(config) }, TTL: seconds, contentEncoding: "aes128gcm" },
  );
  const response = await fetch(to.endpoint, {
    method: "POST",
    headers: Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
    body: new Uint8Array(details.body),
    // T84: push services do not redirect.
    redirect: "error",
    signal: giveUp,
  });
  await response.body?.cancel();
  return { status: response.status, retryAfterMs: toRetryAfterMs(response.headers.get("Retry-After"), now) };
}

/** @param header seconds or a date (RFC 9110) */
function toRetryAfterMs(header: string | null, now: Date): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
