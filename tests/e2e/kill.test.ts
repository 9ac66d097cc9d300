import type { Order } from "~/api/contract";
import { parseAmount } from "~/lib/money";
import { type Customer, signUp } from "./support/customers";
import { faucet, findToken, getMobWallet, getUsdtBalance, newEthAddress, payMob } from "./support/sandbox";
import type { Site } from "./support/site";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

// Kills the built server with `kill -9` during a payout. tests/integration/kill covers every step between
// storing and sending a payment; here the whole site is involved.

/** Blocks that are slow enough for a payout to take seconds, in which the site can be killed. */
test.use({ siteEnv: { SANDBOX_MOBILECOIN_BLOCK_MS: "3000", SANDBOX_ETHEREUM_BLOCK_MS: "1000" } });

test.beforeEach(({ pageErrors }) => {
  // Requests fail while the server is down, including the one for the service worker's script.
  pageErrors.expect(/ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)|50[0-9]|error occurred when fetching the script/);
});

/** Kills the site while it pays the order out, and starts it again. Resolves with the completed order. */
async function killDuringPayout(customer: Customer, site: Site, id: string): Promise<Order> {
  await customer.waitForStatus(id, "paying_out");
  await site.kill();
  const killedAt = Date.now();
  await site.boot();
  expect(site.listAnvils()).toHaveLength(1);
  const done = await customer.waitForStatus(id, "completed");
  expect(Date.parse(done.finished_at ?? ""), "completed only after the kill").toBeGreaterThan(killedAt);
  return done;
}

test("T46 T47 pays MOB exactly once when the server is killed during the payout", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "77", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await faucet(site, order.funding_address, "USDT", "77");
  const done = await killDuringPayout(customer, site, order.id);
  const amount = parseAmount(order.target_amount, "MOB");
  const { received } = await getMobWallet(site);
  expect(received.filter((tx) => parseAmount(tx.amount, "MOB") === amount)).toHaveLength(1);
  expect(done.outgoing_txs).toHaveLength(1);
  // The page stayed open, reconnects and updates.
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 30_000 });
});

test("T46 pays USDT exactly once when the server is killed during the payout", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const order = await customer.lock("MOB", "300", mine);
  await page.goto(`/swap/quote/${order.quote_id}`);
  await payMob(site, order.funding_address, order.source_amount);
  const done = await killDuringPayout(customer, site, order.id);
  expect(done.outgoing_txs).toHaveLength(1);
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount(order.target_amount, "USDT"));
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 30_000 });
});
