import { expect, type Page } from "@playwright/test";
import { findViolations, wcag } from "./support/axe";
import { takeOn } from "./support/looks";
import { rooms } from "./support/scenes/rooms";
import { test } from "./support/scenes/test";

/** WCAG 2.2 AA by axe, at the desk by day and in the hand by night; and nothing to scroll sideways for, down to 320 px. */
async function check(page: Page, scene: string): Promise<void> {
  await takeOn(page, { colorScheme: "light", width: 1280 });
  expect(await findViolations(page, wcag), `${scene} at the desk by day`).toEqual([]);
  await checkWidth(page, scene);
  await takeOn(page, { colorScheme: "dark", width: 390 });
  expect(await findViolations(page, wcag), `${scene} in the hand by night`).toEqual([]);
  await checkWidth(page, scene);
  await page.setViewportSize({ width: 320, height: 900 });
  await checkWidth(page, scene);
}

async function checkWidth(page: Page, scene: string): Promise<void> {
  const [width, tooWide] = await page.evaluate(() => [
    window.innerWidth,
    document.documentElement.scrollWidth - window.innerWidth,
  ]);
  expect(tooWide, `${scene} is wider than a window of ${width}`).toBeLessThanOrEqual(0);
}

test.describe.configure({ mode: "parallel" });

for (const room of rooms) {
  test(`axe: ${room.name}`, async ({ enterStage }) => {
    test.setTimeout(120_000 + room.scenes.length * 20_000);
    await room.walk(await enterStage(room), check);
  });
}
