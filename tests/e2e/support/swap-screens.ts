/** The steps of a swap in the browser. */
import { expect, type Locator, type Page } from "@playwright/test";

/** On a swap form without addresses: fills in both. */
export async function addMissingAddresses(page: Page, target: "USDT" | "MOB", ethAddress: string): Promise<void> {
  const [mob, eth] =
    target === "MOB" ? [/^Where your MOB goes/, /refund USDT to/] : [/refund MOB to/, /^Where your USDT goes/];
  await page.getByRole("button", { name: "Use the sandbox address" }).click();
  await expect(page.getByLabel(mob)).not.toHaveValue("");
  await page.getByLabel(eth).fill(ethAddress);
}

/** On the page that adds an address: saves the given one, or "sandbox" for the sandbox's MobileCoin address. */
export async function fillAddress(page: Page, address: string): Promise<void> {
  const field = page.getByLabel("Address", { exact: true });
  if (address === "sandbox") {
    await page.getByRole("button", { name: "Use the sandbox address" }).click();
    await expect(field).not.toHaveValue("");
  } else {
    await field.fill(address);
  }
  await page.getByRole("button", { name: "Save this address" }).click();
}

/** Gets a price and locks it. Ends on the order page. */
export async function getAndLockPrice(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Get exact price" }).click();
  await page.waitForURL("**/swap/quote/**");
  await expect(page.getByRole("heading", { name: "Your price" })).toBeVisible();
  await page.getByRole("button", { name: "Lock this price" }).click();
  await expect(heading(page, /^Send exactly/)).toBeVisible();
}

export const heading = (page: Page, name: RegExp): Locator => page.getByRole("heading", { level: 1, name });

/** Connects the test wallet, which gets USDT from the faucet, and pays. */
export async function payWithTestWallet(page: Page): Promise<void> {
  const open = page.getByRole("button", { name: "Pay with a wallet" });
  await open.click();
  await page.getByRole("button", { name: /^Connect .*test wallet/i }).click();
  const pay = page.getByRole("button", { name: /^Pay [0-9.,]+ USDT$/ });
  await expect(pay).toBeVisible();
  await expect(page.getByText(/holds less than/)).toHaveCount(0);
  await pay.click();
}

/** Collects every matching text that appears on the page from now on. */
export async function collectTexts(page: Page, pattern: RegExp): Promise<() => Promise<string[]>> {
  await page.evaluate((source) => {
    const seen = new Set<string>();
    const collect = () => {
      for (const [text] of (document.body.textContent ?? "").matchAll(new RegExp(source, "g"))) seen.add(text);
    };
    collect();
    new MutationObserver(collect).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { collectedTexts: seen });
  }, pattern.source);
  return () => page.evaluate(() => [...(window as unknown as { collectedTexts: Set<string> }).collectedTexts]);
}
