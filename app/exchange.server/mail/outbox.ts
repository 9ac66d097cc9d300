import { eq, type SQL, sql } from "drizzle-orm";
import type { ExchangeContext, Mail } from "../context";
import { claimDue, dropExpired, retryLater } from "../db/queue";
import { outbox } from "../db/schema/mail";
import { deriveKey, unseal } from "../secrets";
import { reportSent, reportUnsent, toMailError } from "./outage";

type OutboxRow = typeof outbox.$inferSelect;

/** How many e-mails a process sends at a time, and how many in one run. */
const parallelSends = 5;
const sendsPerRun = 100;

/** The time limit for sending an e-mail. Far less than a claim lasts, so that no other process sends it too. */
const sendMs = 30_000;
/** How long a shutdown waits for e-mails that are being sent. */
const stopMs = 5_000;

/** The sends in progress, and whose requests caused the last e-mails, oldest first. */
type Sending = {
  free: number;
  isStopped: boolean;
  stop: AbortController;
  runs: Set<Promise<unknown>>;
  lastSenders: Set<string>;
};
const sendersRemembered = 1_000;
const sendingOf = new WeakMap<ExchangeContext, Sending>();

function getSending(ctx: ExchangeContext): Sending {
  const sending = sendingOf.get(ctx) ?? {
    free: parallelSends,
    isStopped: false,
    stop: new AbortController(),
    runs: new Set(),
    lastSenders: new Set(),
  };
  sendingOf.set(ctx, sending);
  return sending;
}

/**
 * Sends the e-mails that are due, a few at a time: urgent ones first, then one of each sender in turn
 * (`toSendOrder`). A slow e-mail does not delay the others. Concurrent runs share the limit on parallel sends. Called
 * by a job and by `flushOutbox`.
 * @returns how many were sent
 */
export async function sendOutbox(ctx: ExchangeContext): Promise<number> {
  const sending = getSending(ctx);
  const run = runOnce(ctx, sending);
  sending.runs.add(run);
  try {
    return await run;
  } finally {
    sending.runs.delete(run);
  }
}

/** Deletes e-mails that were not sent in time. */
async function dropUnsent(ctx: ExchangeContext): Promise<void> {
  const dropped = await dropExpired(ctx.db, outbox, await ctx.clock.now(ctx.db));
  if (dropped > 0) ctx.log.error({ dropped }, "e-mails were not sent in time and are deleted");
}

async function runOnce(ctx: ExchangeContext, sending: Sending): Promise<number> {
  await dropUnsent(ctx);
  let [sent, left] = [0, sendsPerRun];
  const claimNext = async () => {
    if (left === 0 || sending.isStopped) return undefined;
    const now = await ctx.clock.now(ctx.db);
    const [row] = await claimDue(ctx.db, outbox, now, { limit: 1, order: toSendOrder(sending.lastSenders) });
    left = row ? left - 1 : 0;
    if (!row) return undefined;
    remember(sending.lastSenders, row.senderHash);
    return { row, now };
  };
  // One claim at a time, because each depends on the senders of those before.
  let claim: ReturnType<typeof claimNext> = Promise.resolve(undefined);
  const takeNext = () => {
    claim = claim.then(claimNext);
    return claim;
  };
  const sendUntilNone = async () => {
    sending.free -= 1;
    try {
      for (let next = await takeNext(); next; next = await takeNext()) {
        if (await sendClaimed(ctx, next.row, next.now)) sent += 1;
      }
    } finally {
      sending.free += 1;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: sending.free }, sendUntilNone));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return sent;
}

/**
 * The order in which due e-mails are sent: urgent ones first, then those of senders whose last e-mail was sent longest
 * ago. The newest code goes first, because someone is waiting for it. Other e-mails are started in the order in which
 * they were queued.
 */
function toSendOrder(lastSenders: ReadonlySet<string>): SQL {
  const turns = JSON.stringify(Object.fromEntries([...lastSenders].map((sender, i) => [sender, i + 1])));
  const turn = sql`coalesce((${turns}::jsonb ->> ${outbox.senderHash})::int, 0)`;
  const writtenAt = sql`extract(epoch from ${outbox.createdAt})`;
  const place = sql`case when ${outbox.topicHash} is null then ${writtenAt} else -${writtenAt} end`;
  return sql`${outbox.isUrgent} desc, ${turn}, ${place}`;
}

function remember(lastSenders: Set<string>, senderHash: string): void {
  lastSenders.delete(senderHash);
  lastSenders.add(senderHash);
  const [oldest] = lastSenders;
  if (oldest !== undefined && lastSenders.size > sendersRemembered) lastSenders.delete(oldest);
}

async function sendClaimed(ctx: ExchangeContext, row: OutboxRow, now: Date): Promise<boolean> {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(sendMs), getSending(ctx).stop.signal]);
    await ctx.mail.send(JSON.parse(unseal(deriveKey(ctx.config.secret, "outbox"), row.body, row.id)) as Mail, signal);
    await ctx.db.delete(outbox).where(eq(outbox.id, row.id));
    if (row.attempts > 1) await reportSent(ctx);
    return true;
  } catch (error) {
    await retryLater(ctx.db, outbox, row, now);
    const { id: mailId, attempts } = row;
    ctx.log.warn({ mailId, attempts, error: toMailError(error) }, "could not send an e-mail; will retry");
    await reportUnsent(ctx, row, { now, error });
    return false;
  }
}

/** The background run of each context. Flushes during a run cause one more round, not many. */
const flushing = new WeakMap<ExchangeContext, { again: boolean }>();

/**
 * Starts sending in the background. A request does not wait for the mail server, so known and
 * unknown recipients take the same time (T26). The job retries what fails, and sends what `web` processes queue.
 */
export function flushOutbox(ctx: ExchangeContext): void {
  if (ctx.config.role === "web") return;
  const current = flushing.get(ctx);
  if (current) {
    current.again = true;
    return;
  }
  const state = { again: true };
  flushing.set(ctx, state);
  const run = (async () => {
    try {
      while (state.again) {
        state.again = false;
        await sendOutbox(ctx);
      }
    } catch (error) {
      ctx.log.warn({ reason: error instanceof Error ? error.name : "unknown" }, "could not read the outbox");
    } finally {
      // In the same tick as the end of the loop, so that no flush is missed.
      flushing.delete(ctx);
    }
  })();
  const { runs } = getSending(ctx);
  runs.add(run);
  void run.finally(() => runs.delete(run));
}

/** Waits for what is being sent. */
export async function drainOutbox(ctx: ExchangeContext): Promise<void> {
  await Promise.allSettled(getSending(ctx).runs);
}

/**
 * Ends sending: takes no more e-mails, and gives up on those that are being sent if they take longer than a few
 * seconds. They are sent after the next start. Call it before closing the database.
 */
export async function stopOutbox(ctx: ExchangeContext): Promise<void> {
  const sending = getSending(ctx);
  sending.isStopped = true;
  const late = AbortSignal.timeout(stopMs);
  late.addEventListener("abort", () => sending.stop.abort());
  await drainOutbox(ctx);
}
