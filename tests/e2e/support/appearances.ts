/** Theme and window width, in which every scene is checked and photographed. */
import type { Page } from "@playwright/test";

export const appearances = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const;

export type Appearance = (typeof appearances)[number];

/** Runs `work` in each appearance, without reloading the page. */
export async function inEachAppearance(page: Page, work: (appearance: Appearance) => Promise<void>): Promise<void> {
  // Move the pointer away from the last button, so that it is not drawn as hovered.
  await page.mouse.move(0, 0);
  for (const appearance of appearances) {
    await applyAppearance(page, appearance);
    await work(appearance);
  }
}

/** Reduces motion, so that pictures are reproducible. */
export async function applyAppearance(
  page: Page,
  { colorScheme, width }: { colorScheme: "light" | "dark"; width: number },
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
  await settle(page);
}

/** Waits for the transition between themes to end. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().iterations === Infinity),
  );
}

/** Waits until the page is hydrated (if it has scripts), fonts are loaded and no button is pending. */
export async function waitUntilReady(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.readyState === "complete" &&
      (!("__remixContext" in window) ||
        Object.keys(document.body).some((property) => property.startsWith("__react"))) &&
      document.querySelector("button[aria-disabled=true]") === null,
  );
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
