import { parseAmount } from "~/lib/money";
import { signUp } from "./support/customers";
import { faucet, findToken, getUsdtBalance, newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

/** Two seconds to pay, so that every later payment is late. */
test.use({ siteEnv: { LOCK_TTL_MS: "2000", GRACE_MS: "500" } });

test("T53 swaps a late payment at a new price", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "100", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await expect(heading(page, /^The time to pay has ended$/)).toBeVisible({ timeout: 30_000 });
  await faucet(site, order.funding_address, "USDT", "100");
  await expect(heading(page, /^Your USDT arrived too late$/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: /^Swap for .+ at the new price$/ }).click();
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 45_000 });
  const done = await customer.waitForStatus(order.id, "completed");
  expect(parseAmount(done.source_amount, "USDT")).toBe(parseAmount("100", "USDT"));
  expect(done.outgoing_txs.map(({ purpose, amount }) => [purpose, amount])).toEqual([["payout", done.target_amount]]);
});

test("T53 swaps a late payment at a new price without JavaScript", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "70", newEthAddress());
  await customer.waitForStatus(order.id, "expired");
  await faucet(site, order.funding_address, "USDT", "70");
  await customer.waitForStatus(order.id, "needs_decision");
  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto(`/swap/quote/${order.quote_id}`);
  const swap = plain.getByRole("button", { name: /^Swap for .+ at the new price$/ });
  // A click in the first second may have been meant for the page before it was refreshed.
  const readTargets = (button: Element) =>
    button.getAnimations().flatMap((animation) => {
      animation.currentTime = 0;
      const before = getComputedStyle(button).pointerEvents;
      animation.finish();
      return [before, getComputedStyle(button).pointerEvents];
    });
  expect(await swap.evaluate(readTargets)).toEqual(["none", "auto"]);
  await swap.click();
  // The page refreshes itself every 15 s.
  await expect(heading(plain, /delivered$/)).toBeVisible({ timeout: 45_000 });
  expect((await customer.getOrder(order.id)).status).toBe("completed");
});

test("T53 refunds a late payment", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const order = await customer.lock("USDT", "80", mine);
  await customer.waitForStatus(order.id, "expired");
  await faucet(site, order.funding_address, "USDT", "80");
  await customer.waitForStatus(order.id, "needs_decision");
  await page.goto(`/swap/quote/${order.quote_id}`);
  await page.getByRole("button", { name: /^Send 80\.00\sUSDT back to me$/ }).click();
  await expect(heading(page, /^Your USDT has been refunded$/)).toBeVisible({ timeout: 45_000 });
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount("80", "USDT"));
});
