/**
 * Loaded into the server's process by the fuzzer (`node --expose-gc --import`): reports event-loop stalls, with what
 * explains them, and memory.
 */
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";

const intervalMs = 10;
const stallMs = 50;

const delays = monitorEventLoopDelay({ resolution: intervalMs });
delays.enable();
let gcMs = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMs += duration;
}).observe({ entryTypes: ["gc"] });

// The histogram has the delays but not when they were. A late tick has that, and the processor time since the last one.
let at = performance.now();
let cpu = process.cpuUsage();
setInterval(() => {
  const now = performance.now();
  const ms = now - at - intervalMs;
  const used = process.cpuUsage(cpu);
  at = now;
  cpu = process.cpuUsage();
  const collecting = gcMs;
  gcMs = 0;
  if (ms <= stallMs) return;
  const busyMs = Math.min(ms, (used.user + used.system) / 1_000) - collecting;
  process.send?.({ stall: { at: Date.now(), ms, busyMs } });
}, intervalMs).unref();

process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ usage: { heapUsed, rss, maxDelayMs: delays.max / 1e6 - intervalMs } });
});
// The channel must not keep the server running.
process.channel?.unref();
