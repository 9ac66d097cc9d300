import { expect, type Page } from "@playwright/test";
import type { Order } from "../../../../app/api/contract";
import type { AssetSymbol } from "../../../../app/lib/assets";
import { untilReady } from "../looks";
import { arrive, type Customer } from "../people";
import { faucet, getMobWallet, newEthAddress, payMob } from "../sandbox";
import { heading } from "../swap-screens";
import { defineRoom, type Stage } from "./room";

export const open = (page: Page, { quote_id }: Order) => page.goto(`/swap/quote/${quote_id}`);

const unfold = (page: Page, summary: string) => page.locator("summary", { hasText: summary }).click();

/**
 * A browser of its own that stands still at a moment of the page's clock, so that what counts
 * down is the same in every picture. It shares the visitor's session.
 */
async function standAt(world: OffersWorld, path: string, moment: string, offsetMs: number): Promise<void> {
  const { page } = await world.stage.open({ storageState: await world.home.context().storageState() });
  await page.goto(path);
  await untilReady(page);
  // An answer would bring the server's own time.
  await page.route("**/*.data*", () => undefined);
  await page.clock.setFixedTime(Date.parse(moment) + offsetMs);
  world.page = page;
}

type OffersWorld = { page: Page; home: Page; customer: Customer; stage: Stage };

/** A price, and the order that is made of it while nothing was paid yet. */
export const offers = defineRoom({
  name: "offers",
  troubles: [/40[04]/],
  async enter(stage): Promise<OffersWorld> {
    const { page } = await stage.open();
    return { page, home: page, customer: await arrive(page, stage.site), stage };
  },
  scenes: {
    "offer-no-address": async ({ page, customer }) => {
      await page.goto(`/swap/quote/${(await customer.ask("USDT", "250")).id}`);
    },
    "offer-address-missing": async ({ page }) => {
      await page.getByRole("button", { name: "Lock this price" }).last().click();
      await expect(page.getByText("An address is missing. The price still holds.")).toBeVisible();
    },
    offer: async (world) => {
      const { customer, stage } = world;
      await customer.addAddress("MOB", (await getMobWallet(stage.site)).address, "My Signal");
      await customer.addAddress("ETH", newEthAddress(), "Cold wallet");
      const quote = await customer.ask("USDT", "250");
      await standAt(world, `/swap/quote/${quote.id}`, quote.created_at, 2_600);
    },
    "offer-mob": async (world) => {
      for (const name of ["Savings", "Shop", "Phone"]) await world.customer.addAddress("ETH", newEthAddress(), name);
      const quote = await world.customer.ask("MOB", "1234.567890123456");
      await standAt(world, `/swap/quote/${quote.id}`, quote.created_at, 2_600);
      await unfold(world.page, "1 more");
    },
    "offer-long": async (world) => {
      const quote = await world.customer.ask("USDT", "9999.999999");
      await standAt(world, `/swap/quote/${quote.id}`, quote.created_at, 2_600);
    },
    "order-to-pay-long": async (world) => {
      const order = await world.customer.lock("USDT", "9999.999999", newEthAddress());
      await standAt(world, `/swap/quote/${order.quote_id}`, order.created_at, 65_000);
      await expect(heading(world.page, /^Send exactly/)).toBeVisible();
    },
    "offer-last-seconds": async (world) => {
      const quote = await world.customer.ask("USDT", "99.99");
      await standAt(world, `/swap/quote/${quote.id}`, quote.expires_at, -6_600);
      await expect(world.page.getByText(/holds for [678] seconds/)).toBeVisible();
    },
    "offer-over": async (world) => {
      const quote = await world.customer.ask("USDT", "40");
      await standAt(world, `/swap/quote/${quote.id}`, quote.expires_at, 5_000);
      await expect(world.page.getByRole("heading", { name: "That was your price" })).toBeVisible();
    },
    "order-to-pay-usdt": async (world) => {
      const order = await world.customer.lock("USDT", "1234.56", newEthAddress());
      await standAt(world, `/swap/quote/${order.quote_id}`, order.created_at, 65_000);
      await expect(heading(world.page, /^Send exactly/)).toBeVisible();
    },
    "order-unfolded": async ({ page }) => {
      for (const summary of await page.locator("main summary").all()) await summary.click();
    },
    "order-to-pay-mob": async (world) => {
      const order = await world.customer.lock("MOB", "432.1", newEthAddress());
      await standAt(world, `/swap/quote/${order.quote_id}`, order.created_at, 65_000);
    },
    "order-time-over": async (world) => {
      const order = await world.customer.lock("USDT", "77", newEthAddress());
      await standAt(world, `/swap/quote/${order.quote_id}`, order.expires_at, 30_000);
      await expect(world.page.getByRole("heading", { name: "Please send nothing now" })).toBeVisible();
    },
    "order-cancelled": async (world) => {
      world.page = world.home;
      const order = await world.customer.newestOrder();
      await world.customer.call("POST", `/api/swap/swaps/${order.id}/cancel`);
      await open(world.page, order);
      await expect(heading(world.page, /^This swap was cancelled$/)).toBeVisible();
    },
    "quote-not-found": ({ page }) => page.goto("/swap/quote/987654321"),
    "quote-invalid": ({ page }) => page.goto("/swap/quote/1?id=2"),
    "quote-invalid-shown": async ({ page }) => {
      await page.getByRole("button", { name: "Show Error" }).click();
      await expect(page.getByText("Invalid quote")).toBeVisible();
    },
  },
});

/** Everything that may become of money that was sent in time. Made at once, looked at one after the other. */
export const orders = defineRoom({
  name: "orders",
  env: { MAX_WAITING_ORDERS: "50" },
  async enter(stage) {
    const visitor = await stage.open();
    const customer = await arrive(visitor.page, stage.site);
    const { site } = stage;
    const mine = newEthAddress();
    const lock = (source: AssetSymbol, amount: string) => customer.lock(source, amount, mine);
    const under = await lock("USDT", "100");
    const less = await lock("USDT", "80");
    const over = await lock("USDT", "50");
    const back = await lock("USDT", "70");
    const done = await lock("MOB", "300");
    const held = await lock("USDT", "90");
    await Promise.all([
      faucet(site, under.funding_address, "USDT", "60"),
      faucet(site, less.funding_address, "USDT", "4"),
      faucet(site, over.funding_address, "USDT", "75"),
      faucet(site, back.funding_address, "USDT", "33.3"),
      faucet(site, held.funding_address, "USDT", "90"),
      payMob(site, done.funding_address, done.source_amount),
    ]);
    await customer.waitForStatus(back.id, "needs_decision");
    await customer.call("POST", `/api/swap/swaps/${back.id}/decision`, { choice: "refund" });
    await lock("MOB", "500");
    await customer.ask("USDT", "444");
    return { ...visitor, customer, under, less, over, back, done, held };
  },
  scenes: {
    "swap-going-on": ({ page }) => page.goto("/swap"),
    "order-underpaid": async ({ page, customer, under }) => {
      await customer.waitForStatus(under.id, "needs_decision");
      await open(page, under);
      await unfold(page, "Or send the missing");
    },
    "order-below-minimum": async ({ page, customer, less }) => {
      await customer.waitForStatus(less.id, "needs_decision");
      await open(page, less);
    },
    "order-completed": async ({ page, customer, done }) => {
      await customer.waitForStatus(done.id, "completed");
      await open(page, done);
    },
    "order-completed-to-mob": async ({ page, customer, held }) => {
      await customer.waitForStatus(held.id, "completed");
      await open(page, held);
    },
    "order-overpaid": async ({ page, customer, over }) => {
      await customer.waitForStatus(over.id, "completed");
      await open(page, over);
      await expect(page.getByText("Back to you", { exact: true })).toBeVisible();
    },
    "order-refunded": async ({ page, customer, back }) => {
      await customer.waitForStatus(back.id, "refunded");
      await open(page, back);
    },
    "receipt-on-paper": async ({ page, done }) => {
      await open(page, done);
      await page.emulateMedia({ media: "print" });
    },
    tally: async ({ page }) => {
      await page.emulateMedia({ media: "screen" });
      await page.goto("/doger");
    },
    "tally-rename-refused": async ({ page }) => {
      await unfold(page, "Rename or remove");
      await page.getByLabel("Name", { exact: true }).evaluate((field) => field.removeAttribute("required"));
      await page.getByLabel("Name", { exact: true }).fill("");
      await page.getByRole("button", { name: "Save the name" }).click();
      await expect(page.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
    },
  },
});
