import type { Page } from "@playwright/test";
import { toQuotePath } from "../../app/lib/quote-path";
import { arrive, type Customer } from "./support/people";
import { newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

const noAnswer = /^No answer came/;

async function openOffer(page: Page, customer: Customer): Promise<void> {
  await customer.lock("MOB", "60", newEthAddress());
  await page.goto(toQuotePath(await customer.ask("MOB", "70")));
}

const lock = (page: Page) => page.getByRole("button", { name: "Lock this price" }).last();

test("a form without a network leaves the page as it is, and works once there is one", async ({
  page,
  site,
  context,
  troubles,
}) => {
  troubles.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await openOffer(page, await arrive(page, site));
  await context.setOffline(true);
  await lock(page).click();
  await expect(page.getByRole("status").getByText(noAnswer)).toBeVisible();
  await expect(heading(page, /^Your price$/)).toBeVisible();
  await context.setOffline(false);
  await lock(page).click();
  await expect(heading(page, /^Send exactly 70\.00\sMOB$/)).toBeVisible();
  await expect(page.getByText(noAnswer)).toHaveCount(0);
});

test("T44 an answer that is lost on the way: pressed again, the same order", async ({ page, site, troubles }) => {
  troubles.expect(/ERR_FAILED|Failed to fetch/);
  const customer = await arrive(page, site);
  await openOffer(page, customer);
  await page.route("**/swap/quote/*.data*", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort();
  });
  await lock(page).click();
  await expect(page.getByRole("status").getByText(noAnswer)).toBeVisible();
  const made = await customer.newestOrder();
  expect([made.status, made.source_amount]).toEqual(["awaiting_deposit", "70"]);
  await page.unrouteAll();
  await lock(page).click();
  await expect(heading(page, /^Send exactly 70\.00\sMOB$/)).toBeVisible();
  expect((await customer.newestOrder()).id).toBe(made.id);
});

test("the focus goes to the title of another page, and to the first field that is wrong", async ({ page, site }) => {
  const customer = await arrive(page, site);
  await customer.lock("USDT", "20", newEthAddress());
  await page.goto("/swap");
  await page.getByRole("link", { name: /^USDT to MOB/ }).press("Enter");
  await page.waitForURL("**/swap/usdt-to-mob");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  const amount = page.getByLabel("You send", { exact: true });
  await amount.fill("5");
  await page.getByRole("button", { name: "Get this price" }).last().click();
  await expect(amount).toBeFocused();
  await amount.fill("50");
  await page.getByRole("button", { name: "Get this price" }).last().click();
  await expect(heading(page, /^Your price$/)).toBeFocused();
  await lock(page).click();
  await expect(heading(page, /^Send exactly 50\.00\sUSDT$/)).toBeFocused();
});
