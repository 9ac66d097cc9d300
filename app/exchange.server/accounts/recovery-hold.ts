import { ExchangeError } from "../errors";

type PayoutDelay = { payoutsWaitUntil: Date | null };

/**
 * Until when payouts of new swaps wait because the account was recovered, so that its owner has time to stop an
 * attacker (T31). Until then, the account can be neither deleted nor exported. Null if nothing waits.
 */
export function getRecoveryHold({ payoutsWaitUntil }: PayoutDelay, now: Date): Date | null {
  return payoutsWaitUntil && payoutsWaitUntil > now ? payoutsWaitUntil : null;
}

/** @throws recovered_recently, with `until` */
export function requireNoRecoveryHold(account: PayoutDelay, now: Date): void {
  const until = getRecoveryHold(account, now);
  if (until) throw new ExchangeError("recovered_recently", { extra: { until: until.toISOString() } });
}
