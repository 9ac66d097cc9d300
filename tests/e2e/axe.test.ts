import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { Quote } from "../../app/api/contract";
import { arrive } from "./support/people";
import { faucet, newEthAddress, payMob } from "./support/sandbox";
import { expect, test } from "./support/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const;

/** WCAG 2.2 AA by axe, light and dark, at the desk and in the hand; and nothing to scroll sideways for. */
async function check(page: Page, screen: string): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await settle(page);
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    expect(found, `${screen}, ${colorScheme}, ${width}`).toEqual([]);
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(tooWide, `${screen} is wider than ${width}`).toBeLessThanOrEqual(0);
  }
}

/** A change of theme fades over: colours on their way are nobody's. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().iterations === Infinity),
  );
}

async function checkAll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await check(page, path);
  }
}

test("axe: the public screens", async ({ page, troubles }) => {
  troubles.expect(/404/);
  const welcome = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "what-is-signal", "enable-signal"];
  await checkAll(page, [
    "/login?message=true",
    "/register",
    "/vegas",
    "/sandbox",
    "/nowhere",
    ...welcome.map((step) => `/welcome/${step}`),
  ]);
});

test("axe: the screens of an account", async ({ page, site, troubles }) => {
  troubles.expect(/40[04]/);
  const customer = await arrive(page, site, { kyc: false });
  await checkAll(page, ["/kyc", "/doger", "/swap", "/swap/deliveryaddress/"]);
  await customer.proveEmail();
  await checkAll(page, ["/kyc"]);
  await customer.passKyc();
  await checkAll(page, [
    "/kyc",
    "/swap/usdt-to-mob",
    "/swap/deliveryaddress/add",
    "/swap/quote/1",
    "/swap/quote/1?id=2",
  ]);
});

test("axe: a price and an order in each of its states", async ({ page, site }) => {
  const customer = await arrive(page, site);
  const waiting = await customer.lock("USDT", "40", newEthAddress());
  const under = await customer.lock("USDT", "60", newEthAddress());
  const done = await customer.lock("MOB", "200", newEthAddress());
  const cancelled = await customer.lock("USDT", "30", newEthAddress());
  await customer.call("POST", `/api/swap/swaps/${cancelled.id}/cancel`);
  await faucet(site, under.funding_address, "USDT", "30");
  await payMob(site, done.funding_address, done.source_amount);
  await customer.waitForStatus(under.id, "needs_decision");
  await customer.waitForStatus(done.id, "completed");
  const { body: quote } = await customer.call<Quote>("POST", "/api/swap/quotes", {
    source_asset_symbol: "USDT",
    target_asset_symbol: "MOB",
    source_amount: "25",
  });
  await checkAll(page, [
    `/swap/quote/${quote.id}`,
    `/swap/quote/${waiting.quote_id}`,
    `/swap/quote/${under.quote_id}`,
    `/swap/quote/${done.quote_id}`,
    `/swap/quote/${cancelled.quote_id}`,
    "/swap",
    "/swap/mob-to-usdt",
    "/swap/deliveryaddress/",
    "/doger",
  ]);
  await page.goto(`/swap/quote/${waiting.quote_id}`);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await expect(page.getByRole("button", { name: /^Connect .*test wallet/i })).toBeVisible();
  await check(page, "the wallet");
});
