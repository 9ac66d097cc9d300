import { eq, type SQL, sql } from "drizzle-orm";
import { hourMs } from "../../lib/durations";
import type { ExchangeContext, Mail, RunningContext } from "../context";
import { claimDue, dropExpired, retryLater } from "../db/queue";
import { QueueSender } from "../db/queue-sender";
import { outbox } from "../db/schema/mail";
import { describeError } from "../describe-error";
import { perContext } from "../per-context";
import { deriveKey, unseal } from "../secrets";
import { endMailOutage, isRefusedForGood, type MailFailure, reportMailOutage, toMailError } from "./outage";

type OutboxRow = typeof outbox.$inferSelect;

/** How many e-mails a process sends at a time, and how many in one run. */
const parallelSends = 5;
const sendsPerRun = 100;
const sendMs = 30_000;

/**
 * How many times an e-mail is tried at the usual intervals if the mail server permanently refuses its recipient or its
 * content.
 */
const refusedTries = 3;
const refusedWaitMs = hourMs;

const sendersRemembered = 1_000;

type Claimed = { row: OutboxRow; now: Date };

/** Why an e-mail was not sent; null if it was. */
type Outcome = MailFailure | null;

/** Sends the e-mails of one context. */
function createSender(ctx: RunningContext): QueueSender<Claimed, Outcome> {
  /** The senders of the last e-mails, oldest first. */
  const lastSenders = new Set<string>();
  let hadTopic = false;
  return new QueueSender({
    parallelSends,
    sendsPerRun,
    sendMs,
    async claim() {
      const now = await ctx.clock.now(ctx.db);
      const [row] = await claimDue(ctx.db, outbox, now, { limit: 1, order: toSendOrder(lastSenders, hadTopic) });
      if (!row) return undefined;
      remember(lastSenders, row.senderHash);
      hadTopic = row.topicHash !== null;
      return { row, now };
    },
    send: (claimed, giveUp) => sendClaimed(ctx, claimed, giveUp),
  });
}

const getSender = perContext(createSender);

/**
 * Sends the e-mails that are due, a few at a time: urgent ones first, then one from each sender at a time
 * (`toSendOrder`). A slow e-mail does not delay the others. Concurrent runs share the limit on parallel sends.
 * @returns how many were sent
 */
export function sendOutbox(ctx: RunningContext): Promise<number> {
  return getSender(ctx).track(sendDue(ctx));
}

async function sendDue(ctx: RunningContext): Promise<number> {
  await dropUnsent(ctx);
  const outcomes = await getSender(ctx).run();
  const failures = outcomes.filter((outcome) => outcome !== null);
  const sent = outcomes.length - failures.length;
  if (sent > 0) await endMailOutage(ctx);
  // Without failures, too: the e-mails that failed earlier may have expired.
  else await reportMailOutage(ctx, failures);
  return sent;
}

/**
 * Job: starts sending the e-mails that are due. It does not wait for the mail server, so that the next run can send
 * others while one is slow (T25).
 */
export async function startSending(ctx: RunningContext): Promise<void> {
  sendOutbox(ctx).catch((error: unknown) =>
    ctx.log.error({ error: describeError(error) }, "could not send the e-mails that are due; will retry"),
  );
}

/**
 * Stops sending: does not start further e-mails, and gives up on e-mails whose sending takes longer than a few seconds.
 * They are sent after the next start. Call it before closing the database.
 */
export function stopOutbox(ctx: RunningContext): Promise<void> {
  return getSender(ctx).stop();
}

/**
 * The order in which due e-mails are sent: urgent e-mails first, then e-mails from the sender whose last e-mail was
 * sent longest ago. If there are several such senders, e-mails with a topic, such as codes, alternate with others.
 * Otherwise, a constant stream of codes for new networks would delay the others forever. Among e-mails with a topic,
 * the newest goes first, because it is the most current. Other e-mails are sent in the order in which they were queued.
 */
function toSendOrder(lastSenders: ReadonlySet<string>, hadTopic: boolean): SQL {
  const turns = JSON.stringify(Object.fromEntries([...lastSenders].map((sender, i) => [sender, i + 1])));
  const turn = sql`coalesce((${turns}::jsonb ->> ${outbox.senderHash})::int, 0)`;
  const writtenAt = sql`extract(epoch from ${outbox.createdAt})`;
  const place = sql`case when ${outbox.topicHash} is null then ${writtenAt} else -${writtenAt} end`;
  return sql`${outbox.isUrgent} desc, ${turn}, (${outbox.topicHash} is null) = ${hadTopic} desc, ${place}`;
}

/** Deletes e-mails that were not sent in time. */
async function dropUnsent(ctx: ExchangeContext): Promise<void> {
  const dropped = await dropExpired(ctx.db, outbox, await ctx.clock.now(ctx.db));
  if (dropped > 0) ctx.log.error({ dropped }, "e-mails were not sent in time and are deleted");
}

function remember(lastSenders: Set<string>, senderHash: string): void {
  lastSenders.delete(senderHash);
  lastSenders.add(senderHash);
  const [oldest] = lastSenders;
  if (oldest !== undefined && lastSenders.size > sendersRemembered) lastSenders.delete(oldest);
}

/** @returns why it could not be sent, or null */
async function sendClaimed(ctx: RunningContext, { row, now }: Claimed, giveUp: AbortSignal): Promise<Outcome> {
  let to: string | null = null;
  try {
    const mail = JSON.parse(unseal(deriveKey(ctx.config.secret, "outbox"), row.body, row.id)) as Mail;
    to = mail.to;
    await ctx.mail.send({ ...mail, id: row.id, queuedAt: row.createdAt }, giveUp);
    await ctx.db.delete(outbox).where(eq(outbox.id, row.id));
    return null;
  } catch (error) {
    const { id: mailId, attempts } = row;
    const about = { mailId, attempts, error: toMailError(error) };
    // The e-mail is kept, because servers also refuse a recipient when our own settings are wrong.
    const minWaitMs = isRefusedForGood(error) && attempts >= refusedTries ? refusedWaitMs : 0;
    await retryLater(ctx.db, outbox, row, { now, minWaitMs });
    ctx.log.warn(about, "could not send an e-mail; will retry");
    return { error, to, at: now };
  }
}
