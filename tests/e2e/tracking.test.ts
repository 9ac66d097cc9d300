import { signUp } from "./support/customers";
import { faucet, newEthAddress } from "./support/sandbox";
import { expect, test } from "./support/test";

test("T74 T75 a tracking link shows a signed-out visitor the swap, and stops when it is turned off", async ({
  page,
  site,
  openBrowser,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "45", newEthAddress());
  const panel = page.locator("summary", { hasText: "Share a link to follow this swap" });
  await page.goto(`/swap/quote/${order.quote_id}`);
  await panel.click();
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = page.getByRole("group", { name: "Link to follow this swap" });
  await expect(link).toContainText(`${site.origin}/track/`);
  const url = /https?:\/\/\S+?\/track\/[A-Za-z0-9_-]{43}/.exec((await link.textContent()) ?? "")?.[0] ?? "";

  const visitor = await (await openBrowser()).newPage();
  const response = await visitor.goto(url);
  expect(response?.status()).toBe(200);
  const headers = response?.headers() ?? {};
  expect([headers["cache-control"], headers["referrer-policy"], headers["x-robots-tag"]]).toEqual([
    "private, no-store",
    "no-referrer",
    "noindex, nofollow",
  ]);
  await expect(visitor.getByRole("heading", { level: 1, name: "Waiting for the payment" })).toBeVisible();
  await faucet(site, order.funding_address, "USDT", "45");
  await customer.waitForStatus(order.id, "completed");
  // The page fetches itself again.
  await expect(visitor.getByRole("heading", { level: 1, name: "The swap is complete" })).toBeVisible({
    timeout: 45_000,
  });
  // The page would show an address in groups, each in its own element, so its text is checked as well.
  const text = (await visitor.locator("body").textContent()) ?? "";
  const shown = (await visitor.content()) + text.replaceAll(/\s/g, "");
  const { delivery_address, refund_address, funding_address, incoming_txs } = await customer.getOrder(order.id);
  for (const secret of [delivery_address, refund_address, funding_address, customer.email, order.id]) {
    expect(shown).not.toContain(secret);
  }
  expect(shown).not.toContain(incoming_txs[0]?.hash ?? "");

  await page.reload();
  await panel.click();
  await expect(page.getByText("We can't show it again. A new link replaces it.")).toBeVisible();
  await page.getByRole("button", { name: "Turn off the link" }).click();
  await expect(page.getByRole("button", { name: "Create a link" })).toBeAttached();
  expect((await visitor.goto(url))?.status()).toBe(404);
  await expect(visitor.getByRole("heading", { level: 1, name: "This link doesn't work" })).toBeVisible();
});
