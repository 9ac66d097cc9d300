/**
 * Loaded into the server's process by the fuzzer (`node --expose-gc --import`): reports event-loop stalls, with the
 * processor time in them, and memory.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const intervalMs = 10;
const stallMs = 50;

const delays = monitorEventLoopDelay({ resolution: intervalMs });
delays.enable();

// The histogram has the delays but not when they were. A late tick has that, and the processor time since the last one.
let at = performance.now();
let cpu = process.cpuUsage();
setInterval(() => {
  const now = performance.now();
  const ms = now - at - intervalMs;
  const used = process.cpuUsage(cpu);
  at = now;
  cpu = process.cpuUsage();
  if (ms <= stallMs) return;
  const busyMs = Math.min(ms, (used.user + used.system) / 1_000);
  process.send?.({ stall: { at: Date.now(), ms, busyMs } });
}, intervalMs).unref();

process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ usage: { heapUsed, rss, maxDelayMs: delays.max / 1e6 - intervalMs } });
  // Not the start, nor this garbage collection.
  setTimeout(() => delays.reset(), intervalMs);
});
// The channel must not keep the server running.
process.channel?.unref();
