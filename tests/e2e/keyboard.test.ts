import type { Locator, Page } from "@playwright/test";
import { waitUntilReady } from "./support/appearances";
import { disableAuthenticator } from "./support/authenticator";
import { newEmail, signUp } from "./support/customers";
import { newEthAddress } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator, maxPresses = 60): Promise<void> {
  for (let i = 0; i < maxPresses; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${target} did not get the focus after ${maxPresses} presses of Tab`);
}

test("registers and signs out with the keyboard only", async ({ page }) => {
  await page.goto("/register");
  // Creating a passkey needs React: without it, Enter would post the form.
  await waitUntilReady(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /skip/i })).toBeFocused();
  await tabTo(page, page.getByLabel("E-mail address"));
  await page.keyboard.type(newEmail("keys"));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/welcome/1");
  await tabTo(page, page.locator("summary", { hasText: "Menu and account" }));
  await page.keyboard.press("Enter");
  await disableAuthenticator(page);
  await tabTo(page, page.getByRole("button", { name: "Sign out" }));
  await page.keyboard.press("Space");
  await page.waitForURL("**/login");
});

test("locks and cancels a swap with Tab, Enter and Space", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await customer.lock("USDT", "20", newEthAddress());
  await page.goto("/swap");
  await tabTo(page, page.getByRole("link", { name: /^USDT to MOB/ }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/swap/usdt-to-mob");
  const amount = page.getByLabel("You send", { exact: true });
  await tabTo(page, amount);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("88.5");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/swap/quote/**");
  const lock = page.getByRole("button", { name: "Lock this price" }).last();
  await tabTo(page, lock);
  // A price that has just appeared can't be locked for a second.
  await expect(lock).toBeEnabled();
  await page.keyboard.press("Space");
  await expect(heading(page, /^Send exactly 88\.50\sUSDT$/)).toBeVisible();

  await tabTo(page, page.getByRole("button", { name: /^Copy the amount/ }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.locator("summary", { hasText: "Cancel this swap" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "I haven't sent anything: cancel" }));
  await page.keyboard.press("Enter");
  await expect(heading(page, /^This swap was cancelled$/)).toBeVisible();
  expect((await customer.newestOrder()).status).toBe("cancelled");
});
