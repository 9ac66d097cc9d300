import { minuteMs } from "./durations";

/**
 * Returns a function that says whether a message about a subject may be logged now. For each subject, it allows one
 * message a minute, so that a subject that always fails does not fill the log.
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
