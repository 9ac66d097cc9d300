import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { toOrderNumber } from "~/lib/order-number";
import { waitUntilReady } from "./support/appearances";
import { signUp } from "./support/customers";
import { faucet, getMobWallet, newEthAddress } from "./support/sandbox";
import { expect, test } from "./support/test";

test("finds a swap by its number, keeps the filters in the URL, and exports the swaps found", async ({
  page,
  site,
  openCopy,
}) => {
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const usdt = await customer.lock("USDT", "40", mine);
  const mob = await customer.lock("MOB", "50", mine);
  const rowOf = (order: typeof usdt) => page.getByRole("rowheader", { name: toOrderNumber(order.quote_id) });
  const sum = page.locator("summary", { hasText: "Search and filter" });

  await page.goto("/doger");
  await expect(rowOf(usdt)).toBeVisible();
  await waitUntilReady(page);
  await sum.click();
  await page.getByLabel("Search", { exact: true }).fill(toOrderNumber(mob.quote_id).toLowerCase());
  await page.keyboard.press("Enter");
  await expect(rowOf(usdt)).toHaveCount(0);
  await expect(rowOf(mob)).toBeVisible();
  await expect(page.getByText("1 swap matches.")).toBeAttached();
  await expect(page.getByLabel("Search", { exact: true })).toBeFocused();

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download these as CSV" }).click();
  const [header = [], ...lines] = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  expect(lines.map((cells) => cells[header.indexOf("number")])).toEqual([toOrderNumber(mob.quote_id)]);

  await page.goBack();
  await expect(rowOf(usdt)).toBeVisible();
  await expect(page.getByLabel("Search", { exact: true })).toHaveValue("");

  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto("/doger");
  await plain.locator("summary", { hasText: "Search and filter" }).click();
  await plain.getByLabel("Status").selectOption("Refunded");
  await plain.getByRole("button", { name: "Show matching swaps" }).click();
  await expect(plain.getByRole("heading", { name: "No swaps match" })).toBeVisible();
  await expect(plain.getByLabel("Status")).toHaveValue("refunded");
  await plain.getByLabel("Status").selectOption("Any");
  await plain.getByLabel("Direction").selectOption("From USDT");
  await plain.getByRole("button", { name: "Show matching swaps" }).click();
  await expect(plain.getByRole("rowheader", { name: toOrderNumber(usdt.quote_id) })).toBeVisible();
  await expect(plain.getByRole("rowheader", { name: toOrderNumber(mob.quote_id) })).toHaveCount(0);
  await plain.getByRole("link", { name: "Clear" }).click();
  await expect(plain.getByRole("rowheader", { name: toOrderNumber(mob.quote_id) })).toBeVisible();
});

test("on Back from the price, shows what was sent, on the form and on the calculator", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await customer.addAddress("MOB", (await getMobWallet(site)).address, "Mine");
  const older = await customer.addAddress("ETH", newEthAddress(), "Older");
  const newer = await customer.addAddress("ETH", newEthAddress(), "Newer");
  const goBackFromPrice = async () => {
    await page.getByRole("button", { name: "Get exact price" }).last().click();
    await expect(page.getByRole("heading", { name: "Your price" })).toBeVisible();
    await page.goBack();
  };
  const sent = page.getByLabel("You send", { exact: true });
  const received = page.getByLabel("You receive about", { exact: true });
  const refund = page.getByLabel("If something goes wrong, refund USDT to");

  await page.goto("/swap/usdt-to-mob");
  await waitUntilReady(page);
  await expect(refund).toHaveValue(newer.id);
  await refund.selectOption(older.id);
  await sent.fill("123.45");
  await goBackFromPrice();
  await expect(sent).toHaveValue("123.45");
  await expect(refund).toHaveValue(older.id);
  await received.fill("500");
  await goBackFromPrice();
  await expect(received).toHaveValue("500");
  // If the amount is refused, the page and its URL stay as they are.
  const { href } = new URL(page.url());
  await sent.fill("5");
  await page.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(sent).toBeFocused();
  await expect(page).toHaveURL(href);

  await page.goto("/swap");
  await waitUntilReady(page);
  await sent.fill("67.8");
  await goBackFromPrice();
  await expect(sent).toHaveValue("67.8");
});

test("shows what was typed after a reload, after Back from another page, and beside the help", async ({
  page,
  site,
  openBrowser,
}) => {
  const sent = (on: Page) => on.getByLabel("You send", { exact: true });
  const type = async (on: Page, path: string, amount: string) => {
    await on.goto(path);
    await waitUntilReady(on);
    await sent(on).fill(amount);
    // The caret stays in the field, as on a reload by hand.
    await expect(on).toHaveURL((url) => url.search.includes(amount));
  };
  await signUp(page, site);
  for (const path of ["/swap/usdt-to-mob", "/swap"]) {
    await type(page, path, "777.7");
    await page.reload();
    await expect(sent(page), path).toHaveValue("777.7");
    await waitUntilReady(page);
    await page.getByRole("link", { name: "Activity" }).first().click();
    await expect(page.getByRole("heading", { name: "Activity and account" })).toBeVisible();
    await page.goBack();
    await expect(sent(page), path).toHaveValue("777.7");
    await page.getByRole("link", { name: "Rates" }).first().click();
    await page.waitForURL("**/vegas");
    await page.goBack();
    await expect(sent(page), path).toHaveValue("777.7");
  }

  await type(page, "/swap/usdt-to-mob", "777.7");
  const refund = page.getByLabel("If something goes wrong, refund USDT to");
  await refund.fill("0x1234");
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Why do you need a refund address? (opens in a new tab)" }).click();
  await expect((await opened).getByRole("heading", { level: 1 })).toHaveText("Why do you need a refund address?");
  await expect(refund).toHaveValue("0x1234");
  await expect(sent(page)).toHaveValue("777.7");

  // Addresses are never in a URL.
  await refund.blur();
  await expect(page).not.toHaveURL(/0x/);
  await page.reload();
  await expect(refund).toHaveValue("0x1234");
  await expect(sent(page)).toHaveValue("777.7");
  await waitUntilReady(page);
  await page.getByRole("link", { name: "Activity" }).first().click();
  await expect(page.getByRole("heading", { name: "Activity and account" })).toBeVisible();
  await page.goBack();
  await expect(refund).toHaveValue("0x1234");
  // A refused form replaces what the history entry keeps.
  await sent(page).fill("5");
  await page.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(sent(page)).toBeFocused();
  await waitUntilReady(page);
  await page.reload();
  await expect(refund).toHaveValue("0x1234");

  const visitor = await (await openBrowser()).newPage();
  await type(visitor, "/login", "99.9");
  await visitor.reload();
  await expect(sent(visitor)).toHaveValue("99.9");
  await waitUntilReady(visitor);
  await visitor.getByRole("link", { name: "Rates" }).first().click();
  await visitor.waitForURL("**/vegas");
  await visitor.goBack();
  await expect(sent(visitor)).toHaveValue("99.9");
});

test("downloads the receipt of a completed swap as a PDF", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "35", newEthAddress());
  await faucet(site, order.funding_address, "USDT", "35");
  await customer.waitForStatus(order.id, "completed");
  await page.goto(`/swap/quote/${order.quote_id}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Receipt as PDF" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`antelope-${toOrderNumber(order.quote_id)}.pdf`);
  expect(readFileSync(await file.path(), "latin1")).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
  // The page stays.
  await expect(page).toHaveURL(new RegExp(`/swap/quote/${order.quote_id}`));
  await expect(page.getByRole("link", { name: "Receipt as JSON" })).toBeVisible();
  // Once the session is over, the link leads to sign-in instead of saving that page as a file.
  await page.context().clearCookies({ name: "session" });
  await page.getByRole("link", { name: "Receipt as JSON" }).click();
  await page.waitForURL(/\/login\?redirect=/);
});
