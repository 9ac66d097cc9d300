import type { Order } from "~/api/contract";
import { parseAmount } from "~/lib/money";
import { signUp } from "./support/customers";
import { faucet, findToken, getMobWallet, getUsdtBalance, newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

/** The outgoing payments of an order. */
const toPayments = ({ outgoing_txs }: Order) => outgoing_txs.map(({ purpose, amount }) => [purpose, Number(amount)]);

test("T53 swaps an accepted underpayment at the locked rate", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "100", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await faucet(site, order.funding_address, "USDT", "60");
  await expect(heading(page, /^40\.00\sUSDT is still missing$/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: /^Swap 60\.00\sUSDT at the locked price$/ }).click();
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 45_000 });
  const done = await customer.waitForStatus(order.id, "completed");
  expect(done.exchange_rate).toBe(order.exchange_rate);
  expect(parseAmount(done.source_amount, "USDT")).toBe(parseAmount("60", "USDT"));
  expect(toPayments(done)).toEqual([["payout", Number(done.target_amount)]]);
  const received = (await getMobWallet(site)).received.map(({ amount }) => parseAmount(amount, "MOB"));
  expect(received).toContain(parseAmount(done.target_amount, "MOB"));
});

test("T53 T54 refunds an underpayment in full to the refund address", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const order = await customer.lock("USDT", "100", mine);
  await page.goto(`/swap/quote/${order.quote_id}`);
  await faucet(site, order.funding_address, "USDT", "60");
  await page.getByRole("button", { name: /^Send 60\.00\sUSDT back to me$/ }).click({ timeout: 30_000 });
  await expect(heading(page, /^Your USDT has been refunded$/)).toBeVisible({ timeout: 45_000 });
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount("60", "USDT"));
  expect(toPayments(await customer.getOrder(order.id))).toEqual([["refund", 60]]);
});

test("T53 refunds a payment to a completed order automatically", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const order = await customer.lock("USDT", "50", mine);
  await faucet(site, order.funding_address, "USDT", "50");
  await customer.waitForStatus(order.id, "completed");
  await faucet(site, order.funding_address, "USDT", "12.5");
  await expect.poll(() => getUsdtBalance(site, token, mine), { timeout: 45_000 }).toBe(parseAmount("12.5", "USDT"));
  await page.goto(`/swap/quote/${order.quote_id}`);
  await expect(page.getByRole("region", { name: "Payments" }).getByText("Refund", { exact: true })).toBeVisible();
  const after = await customer.getOrder(order.id);
  expect(after.status).toBe("completed");
  expect(toPayments(after)).toEqual([
    ["payout", Number(order.target_amount)],
    ["refund", 12.5],
  ]);
});
