import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { takeOn } from "./support/looks";
import { rooms } from "./support/scenes/rooms";
import { test } from "./support/scenes/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Every rule at both widths and every colour of both palettes, at half the time of all four looks: colours know no width. */
const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const;

/** WCAG 2.2 AA by axe, at the desk by day and in the hand by night; and nothing to scroll sideways for, down to 320 px. */
async function check(page: Page, scene: string): Promise<void> {
  for (const look of looks) {
    const name = `${scene}, ${look.colorScheme}, ${look.width}`;
    await takeOn(page, look);
    expect(await findViolations(page), name).toEqual([]);
    await checkWidth(page, name);
  }
  await takeOn(page, { colorScheme: "light", width: 320 });
  await checkWidth(page, `${scene}, 320`);
}

async function findViolations(page: Page): Promise<string[]> {
  // In the page itself and nothing but what is wrong: half the time of axe's usual way.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

async function checkWidth(page: Page, name: string): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(tooWide, `${name} is wider than the window`).toBeLessThanOrEqual(0);
}

test.describe.configure({ mode: "parallel" });

for (const room of rooms) {
  test(`axe: ${room.name}`, async ({ enterStage }) => {
    test.setTimeout(120_000 + room.scenes.length * 20_000);
    await room.walk(await enterStage(room), check);
  });
}
