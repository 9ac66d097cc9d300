import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import type { Order } from "~/api/contract";
import { chromiumFlags, getChromium } from "../support/chromium";
import { PushBrowser, startPushService } from "../support/push-service";
import { until } from "../support/until";
import { inEachAppearance } from "./support/appearances";
import { appearanceRules, findViolations } from "./support/axe";
import { type Customer, signOut, signUp } from "./support/customers";
import { operate } from "./support/operate";
import { faucet, newEthAddress } from "./support/sandbox";
import { test as base, expect, siteTimeout } from "./support/test";
import type { RunningSite } from "./support/worker-sites";

type PushService = Awaited<ReturnType<typeof startPushService>>;

// The headless shell does not support push messages.
base.use({ launchOptions: { executablePath: await getChromium(), args: chromiumFlags } });

const test = base.extend<{ running: RunningSite }, { service: PushService }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const service = await startPushService();
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
  siteEnv: async ({ service }, use) => use({ PUSH_SERVICES: service.origin }),
  // On PostgreSQL, so that operator commands can hold payouts back.
  running: [
    async ({ workerSites, siteEnv }, use) => use(await workerSites.get({ env: siteEnv, postgres: true })),
    siteTimeout,
  ],
  site: async ({ running }, use) => use(running.site),
});

test.beforeEach(({ running }) => operate(running, "on", "payments"));

/** Pays for an order, whose payout then waits until payments are on. */
async function payAndHold(running: RunningSite, customer: Customer, amount: string): Promise<Order> {
  const order = await customer.lock("USDT", amount, newEthAddress());
  await operate(running, "off", "payments", "We are checking the ledger.");
  await faucet(running.site, order.funding_address, "USDT", amount);
  return customer.waitForStatus(order.id, "paying_out");
}

/** The browser's own push service cannot be reached from here; this one takes its place. */
async function replacePushService(context: BrowserContext, { subscription }: PushBrowser): Promise<void> {
  await context.addInitScript((known) => {
    const toSubscription = (key: string) => {
      const bytes = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
      const { buffer } = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
      return { toJSON: () => known, options: { applicationServerKey: buffer } };
    };
    Object.assign(PushManager.prototype, {
      subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
        const key = String(applicationServerKey);
        if (key.length !== 87) throw new TypeError("not a key");
        localStorage.setItem("test.subscribed", key);
        return toSubscription(key);
      },
      getSubscription: async () => {
        const key = localStorage.getItem("test.subscribed");
        return key === null ? null : toSubscription(key);
      },
    });
  }, subscription);
}

/** Gives the service worker a message, as the browser does when its push service has one. */
async function deliver(page: Page, origin: string, message: unknown): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    client.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await client.send("ServiceWorker.enable");
  const registrationId = await registered;
  await client.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(message) });
}

const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, data, tag }) => ({ title, data, tag }));
  });

/** Delivers a push message until it takes effect: in one full run, a message had no effect, for an unknown reason. */
async function deliverUntil(
  page: Page,
  origin: string,
  message: unknown,
  check: (notifications: Awaited<ReturnType<typeof listNotifications>>) => void,
): Promise<void> {
  await expect(async () => {
    await deliver(page, origin, message);
    await expect(async () => check(await listNotifications(page))).toPass({ timeout: 5_000 });
  }).toPass({ timeout: 20_000 });
}

test("notifies the browser about a swap after its page was closed", async ({
  page,
  context,
  running,
  site,
  service,
}) => {
  const browser = new PushBrowser(service.origin);
  await context.grantPermissions(["notifications"], { origin: site.origin });
  await replacePushService(context, browser);
  const customer = await signUp(page, site);
  const order = await payAndHold(running, customer, "60");
  const path = `/swap/quote/${order.quote_id}`;
  await page.goto(path);
  await page.getByRole("button", { name: "Notify me when it's done" }).click();
  await expect(page.getByText("You can close this tab.")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await inEachAppearance(page, async (name) =>
    expect([name, await findViolations(page, appearanceRules)]).toEqual([name, []]),
  );
  await page.goto("/help");
  await operate(running, "on", "payments");
  await customer.waitForStatus(order.id, "completed");

  const read = () => service.received.map(({ body }) => browser.decrypt(body) as { title: string; path: string });
  const findDone = () => read().find(({ title }) => title.startsWith("Your swap is complete"));
  const message = await until("the notification that the swap is done", findDone, { timeoutMs: 20_000 });
  expect(message.path).toBe(path);
  const shown = { title: message.title, data: site.origin + path, tag: path };
  await deliverUntil(page, site.origin, message, (notifications) => expect(notifications).toEqual([shown]));

  // If the path is on another site, the notification opens our home page.
  const foreign = { title: "x", body: "y", path: `https://evil.example/${randomUUID()}` };
  await deliverUntil(page, site.origin, foreign, (notifications) =>
    expect(notifications.map(({ data }) => data)).toContain(site.origin),
  );

  // For the next swap, the page does not ask again.
  const next = await payAndHold(running, customer, "62");
  await page.goto(`/swap/quote/${next.quote_id}`);
  await expect(page.getByText("You can close this tab.")).toBeVisible();

  // T84: signing out ends the subscription in the browser, whichever session of the customer it belongs to.
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(() => {
    const unsubscribe = async () => Boolean(await caches.open("test.unsubscribed"));
    PushManager.prototype.getSubscription = async () => ({ unsubscribe }) as PushSubscription;
  });
  await signOut(page);
  await expect.poll(() => page.evaluate(() => caches.has("test.unsubscribed"))).toBe(true);
});

test("notifies only from the open page if the browser has no push service", async ({
  page,
  context,
  running,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/Push API/);
  await context.grantPermissions(["notifications"], { origin: site.origin });
  const customer = await signUp(page, site);
  const order = await payAndHold(running, customer, "61");
  await page.goto(`/swap/quote/${order.quote_id}`);
  await page.getByRole("button", { name: "Notify me when it's done" }).click();
  await expect(page.getByText("Keep this tab open.")).toBeVisible();
});
