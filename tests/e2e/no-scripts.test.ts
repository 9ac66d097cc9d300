import { parseAmount } from "~/lib/money";
import { newEmail, signUp } from "./support/customers";
import { findToken, getUsdtBalance, newEthAddress, readCode } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

test("completes a swap without JavaScript: forms post, and the order page refreshes", async ({
  page,
  site,
  openCopy,
}) => {
  const token = await findToken(site);
  const customer = await signUp(page, site);
  const mine = newEthAddress();
  const plain = await openCopy({ javaScriptEnabled: false });

  await plain.goto("/swap");
  await plain.getByRole("link", { name: "Switch direction" }).click();
  await plain.getByLabel("You send", { exact: true }).fill("320");
  await plain.getByRole("button", { name: "Continue" }).click();
  await plain.waitForURL("**/swap/mob-to-usdt?amount=320");
  // The sandbox's MobileCoin wallet provides the refund address.
  const wallet = (await (await fetch(`${site.origin}/sandbox/mobilecoin/wallet`)).json()) as { address: string };
  await plain.getByLabel("If something goes wrong, refund MOB to").fill(wallet.address);
  // An address is missing: the form comes back with what was entered.
  await plain.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(plain.getByLabel("Where your USDT goes")).toHaveAttribute("aria-invalid", "true");
  await expect(plain.getByLabel("You send", { exact: true })).toHaveValue("320");
  await plain.getByLabel("Where your USDT goes").fill(mine);
  await plain.getByRole("button", { name: "Get exact price" }).last().click();
  // The price and what follows stand side by side, as with JavaScript.
  const price = await plain.getByText("This price is valid for").boundingBox();
  const next = await plain.getByRole("heading", { name: "What happens next" }).boundingBox();
  expect(next?.x).toBeGreaterThan((price?.x ?? Number.NaN) + (price?.width ?? Number.NaN));
  expect(next?.y).toBeLessThan(price?.y ?? Number.NaN);
  // Going back to change the amount keeps it and the addresses.
  await plain.getByRole("button", { name: "Change the amount" }).click();
  await expect(plain.getByLabel("You send", { exact: true })).toHaveValue("320");
  await plain.getByRole("button", { name: "Get exact price" }).last().click();
  await plain.getByRole("button", { name: "Lock this price" }).last().click();
  await expect(heading(plain, /^Send exactly 320\.00\sMOB$/)).toBeVisible();

  const { id, target_amount } = await customer.newestOrder();
  const order = plain.url();
  await plain.getByRole("link", { name: "Pay from the sandbox" }).click();
  await plain.getByRole("button", { name: "Pay from this wallet" }).click();
  await expect(plain.getByText(/paid and confirmed/)).toBeVisible();
  await plain.goto(order);
  await expect(heading(plain, /delivered$/)).toBeVisible({ timeout: 50_000 });
  expect((await customer.getOrder(id)).status).toBe("completed");
  expect(await getUsdtBalance(site, token, mine)).toBe(parseAmount(target_amount, "USDT"));

  // Signing out is a form, too.
  await plain.locator("summary", { hasText: "Menu and account" }).click();
  await plain.getByRole("button", { name: "Sign out" }).click();
  await plain.waitForURL("**/login");
  await plain.goto(order);
  expect(new URL(plain.url()).pathname).toBe("/login");
});

test("signs in with an e-mail code without JavaScript, after saying that nothing more is possible", async ({
  openBrowser,
  site,
}) => {
  const plain = await (await openBrowser({ javaScriptEnabled: false })).newPage();
  const email = newEmail("plain");
  await plain.goto("/register");
  // Playwright finds no texts in <noscript>.
  const note = plain.locator("noscript p");
  const expectNote = async (text: string) => {
    await expect(note).toBeVisible();
    expect(await note.textContent()).toContain(text);
  };
  await expectNote("passkeys need JavaScript");
  await expect(plain.getByRole("button", { name: "Create a passkey" })).toBeHidden();
  await expect(plain.getByLabel("E-mail address")).toBeHidden();
  await plain.getByRole("link", { name: "Sign in", exact: true }).last().click();
  await plain.waitForURL("**/login");
  await expectNote("signing in with a passkey needs JavaScript");
  await plain.getByLabel("E-mail address").fill(email);
  await plain.getByRole("button", { name: "E-mail me a code" }).click();
  await plain.getByLabel("Code from the e-mail").fill(await readCode(site, email));
  await plain.getByRole("button", { name: "Continue" }).click();
  await expect(plain.getByRole("heading", { name: "One more step: add a passkey" })).toBeVisible();
  await expectNote("Turn on JavaScript for this site");
});
