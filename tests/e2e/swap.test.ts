import { parseAmount } from "~/lib/money";
import { Customer, createPasskey, newEmail, readToken, signUp } from "./support/customers";
import { findToken, getMobWallet, getUsdtBalance, newEthAddress, payMob, readCode } from "./support/sandbox";
import { addMissingAddresses, collectTexts, getAndLockPrice, heading, payWithTestWallet } from "./support/swap-screens";
import { expect, test } from "./support/test";

test.describe("with slow blocks, so that the page shows each confirmation", () => {
  test.use({ siteEnv: { SANDBOX_ETHEREUM_BLOCK_MS: "3000" } });

  test("S01 S02 S03 R08 registers, verifies and swaps USDT to MOB, paid with the test wallet", async ({
    page,
    site,
  }) => {
    const email = newEmail("new");
    await page.goto("/");
    await page.waitForURL("**/login?redirect=%2Fswap");
    await page.getByRole("link", { name: "Create an account with a passkey" }).click();
    await page.waitForURL("**/register?redirect=%2Fswap");
    await createPasskey(page, email);
    // S03: an account younger than a minute sees the welcome pages first.
    await page.waitForURL("**/welcome/1");

    await page.goto("/swap/usdt-to-mob?amount=123.45");
    await page.waitForURL("**/kyc?redirect=*");
    // The code was sent on registering, because this visitor came for a swap.
    const code = page.getByLabel("Code from the e-mail");
    await expect(code).toBeVisible();
    await code.fill(await readCode(site, email));
    await page.getByRole("button", { name: "Continue" }).click();

    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Lovelace");
    await page.getByLabel("Date of birth").fill("1990-04-30");
    await page.getByLabel("Country that issued the document").selectOption("GB");
    await page.getByLabel("Document", { exact: true }).selectOption("passport");
    await page.getByLabel("Document number").fill("AB 1234567");
    await page.getByRole("button", { name: "Send for verification" }).click();
    const swapForm = page.getByLabel("You send", { exact: true });
    await expect(page.getByText("We're reviewing your details").or(swapForm)).toBeVisible();
    // The page notices the approval and returns to the requested page.
    await page.waitForURL("**/swap/usdt-to-mob?amount=123.45");

    await expect(page.getByLabel("You send", { exact: true })).toHaveValue("123.45");
    await addMissingAddresses(page, "MOB", newEthAddress());
    const before = await getMobWallet(site);
    await getAndLockPrice(page);

    const customer = new Customer(site, email, await readToken(page));
    const { id, target_amount, funding_address } = await customer.newestOrder();
    const shown = await page
      .getByRole("group", { name: "To this address, on Ethereum only" })
      .locator("code")
      .textContent();
    expect(shown).toBe(funding_address);

    const counted = await collectTexts(page, /[0-9] of 3 confirmations/);
    const icon = page.locator('link[rel="icon"][type="image/svg+xml"]');
    await expect(icon).toHaveAttribute("href", /^data:image\/svg\+xml,/);
    const waiting = (await icon.getAttribute("href")) ?? "";
    await payWithTestWallet(page);
    await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 45_000 });
    expect((await counted()).length).toBeGreaterThanOrEqual(2);
    await expect(page).toHaveTitle("Done · Antelope");
    await expect(icon).toHaveAttribute("href", /%2333603a/);
    expect(await icon.getAttribute("href")).not.toBe(waiting);
    // The page's policy allows the icon.
    expect(await page.evaluate(drawnWidth, waiting)).toBe(64);
    await expect(page.getByText("Done", { exact: true })).toBeVisible();

    const after = await getMobWallet(site);
    const order = await customer.getOrder(id);
    const payout = order.outgoing_txs.find(({ purpose }) => purpose === "payout");
    expect(payout?.amount).toBe(target_amount);
    const arrived = after.received.filter(({ hash }) => !before.received.some((known) => known.hash === hash));
    expect(arrived.map(({ amount }) => parseAmount(amount, "MOB"))).toEqual([parseAmount(target_amount, "MOB")]);
    await expect(page.getByText(payout?.hash ?? "no hash")).toBeVisible();

    await page.getByRole("button", { name: "Swap again" }).click();
    await page.waitForURL("**/swap/quote/*?*source_amount=123.45*");
    await expect(icon).toHaveAttribute("href", "/favicon.svg");
  });
});

/** Runs in the page: the width of an image, or 0 if it was not loaded. */
async function drawnWidth(source: string): Promise<number> {
  const image = new Image(64, 64);
  image.src = source;
  await image.decode();
  return image.naturalWidth === 0 ? 0 : image.width;
}

test("swaps MOB to USDT and pays out exactly the locked amount", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  await page.goto("/swap/mob-to-usdt");
  await page.getByLabel("You send", { exact: true }).fill("400");
  await addMissingAddresses(page, "USDT", mine);
  await getAndLockPrice(page);
  const { id, funding_address, source_amount, target_amount } = await customer.newestOrder();
  expect(parseAmount(source_amount, "MOB")).toBe(parseAmount("400", "MOB"));
  await payMob(site, funding_address, source_amount);
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 45_000 });
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount(target_amount, "USDT"));
  expect((await customer.getOrder(id)).status).toBe("completed");
});

test("pays with the form on the sandbox page and returns to the order", async ({ page, site }) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const { id, quote_id, target_amount } = await customer.lock("MOB", "350", mine);
  await page.goto(`/swap/quote/${quote_id}`);
  await page.getByRole("link", { name: "Pay from the sandbox" }).click();
  await page.waitForURL("**/sandbox?*");
  await page.getByRole("button", { name: "Pay from this wallet" }).click();
  await expect(page.getByText(/paid and confirmed/)).toBeVisible();
  await page.getByRole("link", { name: "Back to where you were" }).first().click();
  await page.waitForURL("**/swap/quote/**");
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 45_000 });
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount(target_amount, "USDT"));
  expect((await customer.getOrder(id)).status).toBe("completed");
});
