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
  await takeOn(page, { colorScheme: "dark", width: 320 });
  await checkWidth(page, scene);
}

async function checkWidth(page: Page, scene: string): Promise<void> {
  const [width, tooWide] = await page.evaluate(() => [
    window.innerWidth,
    document.documentElement.scrollWidth - window.innerWidth,
  ]);
  expect(tooWide, `${scene} is wider than a window of ${width}`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(findCutWords), `${scene} in a window of ${width}: words that are cut off`).toEqual([]);
}

/** Words beyond the window's edge where nothing scrolls to them (pages clip), and amounts that their field cuts. */
function findCutWords(): string[] {
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
    if (isOut && !scrolls(parent)) cut.push(node.textContent.trim());
  }
  for (const field of document.querySelectorAll<HTMLInputElement>("input[inputmode=decimal]")) {
    if (field.scrollWidth > field.clientWidth + 1) cut.push(field.value);
  }
  return cut;

  /** In a box that scrolls and can itself be seen whole; or only read out. */
  function scrolls(element: Element | null): boolean {
    if (!element) return false;
    const { overflowX, position, width } = getComputedStyle(element);
    if (position === "absolute" && width === "1px") return true;
    const isBox = /auto|scroll/.test(overflowX) && element.getBoundingClientRect().right <= window.innerWidth + 1;
    return isBox || scrolls(element.parentElement);
  }
}

test.describe.configure({ mode: "parallel" });

for (const room of rooms) {
  test(`axe: ${room.name}`, async ({ enterStage }) => {
    test.setTimeout(120_000 + room.scenes.length * 20_000);
    await room.walk(await enterStage(room), check);
  });
}
