/**
 * Restores what a test file stubbed, and fails the file if it leaves other globals changed or the clock faked, because the
 * next files of its worker share them. jsdom installs its globals before this runs and removes them afterwards.
 */
import { afterAll, beforeAll, expect, vi } from "vitest";

/**
 * Names that begin like this are of modules that set them once per process, such as tslib and our log. Which file loads
 * such a module first depends on the order of the files.
 */
const onceSet = "__";
/** These are of a running exchange or of a page, and must be gone. */
const mustBeGone = ["__antelopeExchange", "__antelopeLock", "__remixContext"];
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
  const mayBeAdded = (name: string) => name.startsWith(onceSet) && !mustBeGone.includes(name) && !before.has(name);
  expect(
    changed.filter((name) => name !== currentEvent && !mayBeAdded(name)),
    "globals left changed",
  ).toEqual([]);
});
