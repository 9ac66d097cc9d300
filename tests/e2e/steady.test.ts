import type { BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { arrive, type Customer } from "./support/people";
import { newEthAddress, payMob } from "./support/sandbox";
import type { Site } from "./support/site";
import { expect, test } from "./support/test";

test.use({ siteEnv: { QUOTE_TTL_MS: "600000" } });

/** What may move on its own account, as Core Web Vitals count it; 0.1 is what Google calls good. */
const mostShift = 0.01;

/** Fonts and scripts come this much later than the page: what moves once they are there, moves visibly. */
const slowMs = 250;

const visitors: Record<string, BrowserContextOptions> = {
  "a phone in German and New York's time": {
    viewport: { width: 390, height: 844 },
    locale: "de-DE",
    timezoneId: "America/New_York",
  },
  "a desk in English and Kolkata's time": {
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

for (const [who, options] of Object.entries(visitors)) {
  test(`nothing moves by itself on any page, for ${who}`, async ({ page, site, openBrowser }) => {
    test.slow();
    const orders = await makeOrders(await arrive(page, site), site);
    const storageState = await page.context().storageState();
    const moved: string[] = [];
    for (const [context, paths] of [
      [await openBrowser(options), publicPaths],
      [await openBrowser({ ...options, storageState }), [...ownPaths, ...orders]],
    ] as const) {
      const visit = await open(context);
      for (const path of paths) {
        // A first visit: the server does not know the zone yet.
        await context.clearCookies({ name: "tz" });
        await visit.goto(path);
        await visit.waitForTimeout(slowMs + 500);
        const { shift, culprits } = await visit.evaluate(() => (window as unknown as Watched).moved);
        if (shift > mostShift) moved.push(`${path}: ${shift.toFixed(4)}, ${culprits.join("; ")}`);
      }
    }
    expect(moved).toEqual([]);
  });
}

/** Addresses of an open quote, and of orders that wait, want a decision and are done. */
async function makeOrders(customer: Customer, site: Site): Promise<string[]> {
  const waiting = await customer.lock("USDT", "250", newEthAddress());
  const underpaid = await customer.lock("MOB", "400", newEthAddress());
  const done = await customer.lock("MOB", "350", newEthAddress());
  await payMob(site, underpaid.funding_address, "100");
  await payMob(site, done.funding_address, done.source_amount);
  await customer.waitForStatus(underpaid.id, "needs_decision");
  await customer.waitForStatus(done.id, "completed");
  const quote = await customer.ask("USDT", "200");
  return [quote.id, waiting.quote_id, underpaid.quote_id, done.quote_id].map((id) => `/swap/quote/${id}`);
}

type Watched = { moved: { shift: number; culprits: string[] } };

/** A page that counts from its beginning how much of it moves, and what. */
async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.route(/\.(?:js|woff2)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
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
  return page;
}
