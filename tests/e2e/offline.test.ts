import type { Page } from "@playwright/test";
import { findViolations } from "./support/axe";
import { arrive } from "./support/people";
import { newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/** Every address that this browser keeps a copy of, by the cache it is in. */
const listKept = (page: Page) =>
  page.evaluate(async () => {
    const kept: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      kept[name] = requests.map(({ url }) => url.replace(location.origin, ""));
    }
    return kept;
  });

test("without a network the order's page says that the order is safe, and comes back by itself", async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.expect(/ERR_INTERNET_DISCONNECTED/);
  const customer = await arrive(page, site);
  await page.goto("/swap");
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);

  const { quote_id } = await customer.lock("USDT", "250", newEthAddress());
  await page.goto(`/swap/quote/${quote_id}`);
  await controlled(page);
  const address = page.url();

  // The open page says it, too.
  await context.setOffline(true);
  await expect(page.getByText("You are offline. Your order is safe.")).toBeVisible();

  await page.reload();
  await expect(heading(page, /Your order is safe/)).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(page.getByText(customer.email)).toHaveCount(0);
  // In the site's own look, by day and by night, and for everybody.
  const card = page.getByText("Paid already?").locator("xpath=ancestor::section[1]");
  expect(await card.evaluate((element) => getComputedStyle(element).borderRadius)).toBe("28px");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page)).toEqual([]);
  }
  await page.getByRole("button", { name: "Try again now" }).click();
  await expect(heading(page, /Your order is safe/)).toBeVisible();

  await context.setOffline(false);
  await expect(heading(page, /^Send exactly/)).toBeVisible();
  expect(page.url()).toBe(address);
});

test("the service worker keeps nothing but that page, and takes it anew after a deployment", async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.expect(/ERR_INTERNET_DISCONNECTED/);
  const customer = await arrive(page, site);
  const { quote_id } = await customer.lock("USDT", "250", newEthAddress());
  await page.goto(`/swap/quote/${quote_id}`);
  await controlled(page);
  for (const path of ["/doger", "/swap", `/swap/quote/${quote_id}`]) await page.goto(path);
  const [[name, kept] = ["", []], ...others] = Object.entries(await listKept(page));
  expect(others).toEqual([]);
  expect(kept.filter((path) => path !== "/offline" && !/^\/assets\/[^?]+\?offline$/.test(path))).toEqual([]);
  expect(kept).toContain("/offline");
  const text = await page.evaluate(async () => (await caches.match("/offline", { ignoreVary: true }))?.text());
  expect(text).not.toContain(customer.email);
  const headers = await page.evaluate(async () => {
    const page = await caches.match("/offline", { ignoreVary: true });
    return [...(page?.headers.keys() ?? [])];
  });
  expect(headers).toContain("content-security-policy");
  expect(headers).not.toContain("set-cookie");

  // What the next build's order page does.
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js?next", { updateViaCache: "all" }));
  await expect.poll(async () => Object.keys(await listKept(page))).toEqual(["offline?next"]);
  expect(name).not.toBe("offline?next");
  await context.setOffline(true);
  await page.reload();
  await expect(heading(page, /Your order is safe/)).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page, /^Send exactly/)).toBeVisible();
});
