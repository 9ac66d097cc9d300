import { setTimeout as sleep } from "node:timers/promises";

type Limits = { timeoutMs?: number; everyMs?: number };

/** Calls `probe` again and again until it returns something. The error after the timeout says what was awaited. */
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
