import type { Page } from "@playwright/test";
import { toQuotePath } from "~/lib/quote-path";
import { waitUntilReady } from "./support/appearances";
import { type Customer, signUp } from "./support/customers";
import { newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

const noResponse = /^We don't know if your request went through/;

async function openQuote(page: Page, customer: Customer): Promise<void> {
  await customer.lock("MOB", "60", newEthAddress());
  await page.goto(toQuotePath(await customer.createQuote("MOB", "70")));
  await waitUntilReady(page);
}

/** Whether another element is in front of the middle of this one. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

const lock = (page: Page) => page.getByRole("button", { name: "Lock this price" }).last();

test("keeps the page when a form is submitted offline, and works again once online", async ({
  page,
  site,
  context,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await openQuote(page, await signUp(page, site));
  await context.setOffline(true);
  await lock(page).click();
  await expect(page.getByRole("status").getByText(noResponse)).toBeVisible();
  await expect(heading(page, /^Your price$/)).toBeVisible();
  // The message asks to try again, so it does not cover the button, even if that is at the bottom of the window.
  for (const height of [667, 844]) {
    await page.setViewportSize({ width: 390, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(lock(page)).toBeInViewport({ ratio: 1 });
    expect(await lock(page).evaluate(isCovered), `covered in a window of 390 × ${height}`).toBe(false);
  }
  // It can be closed, because it covers much of a page that is zoomed to 400%.
  await page.setViewportSize({ width: 320, height: 256 });
  const message = page.getByRole("status").filter({ hasText: noResponse });
  expect((await message.boundingBox())?.height).toBeLessThanOrEqual(0.45 * 256);
  await message.getByRole("button", { name: "Close" }).press("Enter");
  await expect(page.getByText(noResponse)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await context.setOffline(false);
  await lock(page).click();
  await expect(heading(page, /^Send exactly 70\.00\sMOB$/)).toBeVisible();
});

test("E17 keeps the page if a part of it can't be loaded offline, and loads it when the visitor tries again", async ({
  page,
  site,
  context,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch|fetching the script/);
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "50", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await waitUntilReady(page);
  const payment = heading(page, /^Send exactly 50\.00\sUSDT$/);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await expect(page.getByRole("alert").getByText("We couldn't load this. Check your connection.")).toBeVisible();
  await expect(payment).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: /^Connect / }).first()).toBeVisible();
  await expect(payment).toBeVisible();
  const listUnstyled = () =>
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")]
      .filter(({ sheet }) => sheet === null)
      .map(({ href }) => href);
  await expect(async () => expect(await page.evaluate(listUnstyled)).toEqual([])).toPass({ timeout: 20_000 });
});

for (const [cause, cut, restore] of [
  ["offline", (page: Page) => page.context().setOffline(true), (page: Page) => page.context().setOffline(false)],
  [
    "while the server restarts",
    // A proxy responds.
    (page: Page) => page.route(/^http/, (route) => route.fulfill({ status: 502, body: "Bad gateway" })),
    (page: Page) => page.unrouteAll(),
  ],
] as const) {
  test(`E17 keeps the page with what is typed if a link can't be opened ${cause}, and opens it afterwards`, async ({
    page,
    site,
    pageErrors,
  }) => {
    pageErrors.expect(/ERR_INTERNET_DISCONNECTED|Failed to (fetch|load)|Error loading route module|502|SyntaxError/);
    await signUp(page, site);
    await page.goto("/swap/usdt-to-mob");
    await waitUntilReady(page);
    const amount = page.getByLabel("You send", { exact: true });
    await amount.fill("777.7");
    const activity = page.getByRole("link", { name: "Activity" }).first();
    const failed = page.getByRole("status").getByText("We couldn't open that page. Check your connection");
    await cut(page);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await activity.press("Enter");
      await expect(failed).toBeVisible();
      await expect(amount).toHaveValue("777.7");
      await expect(amount).toBeVisible();
      await expect(page).toHaveURL(/\/swap\/usdt-to-mob/);
    }
    await restore(page);
    await activity.press("Enter");
    await expect(heading(page, /^Activity and account$/)).toBeVisible();
    await expect(failed).toHaveCount(0);
  });
}

test("offers to stop loading a page that takes long, and keeps the page with what is typed", async ({ page, site }) => {
  await signUp(page, site);
  await page.goto("/swap/usdt-to-mob");
  await waitUntilReady(page);
  const amount = page.getByLabel("You send", { exact: true });
  await amount.fill("777.7");
  await page.route("**/doger.data*", () => undefined);
  const activity = page.getByRole("link", { name: "Activity" }).first();
  await activity.press("Enter");
  const stay = page.getByRole("status").getByRole("button", { name: "Stay on this page" });
  // On a page zoomed to 400%, too.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(stay).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await stay.press("Enter");
  await expect(amount).toBeVisible();
  await expect(amount).toHaveValue("777.7");
  await expect(activity).toBeFocused();
  await expect(page).toHaveURL(/\/swap\/usdt-to-mob/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await activity.press("Enter");
  await expect(heading(page, /^Activity and account$/)).toBeVisible();
});

/** Locks the price, and loses the response. */
async function loseLock(page: Page): Promise<void> {
  await page.route("**/swap/quote/*.data*", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort();
  });
  await lock(page).click();
  await expect(page.getByRole("status").getByText(noResponse)).toBeVisible();
}

test("T39 returns the same order when a form is submitted again after its response was lost", async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch/);
  const customer = await signUp(page, site);
  await openQuote(page, customer);
  await loseLock(page);
  const created = await customer.newestOrder();
  expect([created.status, created.source_amount]).toEqual(["awaiting_deposit", "70"]);
  await page.unrouteAll();
  await lock(page).click();
  await expect(heading(page, /^Send exactly 70\.00\sMOB$/)).toBeVisible();
  expect((await customer.newestOrder()).id).toBe(created.id);
});

test("T39 shows the order when the price ends after the response to its lock was lost", async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED|Failed to fetch/);
  await page.clock.install();
  await openQuote(page, await signUp(page, site));
  await loseLock(page);
  await page.unrouteAll();
  await page.clock.fastForward(61_000);
  await expect(heading(page, /^Send exactly 70\.00\sMOB$/)).toBeVisible();
});

test("moves the focus to the title of a new page, and to the first invalid field", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await customer.lock("USDT", "20", newEthAddress());
  await page.goto("/swap");
  await waitUntilReady(page);
  await page.getByRole("link", { name: /^USDT to MOB/ }).press("Enter");
  await page.waitForURL("**/swap/usdt-to-mob");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  const amount = page.getByLabel("You send", { exact: true });
  await amount.fill("5");
  await page.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(amount).toBeFocused();
  await amount.fill("50");
  await page.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(heading(page, /^Your price$/)).toBeFocused();
  await lock(page).click();
  await expect(heading(page, /^Send exactly 50\.00\sUSDT$/)).toBeFocused();
});

test("moves the focus to the title of an error screen, and from there to the title of the next page", async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  await signUp(page, site);
  await page.goto("/swap");
  await waitUntilReady(page);
  await page.evaluate(() => window.__remixRouter.navigate("/swap/quote/404"));
  await expect(heading(page, /^Not Found$/)).toBeFocused();
  await expect(page).toHaveTitle("Not Found · Antelope");
  await page.getByRole("link", { name: "Go to Swap" }).press("Enter");
  await expect(heading(page, /^USDT and MOB/)).toBeFocused();
  await expect(page).toHaveTitle("Swap · Antelope");
});
