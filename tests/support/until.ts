import { setTimeout as sleep } from "node:timers/promises";

type Limits = { timeoutMs?: number; everyMs?: number };

/** Calls `probe` until it returns a truthy value. After the timeout, throws an error that says what it waited for. */
export async function until<T>(
  what: string | (() => string),
  probe: () => T | Promise<T>,
  { timeoutMs = 40_000, everyMs = 50 }: Limits = {},
): Promise<Exclude<T, false | null | undefined>> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(everyMs)) {
    const found = await probe();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline)
      throw new Error(`Timed out after ${timeoutMs} ms waiting for ${typeof what === "string" ? what : what()}`);
  }
}
