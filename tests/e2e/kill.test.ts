import { parseAmount } from "../../app/lib/money";
import { arrive } from "./support/people";
import { faucet, findToken, getMobWallet, getUsdtBalance, newEthAddress, payMob } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

/**
 * kill -9 of the built server the moment a payout is being made. What lies between "stored"
 * and "sent" is tried line by line in tests/integration/kill; here it is the whole site.
 */
test.use({ siteEnv: { LOG_LEVEL: "warn" } });

test.beforeEach(({ troubles }) => {
  // While the server is away its events and its pages are out of reach.
  troubles.expect(/ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)|50[0-9]/);
});

test("T46 T47 USDT to MOB: killed while it pays out, started again, paid exactly once", async ({ page, site }) => {
  const customer = await arrive(page, site);
  const order = await customer.lock("USDT", "77", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await faucet(site, order.funding_address, "USDT", "77");
  await customer.waitForStatus(order.id, "paying_out");
  await site.kill();
  await site.boot();
  expect(site.listAnvils()).toHaveLength(1);

  const done = await customer.waitForStatus(order.id, "completed");
  const amount = parseAmount(order.target_amount, "MOB");
  const { received } = await getMobWallet(site);
  expect(received.filter((tx) => parseAmount(tx.amount, "MOB") === amount)).toHaveLength(1);
  expect(done.outgoing_txs).toHaveLength(1);
  // The page that was open all the time finds its way back by itself.
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 30_000 });
});

test("T46 MOB to USDT: killed while it pays out, started again, paid exactly once", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await arrive(page, site);
  const mine = newEthAddress();
  const order = await customer.lock("MOB", "300", mine);
  await page.goto(`/swap/quote/${order.quote_id}`);
  await payMob(site, order.funding_address, order.source_amount);
  await customer.waitForStatus(order.id, "paying_out");
  await site.kill();
  await site.boot();
  expect(site.listAnvils()).toHaveLength(1);

  const done = await customer.waitForStatus(order.id, "completed");
  expect(done.outgoing_txs).toHaveLength(1);
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount(order.target_amount, "USDT"));
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 30_000 });
});
