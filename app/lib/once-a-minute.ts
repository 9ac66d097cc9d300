import { minuteMs } from "./durations";

/**
 * Returns a function that says whether something may be logged again, because a minute has passed since it was last
 * logged for the same subject: something that always fails would fill the log.
 */
export function onceAMinute<Subject>(): (subject: Subject) => boolean {
  const loggedAt = new Map<Subject, number>();
  return (subject) => {
    const at = performance.now();
    if (at - (loggedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < minuteMs) return false;
    loggedAt.set(subject, at);
    return true;
  };
}
