import type { BrowserContext, BrowserContextOptions, Page, Request } from "@playwright/test";
import { until } from "../support/until";
import { type SiteAccount, takeAccount } from "./support/accounts";
import { waitUntilReady } from "./support/appearances";
import { type Customer, toCookies, toCustomer } from "./support/customers";
import { newEthAddress, payMob } from "./support/sandbox";
import type { Site } from "./support/site";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

/** The largest cumulative layout shift (Core Web Vitals) allowed. Google calls 0.1 good. */
const maxShift = 0.01;

/** Delays fonts and scripts, so that anything they move counts as a shift. */
const assetDelayMs = 250;

const visitors: Record<string, BrowserContextOptions> = {
  "a phone in German and New York time": {
    viewport: { width: 390, height: 844 },
    locale: "de-DE",
    timezoneId: "America/New_York",
  },
  "a desktop in English and Kolkata time": {
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    timezoneId: "Asia/Kolkata",
  },
};

const publicPaths = ["/login", "/register", "/welcome/1", "/welcome/4", "/welcome/enable-signal", "/vegas", "/sandbox"];
const ownPaths = [
  "/swap",
  "/swap/usdt-to-mob?amount=123.45",
  "/swap/mob-to-usdt",
  "/swap/deliveryaddress/",
  "/swap/deliveryaddress/add",
  "/doger",
  "/kyc",
];

let account: SiteAccount;
let orders: string[];
test.beforeAll(async ({ site }) => {
  account = await takeAccount(site);
  orders = await makeOrders(toCustomer(site, account), site);
});

for (const [visitor, options] of Object.entries(visitors)) {
  test(`shifts the layout of listed pages by at most ${maxShift}, for ${visitor}`, async ({ site, openBrowser }) => {
    test.slow();
    const storageState = { cookies: toCookies(site, account), origins: [] };
    const customer = toCustomer(site, account);
    /** Created when its page is opened, because a price is valid for a minute only. */
    const openQuote = async () => `/swap/quote/${(await customer.createQuote("USDT", "200")).id}`;
    const moved: string[] = [];
    for (const [context, paths] of [
      [await openBrowser(options), publicPaths],
      [await openBrowser({ ...options, storageState }), [...ownPaths, openQuote, ...orders]],
    ] as const) {
      const { visit, waitUntilSettled } = await open(context);
      for (const listed of paths) {
        const path = typeof listed === "string" ? listed : await listed();
        // As on a first visit: the server does not know the time zone yet.
        await context.clearCookies({ name: "tz" });
        await visit.goto(path);
        await waitUntilSettled();
        if (listed === openQuote) await expect(heading(visit, /^Your price$/)).toBeVisible();
        const { shift, culprits } = await visit.evaluate(() => (window as unknown as ShiftWindow).moved);
        if (shift > maxShift) moved.push(`${path}: ${shift.toFixed(4)}, ${culprits.join("; ")}`);
      }
    }
    expect(moved).toEqual([]);
  });
}

/** Paths of orders that are waiting, need a decision and are completed. */
async function makeOrders(customer: Customer, site: Site): Promise<string[]> {
  const waiting = await customer.lock("USDT", "250", newEthAddress());
  const underpaid = await customer.lock("MOB", "400", newEthAddress());
  const done = await customer.lock("MOB", "350", newEthAddress());
  await payMob(site, underpaid.funding_address, "100");
  await payMob(site, done.funding_address, done.source_amount);
  await customer.waitForStatus(underpaid.id, "needs_decision");
  await customer.waitForStatus(done.id, "completed");
  return [waiting.quote_id, underpaid.quote_id, done.quote_id].map((id) => `/swap/quote/${id}`);
}

type ShiftWindow = { moved: { shift: number; culprits: string[] } };

/** Opens a page that records its layout shifts and the text that moved. */
async function open(context: BrowserContext): Promise<{ visit: Page; waitUntilSettled(): Promise<void> }> {
  const page = await context.newPage();
  const pending = new Set<Request>();
  page.on("request", (request) => {
    if (request.isNavigationRequest()) pending.clear();
    // An order's event stream stays open.
    if (request.resourceType() !== "eventsource") pending.add(request);
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
  await page.route(/\.(?:js|woff2)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, assetDelayMs));
    await route.continue();
  });
  await page.addInitScript(() => {
    type Shift = { value: number; hadRecentInput: boolean; sources: { node?: Node }[] };
    const { moved } = Object.assign(window, { moved: { shift: 0, culprits: [] as string[] } });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
        if (hadRecentInput) continue;
        moved.shift += value;
        moved.culprits.push(...sources.map(({ node }) => `"${node?.textContent?.slice(0, 40)}"`));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return {
    visit: page,
    /** Waits until scripts, fonts and data are loaded and the page has been painted with them. */
    async waitUntilSettled() {
      await waitUntilReady(page);
      await until("the end of all requests", () => pending.size === 0, { timeoutMs: 20_000 });
      await waitUntilReady(page);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    },
  };
}
