/**
 * Restores what a test file stubbed, and fails the file if it leaves other globals changed or the clock faked, because the
 * next files of its worker share them. jsdom installs its globals before this runs and removes them afterwards.
 */
import { afterAll, beforeAll, expect, vi } from "vitest";

/** A library sets the first once per process; jsdom sets the second for each event. */
const allowed = ["__reactRouterVersion", "event"];

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
    "globals left changed",
  ).toEqual([]);
});
