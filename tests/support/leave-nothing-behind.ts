import { afterAll, beforeAll, expect, vi } from "vitest";

/** Values that a library sets once per process, and jsdom for each event. */
const allowed = ["__reactRouterVersion", "event"];

/**
 * Ends the stubs of a test file, and fails it if it leaves other global values changed or the clock faked: the next files
 * of its worker share them. jsdom brings its globals before this, and takes them away afterwards.
 */
const readGlobals = () =>
  new Map(Object.getOwnPropertyNames(globalThis).map((name) => [name, Reflect.get(globalThis, name)]));

let before: Map<string, unknown>;
beforeAll(() => {
  before = readGlobals();
});
afterAll(() => {
  vi.unstubAllGlobals();
  expect(vi.isFakeTimers(), "the clock is still faked").toBe(false);
  const after = readGlobals();
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => !Object.is(before.get(name), after.get(name)));
  expect(
    changed.filter((name) => !allowed.includes(name)),
    "globals that are left changed",
  ).toEqual([]);
});
