/** Theme and window width, in which every scene is checked and photographed. */
import type { Page } from "@playwright/test";

export const appearances = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const;

const readyTimeoutMs = 30_000;

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

/** Reduces motion, so that pictures are reproducible. Without a colour scheme, the theme stays as it is. */
export async function applyAppearance(
  page: Page,
  { colorScheme, width }: { colorScheme?: "light" | "dark"; width: number },
): Promise<void> {
  if (colorScheme) await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
  await settle(page);
}

/** Waits until the page is drawn, and ends its transitions. What inherits a colour may change in a later frame. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const listRunning = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === "running" && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        );
    for (let quietFrames = 0; quietFrames < 2; quietFrames += 1) {
      await new Promise(requestAnimationFrame);
      const running = listRunning();
      for (const animation of running) animation.finish();
      if (running.length > 0) quietFrames = -1;
    }
  });
}

/**
 * Waits until the page is hydrated (if it has scripts), fonts are loaded and no button is pending. Not with
 * `page.waitForFunction`, which first loads Playwright's scripts into the page.
 */
export async function waitUntilReady(page: Page): Promise<void> {
  const end = Date.now() + readyTimeoutMs;
  for (;;) {
    try {
      return await page.evaluate(waitInPage, end - Date.now());
    } catch (error) {
      // If the page has navigated in the meantime, wait for the next one.
      const hasNavigated = error instanceof Error && /context was destroyed/.test(error.message);
      if (!hasNavigated || Date.now() > end) throw error;
    }
  }
}

async function waitInPage(ms: number): Promise<void> {
  const isReady = () =>
    document.readyState === "complete" &&
    (!("__remixContext" in window) || Object.keys(document.body).some((property) => property.startsWith("__react"))) &&
    document.querySelector("button[aria-disabled=true]") === null;
  const end = performance.now() + ms;
  while (!isReady()) {
    if (performance.now() > end) throw new Error(`The page is not ready after ${ms} ms.`);
    await new Promise(requestAnimationFrame);
  }
  await document.fonts.ready;
}
