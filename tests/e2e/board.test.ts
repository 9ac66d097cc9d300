import type { Page } from "@playwright/test";
import { expect, test } from "./support/test";

/** From now on the board's own questions are answered with another price, or not at all. */
async function answer(page: Page, price: string | null): Promise<void> {
  await page.unrouteAll();
  await page.route("**/vegas", async (route) => {
    if (price === null) return route.abort();
    const response = await route.fetch();
    const body = (await response.text()).replace(/[\d.]+(?=<!-- --> <span)/, price);
    await route.fulfill({ response, body });
  });
}

test("R02 the big board keeps itself up to date, and leaves alone what is in use", async ({ page, troubles }) => {
  troubles.expect(/ERR_FAILED|Failed to fetch/);
  await page.goto("/login");
  await page.getByRole("link", { name: "Rates and status" }).click();
  await page.waitForURL("**/vegas");
  await expect(page.getByText("Open for swaps")).toBeVisible();
  // Its own script, and none of React's.
  await expect(page.locator("script, link[rel=modulepreload]")).toHaveCount(1);

  const summary = page.locator("summary", { hasText: "The chart as a table" });
  await summary.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table")).toBeVisible();
  await answer(page, "9.87654");
  await expect(page.getByText("9.87654")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("table")).toBeVisible();
  await expect(summary).toBeFocused();

  await answer(page, null);
  await expect(page.getByRole("status").getByText("Out of reach, asking again")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("Open for swaps")).toBeHidden();
  await expect(page.getByText("9.87654")).toBeVisible();

  await answer(page, "1.23456");
  await expect(page.getByText("1.23456")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("Open for swaps")).toBeVisible();
  await expect(page.getByText("Out of reach")).toBeHidden();
});

test("the big board's times are the visitor's own from the second drawing on", async ({ openBrowser }) => {
  const page = await (await openBrowser({ timezoneId: "Asia/Kolkata" })).newPage();
  await page.goto("/vegas?range=1h");
  const asOf = page.getByText(/^as of/);
  await expect(asOf).toHaveText(/UTC$/);
  await expect(asOf).not.toHaveText(/UTC/, { timeout: 15_000 });
});
