import { afterEach, expect, test, vi } from "vitest";
import { whenItMayHaveChanged } from "~/session/should-revalidate";

type Change = Parameters<typeof whenItMayHaveChanged>[0];

const here = new URL("http://localhost:3000/swap");
const ask = (change: Partial<Change>) =>
  whenItMayHaveChanged({ currentUrl: here, nextUrl: here, defaultShouldRevalidate: true, ...change } as Change);

afterEach(() => vi.unstubAllGlobals());

test("a page is asked for anew after whatever may have changed it", () => {
  vi.stubGlobal("navigator", { onLine: true });
  const formData = new FormData();
  formData.set("intent", "lock");
  expect(ask({})).toBe(true);
  expect(ask({ formData, actionResult: { error: "no" } })).toBe(true);
  expect(ask({ formData, actionResult: undefined })).toBe(true);
});

test("it stays where it can only be the same, or cannot come", () => {
  vi.stubGlobal("navigator", { onLine: true });
  const formData = new FormData();
  formData.set("intent", "passkey-options");
  expect(ask({ formData })).toBe(false);
  expect(ask({ actionResult: null })).toBe(false);
  vi.stubGlobal("navigator", { onLine: false });
  expect(ask({})).toBe(false);
  expect(ask({ nextUrl: new URL("/doger", here) })).toBe(true);
});
