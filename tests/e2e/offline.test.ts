import type { Page } from "@playwright/test";
import { appearanceRules, findViolations } from "./support/axe";
import { signUp } from "./support/customers";
import { newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/** The paths in this browser's Cache Storage, by cache name. */
const listCachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const cached: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      cached[name] = requests.map(({ url }) => url.replace(location.origin, ""));
    }
    return cached;
  });

test("shows that the order is safe while offline, and the order again once online", async ({
  page,
  context,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const customer = await signUp(page, site);
  await page.goto("/swap");
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);

  const { quote_id } = await customer.lock("USDT", "250", newEthAddress());
  await page.goto(`/swap/quote/${quote_id}`);
  await controlled(page);
  const address = page.url();

  // The page that is already open says so, too.
  await context.setOffline(true);
  await expect(page.getByText("You're offline. Your swap is safe.")).toBeVisible();

  await page.reload();
  await expect(heading(page, /Your swap is safe/)).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(page.getByText(customer.email)).toHaveCount(0);
  // Styled like the site and accessible in both themes.
  const card = page.getByText("Already paid?").locator("xpath=ancestor::section[1]");
  expect(await card.evaluate((element) => getComputedStyle(element).borderRadius)).toBe("28px");
  // The drawing, too, comes from the cache.
  const drawing = card.locator("svg use").first();
  expect(await drawing.evaluate((use) => (use as SVGUseElement).getBBox().width)).toBeGreaterThan(0);
  expect(await findViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findViolations(page, appearanceRules)).toEqual([]);
  await page.getByRole("button", { name: "Try again now" }).click();
  await expect(heading(page, /Your swap is safe/)).toBeVisible();

  await context.setOffline(false);
  await expect(heading(page, /^Send exactly/)).toBeVisible();
  expect(page.url()).toBe(address);
});

test("says that our server does not respond, not that the visitor is offline, and returns once it does", async ({
  page,
  site,
  pageErrors,
}) => {
  // Errors of requests that are in flight when the server stops, and of later ones.
  pageErrors.expect(/ERR_(CONNECTION|FAILED|INCOMPLETE|EMPTY|NETWORK)|error occurred when fetching the script/);
  // The page checks whether our server is ready, and it may still be starting.
  pageErrors.expect(/503 .*\/api\/status/);
  const customer = await signUp(page, site);
  const { quote_id } = await customer.lock("USDT", "250", newEthAddress());
  await page.goto(`/swap/quote/${quote_id}`);
  await controlled(page);
  await site.shutDown();
  await page.reload();
  await expect(heading(page, /^We can't be reached right now\. Your swap is safe\.$/)).toBeVisible();
  await expect(page.getByText(/Your swap is safe|Already paid/)).not.toHaveCount(0);
  await page.goto("/swap");
  await expect(heading(page, /^We can't be reached right now\.$/)).toBeVisible();
  // What the page says about a swap in progress.
  await expect(page.getByText(/Your swap is safe|Already paid/)).toHaveCount(0);
  await site.boot();
  await expect(page.getByRole("heading", { name: "How much do you want to swap?" })).toBeVisible();
});

test("caches only the offline page, and updates it after a deployment", async ({ page, context, site, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const customer = await signUp(page, site);
  const { quote_id } = await customer.lock("USDT", "250", newEthAddress());
  await page.goto(`/swap/quote/${quote_id}`);
  await controlled(page);
  for (const path of ["/swap", "/doger"]) await page.goto(path);
  const [[name, cached] = ["", []], ...others] = Object.entries(await listCachedPaths(page));
  expect(others).toEqual([]);
  expect(cached.filter((path) => !/^\/offline(\?|$)/.test(path) && !/^\/assets\/[^?]+\?offline$/.test(path))).toEqual(
    [],
  );
  expect(cached).toContain("/offline");
  const text = await page.evaluate(async () => (await caches.match("/offline", { ignoreVary: true }))?.text());
  expect(text).not.toContain(customer.email);
  const headers = await page.evaluate(async () => {
    const page = await caches.match("/offline", { ignoreVary: true });
    return [...(page?.headers.keys() ?? [])];
  });
  expect(headers).toContain("content-security-policy");
  expect(headers).not.toContain("set-cookie");

  // The next build's order page does this. The current page registers nothing, so this build's worker does not return.
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js?next", { updateViaCache: "all" }));
  await expect.poll(async () => Object.keys(await listCachedPaths(page))).toEqual(["offline?next"]);
  expect(name).not.toBe("offline?next");
  await context.setOffline(true);
  await page.goto(`/swap/quote/${quote_id}`);
  await expect(heading(page, /Your swap is safe/)).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page, /^Send exactly/)).toBeVisible();
});
