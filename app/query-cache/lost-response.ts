import { useSyncExternalStore } from "react";

/** Whether the last submitted form got no response. It may or may not have reached the server. */
let isLost = false;
const listeners = new Set<() => void>();

export function setResponseLost(lost: boolean): void {
  isLost = lost;
  for (const listener of listeners) listener();
}

export function useResponseLost(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isLost,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
