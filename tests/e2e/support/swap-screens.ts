/** The screens of a swap, one step of a visitor's each. */
import { expect, type Locator, type Page } from "@playwright/test";

/** From a direction page that has no addresses: both are made on the way, and the amount is still there. */
export async function addAddressesOnTheWay(page: Page, target: "USDT" | "MOB", ethAddress: string): Promise<void> {
  const source = target === "MOB" ? "USDT" : "MOB";
  const typed = await page.getByLabel("You send", { exact: true }).inputValue();
  for (const asset of [target, source]) {
    const asked = page.getByText(
      asset === target ? new RegExp(`Where should the ${asset} go`) : /come back to, if anything/,
    );
    await asked.locator("..").getByRole("button", { name: "Add it now" }).click();
    await page.waitForURL("**/swap/deliveryaddress/add?*");
    await fillAddress(page, asset === "MOB" ? "sandbox" : ethAddress);
    await page.waitForURL(`**/swap/${source.toLowerCase()}-to-${target.toLowerCase()}?*`);
    await expect(page.getByLabel("You send", { exact: true })).toHaveValue(typed);
  }
}

/** On the page that adds an address: the sandbox's own MobileCoin address, or the one given. */
export async function fillAddress(page: Page, address: string): Promise<void> {
  const field = page.getByLabel("Address", { exact: true });
  if (address === "sandbox") {
    await page.getByRole("button", { name: "Use its address" }).click();
    await expect(field).not.toHaveValue("");
  } else {
    await field.fill(address);
  }
  await page.getByRole("button", { name: "Save this address" }).click();
}

/** Enter asks for the price; then it is locked. Ends on the order's screen. */
export async function askAndLock(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Get this price" }).click();
  await page.waitForURL("**/swap/quote/**");
  await expect(page.getByRole("heading", { name: "Your price" })).toBeVisible();
  await page.getByRole("button", { name: "Lock this price" }).click();
  await expect(heading(page, /^Send exactly/)).toBeVisible();
}

export const heading = (page: Page, name: RegExp): Locator => page.getByRole("heading", { level: 1, name });

/** The built-in test wallet: connect, fill from the faucet where it is empty, pay in one click. */
export async function payByTestWallet(page: Page): Promise<void> {
  const open = page.getByRole("button", { name: "Pay with a wallet" });
  await open.click();
  await page.getByRole("button", { name: /^Connect .*test wallet/i }).click();
  await page.getByRole("button", { name: /^Get .* test USDT$/ }).click();
  const pay = page.getByRole("button", { name: /^Pay [0-9.,]+ USDT$/ });
  await expect(page.getByText(/holds less than/)).toHaveCount(0);
  await pay.click();
}

/** Collects every text that matches, as it comes and goes on the living page. */
export async function collectTexts(page: Page, pattern: RegExp): Promise<() => Promise<string[]>> {
  await page.evaluate((source) => {
    const seen = new Set<string>();
    const look = () => {
      for (const [text] of (document.body.textContent ?? "").matchAll(new RegExp(source, "g"))) seen.add(text);
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { collectedTexts: seen });
  }, pattern.source);
  return () => page.evaluate(() => [...(window as unknown as { collectedTexts: Set<string> }).collectedTexts]);
}
