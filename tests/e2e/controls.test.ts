import { expect, test } from "./support/test";

test("a click anywhere in a select's box reaches the select", async ({ page }) => {
  await page.goto("/sandbox");
  const select = page.getByLabel("Coin", { exact: true });
  await select.scrollIntoViewIfNeeded();
  const reached = await select.evaluate((element) => {
    const { left, right, top, height } = (element.parentElement as Element).getBoundingClientRect();
    const [chevron] = (element.parentElement as Element).getElementsByTagName("svg");
    const onChevron = (chevron as Element).getBoundingClientRect().left + 4;
    return [left + 4, (left + right) / 2, onChevron, right - 4].map(
      (x) => document.elementFromPoint(x, top + height / 2) === element,
    );
  });
  expect(reached).toEqual([true, true, true, true]);
});
