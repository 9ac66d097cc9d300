import { and, gt, like, sql } from "drizzle-orm";
import { toClientNetwork } from "../../lib/client-network";
import { dayMs, hourMs, minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { limitEvents } from "../db/schema/accounts";
import { allowEvent, consumeEventLimits, type EventLimit, type Window } from "../limits/event-limits";
import { isDeviceTokenFor } from "./device-tokens";
import { toMailbox } from "./email";
import { findKnownNetwork } from "./known-networks";

/*
 * Limits on e-mail codes (T23, T25). Each code belongs to a budget, which limits both how many
 * e-mails are sent and how many wrong codes are checked. Strangers share one budget per recipient,
 * and cannot use up the budgets of the owner:
 *
 *   own:<email>                 requested by the passkey session of the account, which has verified the address
 *   claim:<email>               requested by the passkey session of an account that has not verified the address
 *   device:<email>              requested with the device token of an earlier sign-in to the address
 *   known:<email>:<network>     requested from a network from which the address signed in before
 *   to:<email>                  everyone else
 *
 * The keys contain an address and not an account, so deleting an account and registering it again does not reset a
 * budget. The aliases of a mailbox also share a limit, because a stranger can make up any number of them.
 *
 * The first attempt at every code that was sent is always checked. Beyond that, each budget allows a few attempts a
 * day. So the number of e-mails limits the number of guesses, and guesses from other networks cannot make a correct code
 * fail. Strangers' codes are also limited by the network that enters wrong ones, over all addresses.
 */

/** How many attempts each budget allows in a day beyond the first attempt at each code. */
const retriesPerDay = 4;

/**
 * How many wrong codes of strangers' budgets are checked for a network in a day, and how often after that. Otherwise,
 * someone could guess a few codes for each of many addresses. Correct codes do not count, so a network that thousands
 * of people share has to mistype hundreds of codes before anyone waits.
 */
const wrongCodesPerNetwork: Window = { max: 200, ms: dayMs, thenEveryMs: 5 * minuteMs };
const wrongCodesKey = "wrong-codes-by:";

/** After a burst, this many e-mails may follow a minute apart; the rest are spread over the day. */
const soonAfterBurst = 4;

/** All aliases of a mailbox together get as many e-mails as this many addresses. The owner's requests do not count. */
const aliasesPerMailbox = 10;

/** After a network has used up its e-mails for an hour, it may request one more at this interval. */
const fromNetworkAfterMaxMs = 5_000;

type CodeRequest = {
  email: string;
  /** The account of the address, if its passkey session requested the code. */
  account: { emailVerified: boolean } | null;
  deviceToken: string | undefined;
  remoteAddress: string | undefined;
  now: Date;
};

type Budget = { budget: string; limits: EventLimit[] };

/**
 * Counts one e-mail in the first budget that has room for it.
 * @returns the budget, or null if no e-mail may be sent
 */
export async function consumeCodeBudget(
  tx: Database,
  ctx: ExchangeContext,
  request: CodeRequest,
): Promise<string | null> {
  for (const toBudget of listBudgets(tx, ctx, request)) {
    const usable = await toBudget();
    if (usable && (await consumeEventLimits(tx, usable.limits, request.now))) return usable.budget;
  }
  return null;
}

/** How long e-mails count: until a day after the last guess at their codes, because guesses are bounded per day. */
export function toCodeWindowMs(ctx: ExchangeContext): number {
  return dayMs + ctx.config.codeTtlMs;
}

/** Makes one of the budgets; null if the request may not use it. */
type ToBudget = () => Budget | null | Promise<Budget | null>;

/** The budgets that a request may use, in the order in which they are tried. Each is made only when it is tried. */
function listBudgets(tx: Database, ctx: ExchangeContext, request: CodeRequest): ToBudget[] {
  const { email, account, deviceToken, remoteAddress, now } = request;
  const { codesPerRecipientPer10Minutes: atOnce, codesPerRecipientPerDay: perDay } = ctx.config.limits;
  const network = remoteAddress === undefined ? "" : toClientNetwork(remoteAddress);
  const ms = toCodeWindowMs(ctx);
  const spread = spreadOver(ms, { atOnce, max: perDay });
  const toLimit = (budget: string, windows: Window[]): EventLimit => ({ key: `codes-${budget}`, windows });
  const toOwner = (budget: string): Budget => ({ budget, limits: [toLimit(budget, spread)] });
  const perSender = { max: ctx.config.limits.codesPerSenderPerHour, ms: hourMs, thenEveryMs: fromNetworkAfterMaxMs };
  const bySender = (kind: string): EventLimit[] =>
    remoteAddress === undefined ? [] : [{ key: `${kind}:${network}`, windows: [perSender] }];

  const toOwn: ToBudget = () => (account?.emailVerified ? toOwner(`own:${email}`) : null);
  const isClaim = account !== null && !account.emailVerified;
  const mailbox = toMailbox(email);
  // The limit does not apply to the main address: otherwise, strangers could use up its e-mails with codes for aliases.
  const byMailbox: EventLimit[] =
    mailbox === email ? [] : [toLimit(`aliases:${mailbox}`, [{ max: aliasesPerMailbox * perDay, ms }])];
  const claim = `claim:${email}`;
  // The first codes of a day are not limited by network, so that other accounts on the network cannot block them.
  const toFirstClaims: ToBudget = () =>
    isClaim ? { budget: claim, limits: [toLimit(claim, [...spread, { max: atOnce, ms }]), ...byMailbox] } : null;
  const toClaims: ToBudget = () =>
    isClaim
      ? { budget: claim, limits: [toLimit(claim, spread), ...byMailbox, ...bySender("codes-by-signed-in")] }
      : null;
  const toDevice: ToBudget = () => (isDeviceTokenFor(ctx, deviceToken, email, now) ? toOwner(`device:${email}`) : null);
  const toKnown: ToBudget = async () => {
    const known = await findKnownNetwork(tx, ctx, request);
    return known === null ? null : toOwner(`known:${email}:${known}`);
  };
  const toStrangers: ToBudget = () => {
    const budget = `to:${email}`;
    const all = Math.ceil(1.5 * perDay);
    // A single network cannot use up the budget that all strangers share: there is always room for a burst of other
    // networks.
    const perNetwork = Math.max(all - atOnce, Math.ceil(perDay / 2));
    const ofNetwork = toLimit(`${budget}:${network}`, spreadOver(ms, { atOnce, max: perNetwork }));
    const ofAll = toLimit(budget, spreadOver(ms, { atOnce: 2 * atOnce, max: all }));
    return { budget, limits: [ofNetwork, ofAll, ...byMailbox, ...bySender("codes-by")] };
  };
  return [toOwn, toFirstClaims, toClaims, toDevice, toKnown, toStrangers];
}

/**
 * Allows `atOnce` events, then one a minute for a few minutes, and the rest at intervals that grow in steps by the
 * same factor until the first events have left the window. So using up all the events delays the next one by little
 * more than the time it took to use them up.
 *
 * With 3 at once and 10 in 24 hours and 10 minutes:
 *
 *   1 to 3     at once
 *   4 to 7     a minute apart
 *   8, 9, 10   after 13, 59 and 256 minutes, each 4.4 times the one before
 *   11         once the first has left the window, 18.6 hours after the tenth, which is 4.4 times as long again
 */
function spreadOver(ms: number, { atOnce, max }: { atOnce: number; max: number }): Window[] {
  const first = atOnce + soonAfterBurst;
  const later = max - first;
  const steps = Math.max(0, Math.min(later, 10));
  const perStep = later / steps;
  const soonMs = soonAfterBurst * minuteMs;
  const factor = (ms / soonMs) ** (1 / (steps + 1));
  const spread = Array.from({ length: steps }, (_, i) => ({
    max: first + Math.round(i * perStep),
    ms,
    thenEveryMs: (soonMs * factor ** i * (factor - 1)) / perStep,
  }));
  return [{ max, ms }, { max: atOnce, ms, thenEveryMs: minuteMs }, ...spread];
}

/** Whether the code was requested by someone who has already proven the address. Anyone can register an address. */
export function isOwnersBudget(budget: string): boolean {
  return !budget.startsWith("to:") && !budget.startsWith("claim:");
}

/** The limit on second to fifth attempts at a code. A code that was never sent has a separate limit. */
export function toRetryLimit({ id, budget }: { id: string; budget: string | null }): EventLimit {
  return { key: `code-retries:${budget ?? id}`, windows: [{ max: retriesPerDay, ms: dayMs }] };
}

/** The limit on wrong codes from a network, over all addresses. The owner's budgets are not limited by network. */
export function listWrongCodeLimits(budget: string | null, remoteAddress: string | undefined): EventLimit[] {
  return budget === null || isOwnersBudget(budget) ? [] : toNetworkLimits(remoteAddress);
}

const toNetworkLimits = (remoteAddress: string | undefined): EventLimit[] =>
  remoteAddress === undefined
    ? []
    : [{ key: `${wrongCodesKey}${toClientNetwork(remoteAddress)}`, windows: [wrongCodesPerNetwork] }];

/** Whether a network has reached its limit, so that codes entered there may not be checked. */
export async function isNetworkLimited(db: Database, remoteAddress: string | undefined, now: Date): Promise<boolean> {
  return !(await allowEvent(db, toNetworkLimits(remoteAddress), now));
}

/** How many wrong codes of strangers' budgets were checked since a time, and from how many networks. */
export async function countWrongCodes(db: Database, since: Date): Promise<{ codes: number; networks: number }> {
  const [row] = await db
    .select({
      codes: sql<number>`count(*)::int`,
      networks: sql<number>`count(distinct ${limitEvents.key})::int`,
    })
    .from(limitEvents)
    .where(and(gt(limitEvents.at, since), like(limitEvents.key, `${wrongCodesKey}%`)));
  return row ?? { codes: 0, networks: 0 };
}
