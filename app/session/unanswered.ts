import { useSyncExternalStore } from "react";

/** Whether the last form that was sent got no answer: then nobody here knows whether it arrived. */
let unanswered = false;
const listeners = new Set<() => void>();

export function tellUnanswered(now: boolean): void {
  unanswered = now;
  for (const listener of listeners) listener();
}

export function useUnanswered(): boolean {
  return useSyncExternalStore(
    listen,
    () => unanswered,
    () => false,
  );
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
