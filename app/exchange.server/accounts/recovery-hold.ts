import { ExchangeError } from "../errors";

type Holdable = { payoutsWaitUntil: Date | null };

/**
 * Until when an account is held because it was recovered, so that its owner has time to stop an attacker (T31): payouts
 * of new swaps wait, and the account can be neither deleted nor exported. Null if it is not held.
 */
export function getRecoveryHold({ payoutsWaitUntil }: Holdable, now: Date): Date | null {
  return payoutsWaitUntil && payoutsWaitUntil > now ? payoutsWaitUntil : null;
}

/** @throws recovered_recently, with `until` */
export function requireNoRecoveryHold(account: Holdable, now: Date): void {
  const until = getRecoveryHold(account, now);
  if (until) throw new ExchangeError("recovered_recently", { extra: { until: until.toISOString() } });
}
