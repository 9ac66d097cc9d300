import { expect, type Page } from "@playwright/test";
import type { Order } from "~/api/contract";
import type { AssetSymbol } from "~/lib/assets";
import { toQuotePath } from "~/lib/quote-path";
import { waitUntilReady } from "../appearances";
import { type Customer, signUp } from "../customers";
import { faucet, getMobWallet, newEthAddress, payMob } from "../sandbox";
import { heading } from "../swap-screens";
import { defineScenes, type Stage } from "./scene-group";

export const open = (page: Page, { quote_id }: Order) => page.goto(`/swap/quote/${quote_id}`);

const expand = (page: Page, summary: string) => page.locator("summary", { hasText: summary }).click();

/**
 * Opens the path with a stopped clock, so that countdowns are the same in every picture: in a second browser with the
 * visitor's session, because a browser's clock stays stopped.
 */
async function openAtTime(
  state: QuotesState,
  path: string,
  time: string,
  offsetMs: number,
  { isOffline = false } = {},
): Promise<void> {
  state.stopped ??= await openCopy(state);
  const page = state.stopped;
  const context = page.context();
  await context.setOffline(false);
  await page.unroute(dataRequests);
  // The page compares its clock with the server's.
  await page.clock.setFixedTime(Date.now());
  await page.goto(path);
  await waitUntilReady(page);
  // A response would set the clock to the server's time.
  await page.route(dataRequests, () => undefined);
  await context.setOffline(isOffline);
  await page.clock.setFixedTime(Date.parse(time) + offsetMs);
  state.page = page;
}

const dataRequests = "**/*.data*";

async function openCopy({ stage, home }: QuotesState): Promise<Page> {
  const { page } = await stage.open({ storageState: await home.context().storageState() });
  return page;
}

type QuotesState = { page: Page; home: Page; stopped?: Page; customer: Customer; stage: Stage };

/** Quotes, and orders that are not paid yet. */
export const quotes = defineScenes({
  name: "quotes",
  pageErrors: [/40[04]/],
  async prepare(stage): Promise<QuotesState> {
    const { page } = await stage.open();
    return { page, home: page, customer: await signUp(page, stage.site), stage };
  },
  scenes: {
    "quote-no-address": async ({ page, customer }) => {
      await page.goto(`/swap/quote/${(await customer.createQuote("USDT", "250")).id}`);
    },
    "quote-address-missing": async ({ page }) => {
      await page.getByRole("button", { name: "Lock this price" }).last().click();
      await expect(page.getByText("An address is missing. The price is still valid.")).toBeVisible();
    },
    quote: async (state) => {
      const { customer, stage } = state;
      await customer.addAddress("MOB", (await getMobWallet(stage.site)).address, "My Signal");
      await customer.addAddress("ETH", newEthAddress(), "Cold wallet");
      const quote = await customer.createQuote("USDT", "250");
      await openAtTime(state, `/swap/quote/${quote.id}`, quote.created_at, 2_600);
    },
    "quote-mob": async (state) => {
      for (const name of ["Savings", "Shop", "Phone"]) await state.customer.addAddress("ETH", newEthAddress(), name);
      const quote = await state.customer.createQuote("MOB", "1234.567890123456");
      await openAtTime(state, `/swap/quote/${quote.id}`, quote.created_at, 2_600);
      await expand(state.page, "1 more");
    },
    "quote-long": async (state) => {
      const quote = await state.customer.createQuote("USDT", "9999.999999");
      await openAtTime(state, `/swap/quote/${quote.id}`, quote.created_at, 2_600);
    },
    "order-to-pay-long": async (state) => {
      const order = await state.customer.lock("USDT", "9999.999999", newEthAddress());
      await openAtTime(state, `/swap/quote/${order.quote_id}`, order.created_at, 65_000);
      await expect(heading(state.page, /^Send exactly/)).toBeVisible();
    },
    "quote-last-seconds": async (state) => {
      const quote = await state.customer.createQuote("USDT", "99.99");
      await openAtTime(state, `/swap/quote/${quote.id}`, quote.expires_at, -6_600);
      // A slow response makes the page's clock differ. The last ten seconds look alike.
      await expect(state.page.getByText(/valid for (?:[1-9]|10) seconds?/)).toBeVisible();
    },
    "quote-expired": async (state) => {
      const quote = await state.customer.createQuote("USDT", "40");
      // Without a network, the page does not renew the price automatically.
      await openAtTime(state, `/swap/quote/${quote.id}`, quote.expires_at, 5_000, { isOffline: true });
      await expect(state.page.getByRole("button", { name: "Get a new price" })).toBeVisible();
    },
    "quote-renewed": async (state) => {
      const old = await state.customer.createQuote("USDT", "40");
      const quote = await state.customer.createQuote("USDT", "40");
      await openAtTime(state, toQuotePath(quote, { renews: old.id }), quote.created_at, 2_600);
      await expect(state.page.getByText("The price has been updated").first()).toBeVisible();
    },
    "order-to-pay-usdt": async (state) => {
      // The long order reserves nearly all that an account's unpaid swaps may.
      const unpaid = await state.customer.newestOrder();
      await state.customer.api.cancelOrder(unpaid.id);
      const order = await state.customer.lock("USDT", "1234.56", newEthAddress());
      await openAtTime(state, `/swap/quote/${order.quote_id}`, order.created_at, 65_000);
      await expect(heading(state.page, /^Send exactly/)).toBeVisible();
    },
    "order-details-open": async ({ page }) => {
      for (const summary of await page.locator("main summary:visible").all()) await summary.click();
    },
    "order-to-pay-mob": async (state) => {
      const order = await state.customer.lock("MOB", "432.1", newEthAddress());
      await openAtTime(state, `/swap/quote/${order.quote_id}`, order.created_at, 65_000);
    },
    "order-code-on-phone": async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await expand(page, "Show QR code");
      await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    },
    "order-grace-period": async (state) => {
      const order = await state.customer.lock("USDT", "77", newEthAddress());
      await openAtTime(state, `/swap/quote/${order.quote_id}`, order.expires_at, 30_000);
      await expect(state.page.getByRole("heading", { name: "Please don't send anything now" })).toBeVisible();
    },
    "order-cancelled": async (state) => {
      state.page = state.home;
      const order = await state.customer.newestOrder();
      await state.customer.api.cancelOrder(order.id);
      await open(state.page, order);
      await expect(heading(state.page, /^This swap was cancelled$/)).toBeVisible();
    },
    "quote-not-found": ({ page }) => page.goto("/swap/quote/987654321"),
    "quote-invalid": ({ page }) => page.goto("/swap/quote/1?id=2"),
    "quote-invalid-details": async ({ page }) => {
      await page.getByRole("button", { name: "Show Error" }).click();
      await expect(page.getByText("Invalid quote")).toBeVisible();
    },
  },
});

/** Every result of a payment in time. The orders are created together and shown one after the other. */
export const orders = defineScenes({
  name: "orders",
  async prepare(stage) {
    const visitor = await stage.open();
    const customer = await signUp(visitor.page, stage.site);
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
    await customer.api.decideOrder(back.id, { choice: "refund" });
    await lock("MOB", "500");
    await customer.createQuote("USDT", "444");
    return { ...visitor, customer, under, less, over, back, done, held };
  },
  scenes: {
    "swap-in-progress": ({ page }) => page.goto("/swap"),
    "order-underpaid": async ({ page, customer, under }) => {
      await customer.waitForStatus(under.id, "needs_decision");
      await open(page, under);
      await expand(page, "Or send the missing");
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
      await expect(page.getByText("Refund", { exact: true })).toBeVisible();
    },
    "order-refunded": async ({ page, customer, back }) => {
      await customer.waitForStatus(back.id, "refunded");
      await open(page, back);
    },
    "order-link": async ({ page, done }) => {
      await open(page, done);
      await expand(page, "Share a link to follow this swap");
      await page.getByRole("button", { name: "Create a link" }).click();
      await expect(page.getByRole("group", { name: "Link to follow this swap" })).toBeVisible();
    },
    track: async ({ page }) => {
      const link = await page.getByRole("group", { name: "Link to follow this swap" }).textContent();
      await page.goto(/\/track\/[A-Za-z0-9_-]{43}/.exec(link ?? "")?.[0] ?? "");
      await expect(heading(page, /^The swap is complete$/)).toBeVisible();
    },
    "receipt-print": async ({ page, done }) => {
      await open(page, done);
      await page.emulateMedia({ media: "print" });
      // Leaves out what is only for the screen: as an empty group, it would leave a gap.
      await expect(page.getByRole("group", { name: /delivered$/, includeHidden: true })).toHaveCSS("display", "none");
    },
    activity: async ({ page }) => {
      await page.goto("/doger");
      await page.emulateMedia({ media: "print" });
      // On paper, a page break is never inside a row.
      await expect(page.getByRole("row").last()).toHaveCSS("break-inside", "avoid");
      await page.emulateMedia({ media: "screen" });
    },
    "account-data-confirm": ({ page }) => page.goto("/doger?data=confirm#your-data"),
    "account-data-recovered": ({ page }) => page.goto("/doger?data=recovered#your-data"),
    "account-data-later": ({ page }) => page.goto("/doger?data=later#your-data"),
    "activity-filtered": ({ page }) => page.goto("/doger?state=completed&direction=usdt-to-mob"),
    "activity-nothing-matches": async ({ page }) => {
      await page.goto("/doger?q=abc&state=refunded&direction=mob-to-usdt&since=2026-02-01&until=2026-01-31");
      await expect(page.getByRole("heading", { name: "Check your search" })).toBeVisible();
    },
    "account-mails-saved": async ({ page }) => {
      await page.goto("/doger");
      const mails = page.getByRole("region", { name: "E-mails" });
      await mails.getByLabel("we see the first payment for a swap").uncheck();
      await mails.getByRole("button", { name: "Save" }).click();
      await expect(mails.getByText("Saved.")).toBeVisible();
    },
    "account-delete-refused": ({ page }) => page.goto("/doger/delete"),
    "account-rename-refused": async ({ page }) => {
      await page.goto("/doger");
      await expand(page, "Rename or remove");
      await page.getByLabel("Name", { exact: true }).evaluate((field) => field.removeAttribute("required"));
      await page.getByLabel("Name", { exact: true }).fill("");
      await page.getByRole("button", { name: "Save name" }).click();
      await expect(page.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
    },
  },
});
