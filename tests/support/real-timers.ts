/** A test that failed before it restored the timers would stop all later tests of its worker. */
import { afterEach, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
});
