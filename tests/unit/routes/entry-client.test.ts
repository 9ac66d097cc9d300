// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("the browser's entry", () => {
  // It starts timers that must not run after the test.
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    window.__antelopeReloadOnce = undefined;
  });

  it("E06 E17 throws Root element not found for a foreign document, once it can reload for a missing chunk", async () => {
    await expect(import("~/entry.client")).rejects.toThrow("Root element not found");
    vi.stubGlobal("__remixManifest", { version: "1" });
    sessionStorage.setItem("antelope.reloaded:1Error: a.js", "1");
    expect(await window.__antelopeReloadOnce?.(new Error("a.js"))).toBe(false);
  });
});
