/**
 * Restores what a test file stubbed and empties the browser's storage, and fails the file if it leaves other globals
 * changed or the clock faked, because the next files of its worker share them. They also share jsdom's globals.
 */
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { Exchange } from "~/exchange-binding/exchange";

/**
 * The prefix of globals that a module sets once per process, in whichever test file loads it first (tslib, our log).
 */
const setOncePrefix = "__";
/** Globals of a running exchange or a page, which a test file must remove. */
const temporary = ["__antelopeExchange", "__antelopeLock", "__remixContext"];
/** A global that jsdom sets for each event. */
const currentEvent = "event";

/**
 * The exchange for code that runs outside the tests that have a fake one. Without it, a request that a test did not
 * wait for, such as a retry, would start a real exchange.
 */
const noExchange: Exchange = {
  fetch: () => Promise.reject(new TypeError("This test has no exchange.")),
  workers: { start: async () => undefined, stop: async () => undefined },
  sandbox: null,
  close: async () => undefined,
};
const cached = globalThis as typeof globalThis & { __antelopeExchange?: unknown };
cached.__antelopeExchange ??= { exchange: Promise.resolve(noExchange), ready: false };

const readGlobals = () =>
  new Map(Object.getOwnPropertyNames(globalThis).map((name) => [name, Reflect.get(globalThis, name)]));

function emptyStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split("; ")) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no other way
    document.cookie = `${cookie.split("=", 1)[0]}=; Path=/; Max-Age=0`;
  }
}

let before: Map<string, unknown>;
beforeAll(() => {
  before = readGlobals();
});
afterAll(() => {
  vi.unstubAllGlobals();
  if ("document" in globalThis) emptyStorage();
  expect(vi.isFakeTimers(), "the clock is still faked").toBe(false);
  const after = readGlobals();
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => !Object.is(before.get(name), after.get(name)));
  const mayBeAdded = (name: string) => name.startsWith(setOncePrefix) && !temporary.includes(name) && !before.has(name);
  expect(
    changed.filter((name) => name !== currentEvent && !mayBeAdded(name)),
    "globals left changed",
  ).toEqual([]);
});
