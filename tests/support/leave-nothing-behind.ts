/**
 * Restores what a test file stubbed, and fails the file if it leaves other globals changed or the clock faked, because the
 * next files of its worker share them. jsdom installs its globals before this runs and removes them afterwards.
 */
import { afterAll, beforeAll, expect, vi } from "vitest";

/** Names that begin like this are set once per process, by whichever file loads a module first. */
const onceSet = "__";
/** jsdom sets it for each event. */
const currentEvent = "event";

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
    changed.filter((name) => name !== currentEvent && !(name.startsWith(onceSet) && !before.has(name))),
    "globals left changed",
  ).toEqual([]);
});
