import { and, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { addMs, earlierOf, minuteMs } from "../../lib/durations";
import { type PaymentRow, payments } from "./schema/payments";

/*
 * The `not_before` column of a payment holds a time whose meaning depends on the payment. Only this file reads and
 * writes it:
 *
 * - planned: it is not prepared before this time (`prepareAfter`)
 * - signed, or confirmed and missing: it is parked at this time if it still cannot be sent (`parkAt`)
 * - signed, or confirmed and missing, and parked: its bytes are sent again at this time (`resendLater`)
 *
 * If the database's clock was ahead and has been corrected (T61), such a time may seem far away. So each comparison
 * also checks that the time could have been set with the clock as it is now.
 */

type NotBefore = Pick<PaymentRow, "notBefore">;

/** No time is set: a planned payment may be prepared at once, and a signed one has been sent. */
export const noTime: NotBefore = { notBefore: null };

/** Whether any of the three times is set. */
export const hasTime = ({ notBefore }: NotBefore): boolean => notBefore !== null;

/** The longest wait between two attempts to prepare a payment, and before a replacement is prepared. */
export const longestRetryMs = minuteMs;

/** A planned payment is not prepared before `time`: it was just tried, or must not be paid yet (T31). */
export const prepareAfter = (time: Date | null): NotBefore => ({ notBefore: time });

/** The time before which a planned payment is not prepared. Null if there is none. */
export const prepareAfterColumn = payments.notBefore;

/** SQL condition: a planned payment no longer waits for its time. */
export function isDueToPrepare(now: Date): SQL | undefined {
  // It was postponed for a short time while the clock was ahead. The long waits after a recovery are kept.
  const wasAhead = and(
    gt(payments.updatedAt, addMs(now, longestRetryMs)),
    lte(payments.notBefore, sql`${payments.updatedAt} + make_interval(secs => ${longestRetryMs / 1_000})`),
  );
  return or(isNull(payments.notBefore), lte(payments.notBefore, now), wasAhead);
}

/** How long a parked payment waits before its bytes are sent again. */
const resendDelayMs = minuteMs;

/** The bytes of a parked payment are sent again a while after `now`. */
export const resendLater = (now: Date): NotBefore => ({ notBefore: addMs(now, resendDelayMs) });

/** SQL condition: the bytes of a parked payment are due to be sent again. */
export function isDueToResend(now: Date): SQL | undefined {
  const wasAhead = gt(payments.notBefore, addMs(now, resendDelayMs));
  return or(isNull(payments.notBefore), lte(payments.notBefore, now), wasAhead);
}

/** How long a payment may fail to be sent for an unclear reason before it is parked. */
const patienceMs = 4 * minuteMs;

/** When a signed payment that could not be sent is parked. The first failure sets the time. */
export const getParkAt = ({ notBefore }: NotBefore, now: Date): Date => earlierOf(notBefore, addMs(now, patienceMs));

/** A signed payment is parked at `time` if it still cannot be sent. */
export const parkAt = (time: Date): NotBefore => ({ notBefore: time });
