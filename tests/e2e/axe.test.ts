import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { inEachLook, type Look, takeOn } from "./support/looks";
import { rooms } from "./support/scenes/rooms";
import { test } from "./support/scenes/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** All that the night changes: the document is the same, its colours are others. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** WCAG 2.2 AA by axe, light and dark, at the desk and in the hand; and nothing to scroll sideways for, down to 320 px. */
async function check(page: Page, scene: string): Promise<void> {
  await inEachLook(page, async (look) => {
    const name = `${scene}, ${look.colorScheme}, ${look.width}`;
    expect(await findViolations(page, look), name).toEqual([]);
    await checkWidth(page, name);
  });
  await takeOn(page, { colorScheme: "light", width: 320 });
  await checkWidth(page, `${scene}, 320`);
}

async function findViolations(page: Page, { colorScheme }: Look): Promise<string[]> {
  // In the page itself and nothing but what is wrong: half the time of axe's usual way.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (colorScheme === "light" ? axe.withTags(tags) : axe.withRules(colorRules)).analyze();
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
