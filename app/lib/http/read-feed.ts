import ky from "ky";
import { fetchWhole } from "./whole-responses";

const timeoutMs = 5_000;
/** By default, ky waits before a retry as long as Retry-After says, even for hours: its timeout excludes that wait. */
const retry = { limit: 1, maxRetryAfter: 1_000 };

/**
 * Reads the JSON of a price feed, in at most two attempts. A redirect fails.
 * @throws HTTPError, TimeoutError, BodyTooLargeError if the body has more than `maxBytes`
 */
export function readFeed(url: string, maxBytes: number): Promise<unknown> {
  return ky.get(url, { timeout: timeoutMs, retry, redirect: "error", fetch: fetchWhole(maxBytes) }).json();
}
