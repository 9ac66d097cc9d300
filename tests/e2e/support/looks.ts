/** The looks in which every scene is checked and photographed: at the desk and in the hand, by day and by night. */
import type { Page } from "@playwright/test";

export const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const;

export type Look = (typeof looks)[number];

/** The same page in each look, without loading it anew. */
export async function inEachLook(page: Page, work: (look: Look) => Promise<void>): Promise<void> {
  // Off the button that was pressed last: it would look as if it were meant to be pressed again.
  await page.mouse.move(0, 0);
  for (const look of looks) {
    await takeOn(page, look);
    await work(look);
  }
}

/** Motion would make every picture another one: all of it is asked to stay away. */
export async function takeOn(
  page: Page,
  { colorScheme, width }: { colorScheme: "light" | "dark"; width: number },
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
  await settle(page);
}

/** A change of theme fades over: colours on their way are nobody's. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().iterations === Infinity),
  );
}

/** Scripts run, fonts and pictures are there, no button is at work. A document without React's scripts has nothing to wait for. */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.readyState === "complete" &&
      (!("__remixContext" in window) ||
        Object.keys(document.body).some((property) => property.startsWith("__react"))) &&
      document.querySelector("button[aria-disabled=true]") === null,
  );
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
