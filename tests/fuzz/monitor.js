/**
 * Loaded into the server's process by the fuzzer (`node --expose-gc --import`). Reports memory use and event-loop
 * stalls, with the part of each that waiting for a processor does not explain.
 */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const intervalMs = 10;
const stallMs = 50;

const delays = monitorEventLoopDelay({ resolution: intervalMs });
delays.enable();

// The histogram has the delays, but not their times. A late tick has the time, and how long this thread has waited for
// a processor since the last tick.
let at = performance.now();
let waited = readWaited();
setInterval(() => {
  const now = performance.now();
  const ms = now - at - intervalMs;
  const before = waited;
  at = now;
  waited = readWaited();
  if (ms <= stallMs) return;
  process.send?.({ stall: { at: Date.now(), ms, ownMs: Math.max(0, ms - (waited - before)) } });
}, intervalMs).unref();

/** How long this thread has waited for a processor so far, in ms; 0 if the system does not report it. */
function readWaited() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ usage: { heapUsed, rss, maxDelayMs: delays.max / 1e6 - intervalMs } });
  // Leaves out the start and this garbage collection.
  setTimeout(() => delays.reset(), intervalMs);
});
// The channel must not keep the server running.
process.channel?.unref();
