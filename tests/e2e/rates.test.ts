import type { Page } from "@playwright/test";
import { expect, test } from "./support/test";

/** Makes the page's refreshes return another price, or fail if it is null. */
async function mockRefresh(page: Page, price: string | null): Promise<void> {
  await page.unrouteAll();
  await page.route("**/vegas", async (route) => {
    if (price === null) return route.abort();
    const response = await route.fetch();
    const body = (await response.text()).replace(/[\d.]+(?=<!-- --> <span)/, price);
    await route.fulfill({ response, body });
  });
}

test("R02 the rates page updates itself and keeps the open table and the focus", async ({ page, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch/);
  await page.goto("/login");
  await page.getByRole("contentinfo").getByRole("link", { name: "Rates" }).click();
  await page.waitForURL("**/vegas");
  await expect(page.getByText("Open for swaps")).toBeVisible();
  // Only its own script, without React.
  await expect(page.locator("script, link[rel=modulepreload]")).toHaveCount(1);

  const summary = page.locator("summary", { hasText: "Chart data as a table" });
  await summary.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table")).toBeVisible();
  await mockRefresh(page, "9.87654");
  await expect(page.getByText("9.87654")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("table")).toBeVisible();
  await expect(summary).toBeFocused();

  await mockRefresh(page, null);
  await expect(page.getByRole("status").getByText("Connection lost, retrying")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("Open for swaps")).toBeHidden();
  await expect(page.getByText("9.87654")).toBeVisible();

  await mockRefresh(page, "1.23456");
  await expect(page.getByText("1.23456")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("Open for swaps")).toBeVisible();
  await expect(page.getByText("Connection lost")).toBeHidden();
});

test("the rates page shows times in the visitor's time zone from the first refresh on", async ({ openBrowser }) => {
  const page = await (await openBrowser({ timezoneId: "Asia/Kolkata" })).newPage();
  await page.goto("/vegas?range=1h");
  const asOf = page.getByText(/^as of/);
  await expect(asOf).toHaveText(/UTC$/);
  await expect(asOf).not.toHaveText(/UTC/, { timeout: 15_000 });
});
