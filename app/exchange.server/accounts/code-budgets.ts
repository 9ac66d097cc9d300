import { toNetwork } from "../../lib/network";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { isDeviceOf } from "./device-tokens";
import { findKnownNetwork } from "./known-networks";
import { consumeRateLimits, dayMs, hourMs, minuteMs, type RateLimit } from "./rate-limits";

/*
 * Limits on e-mail codes (T23, T25). Each code belongs to a budget, which limits both how many
 * e-mails are sent and how many wrong codes are checked. Strangers share one budget per recipient,
 * and cannot use up those of the owner:
 *
 *   own:<email>                 requested by the passkey session of the account, which has verified the address
 *   claim:<email>               requested by the passkey session of an account that has not: it may be anyone's
 *   device:<email>              requested with the device token of an earlier sign-in to the address
 *   known:<email>:<network>     requested from a network from which the address signed in before
 *   to:<email>                  everyone else
 *
 * All are keyed by address, so deleting an account and registering it again frees none.
 *
 * Further attempts at a code end after a few wrong codes in its budget. First attempts do not: with
 * the default settings, a budget has more of them than it sends e-mails, so a correct code is
 * accepted whatever others have guessed.
 */

/** Wrong codes per day: first attempts are checked below `all`, further ones below `retries`. */
const wrongCodes = {
  own: { retries: 5, all: 15 },
  claim: { retries: 5, all: 15 },
  device: { retries: 5, all: 15 },
  known: { retries: 5, all: 15 },
  to: { retries: 5, all: 20 },
};

/**
 * After a burst, one e-mail may follow at this interval: to a recipient, and from a network to all recipients, so that
 * an attack blocks nobody for long after it has ended.
 */
const thenEveryMs = 45_000;
const thenFromNetworkEveryMs = 5_000;

type CodeRequest = {
  email: string;
  /** The account of the address, if its passkey session requested the code. */
  account: { emailVerified: boolean } | null;
  deviceToken: string | undefined;
  remoteAddress: string | undefined;
  now: Date;
};

type Budget = { budget: string; limits: RateLimit[] };

/**
 * Counts one e-mail in the first budget that has room for it.
 * @returns the budget, or null if no e-mail may be sent
 */
export async function consumeCodeBudget(
  tx: Database,
  ctx: ExchangeContext,
  request: CodeRequest,
): Promise<string | null> {
  for await (const { budget, limits } of listBudgets(tx, ctx, request)) {
    if (await consumeRateLimits(tx, limits, request.now)) return budget;
  }
  return null;
}

/** The budgets that a request may use, in the order in which they are tried. */
async function* listBudgets(tx: Database, ctx: ExchangeContext, request: CodeRequest): AsyncGenerator<Budget> {
  const { email, account, deviceToken, remoteAddress, now } = request;
  const { codesPerRecipientPer10Minutes: per10Minutes, codesPerRecipientPerDay: perDay } = ctx.config.limits;
  const network = remoteAddress === undefined ? "" : toNetwork(remoteAddress);
  const windows = [
    { max: per10Minutes, ms: 10 * minuteMs, thenEveryMs },
    { max: perDay, ms: dayMs },
  ];
  const toOwner = (budget: string): Budget => ({ budget, limits: [{ key: `codes-${budget}`, windows }] });
  const perSender = { max: ctx.config.limits.codesPerSenderPerHour, ms: hourMs, thenEveryMs: thenFromNetworkEveryMs };
  const bySender = (kind: string): RateLimit[] =>
    remoteAddress === undefined ? [] : [{ key: `${kind}:${network}`, windows: [perSender] }];
  if (account?.emailVerified) yield toOwner(`own:${email}`);
  if (account && !account.emailVerified) {
    const budget = `claim:${email}`;
    const key = `codes-${budget}`;
    // The first codes of a day are not limited by network, so that other accounts on the network cannot block them.
    const first = { max: per10Minutes, ms: dayMs };
    yield { budget, limits: [{ key, windows: [...windows, first] }] };
    yield { budget, limits: [{ key, windows }, ...bySender("codes-by-signed-in")] };
  }
  if (isDeviceOf(ctx, deviceToken, email, now)) yield toOwner(`device:${email}`);
  const known = await findKnownNetwork(tx, ctx, request);
  if (known !== null) yield toOwner(`known:${email}:${known}`);
  const budget = `to:${email}`;
  yield {
    budget,
    limits: [
      {
        key: `codes-${budget}:${network}`,
        windows: [
          { max: per10Minutes, ms: 10 * minuteMs, thenEveryMs },
          { max: Math.ceil(perDay / 2), ms: dayMs },
        ],
      },
      {
        key: `codes-${budget}`,
        windows: [
          { max: 2 * per10Minutes, ms: 10 * minuteMs, thenEveryMs },
          { max: Math.ceil(1.5 * perDay), ms: dayMs },
        ],
      },
      ...bySender("codes-by"),
    ],
  };
}

/** Whether someone requested the code who has proven the address before. Anyone can register an address. */
export function isOwnersBudget(budget: string): boolean {
  return !budget.startsWith("to:") && !budget.startsWith("claim:");
}

/** The limit on wrong codes for one attempt. A code that was never sent has a limit of its own. */
export function toWrongCodeLimit(challenge: { id: string; budget: string | null; tries: number }): RateLimit {
  const { id, budget, tries } = challenge;
  if (budget === null) return { key: `wrong-codes:${id}`, windows: [{ max: wrongCodes.to.all, ms: dayMs }] };
  const kind = (["own", "claim", "device", "known"] as const).find((prefix) => budget.startsWith(`${prefix}:`)) ?? "to";
  const { retries, all } = wrongCodes[kind];
  return { key: `wrong-codes:${budget}`, windows: [{ max: tries <= 1 ? all : retries, ms: dayMs }] };
}
