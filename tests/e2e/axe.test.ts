import { expect, type Page } from "@playwright/test";
import { applyAppearance } from "./support/appearances";
import { appearanceRules, findViolations, wcag } from "./support/axe";
import { sceneGroups } from "./support/scenes/all-scenes";
import { test } from "./support/scenes/test";

/**
 * Checks WCAG 2.2 AA with axe: all rules on a desktop in the light theme, and the rules that depend on
 * colours and widths on a phone in the dark theme. No page scrolls sideways, down to a width of 320 px.
 */
async function check(page: Page, scene: string): Promise<void> {
  await applyAppearance(page, { colorScheme: "light", width: 1280 });
  expect(await findViolations(page, wcag), `${scene} on a desktop, light theme`).toEqual([]);
  await checkWidth(page, scene);
  await applyAppearance(page, { colorScheme: "dark", width: 390 });
  expect(await findViolations(page, appearanceRules), `${scene} on a phone, dark theme`).toEqual([]);
  await checkWidth(page, scene);
  await applyAppearance(page, { width: 320 });
  await checkWidth(page, scene);
}

async function checkWidth(page: Page, scene: string): Promise<void> {
  const [width, tooWide] = await page.evaluate(() => [
    window.innerWidth,
    document.documentElement.scrollWidth - window.innerWidth,
  ]);
  expect(tooWide, `${scene} is wider than a window of ${width}`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(findCutOffText), `${scene}: text cut off in a window of ${width}`).toEqual([]);
}

/** Text beyond the edge of the window that cannot be scrolled into view, and amounts cut off by their field. */
function findCutOffText(): string[] {
  const cut: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest("svg, select, noscript") || !node.textContent?.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isOut = [...range.getClientRects()].some(({ left, right, width }) => {
      return width > 1 && (right > window.innerWidth + 1 || left < -1);
    });
    if (isOut && !isReachable(parent)) cut.push(node.textContent.trim());
  }
  for (const field of document.querySelectorAll<HTMLInputElement>("input[inputmode=decimal]")) {
    if (field.scrollWidth > field.clientWidth + 1) cut.push(field.value);
  }
  return cut;

  /** Whether the text is in a scrolling box that fits the window, or is for screen readers only. */
  function isReachable(element: Element | null): boolean {
    if (!element) return false;
    const { overflowX, position, width } = getComputedStyle(element);
    if (position === "absolute" && width === "1px") return true;
    const isBox = /auto|scroll/.test(overflowX) && element.getBoundingClientRect().right <= window.innerWidth + 1;
    return isBox || isReachable(element.parentElement);
  }
}

test.describe.configure({ mode: "parallel" });

for (const group of sceneGroups) {
  test(`axe: ${group.name}`, async ({ openStage }) => {
    test.setTimeout(120_000 + group.scenes.length * 20_000);
    await group.visitAll(await openStage(group), check);
  });
}
