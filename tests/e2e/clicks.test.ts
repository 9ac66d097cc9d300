/** How many clicks and fields a swap takes. Reading the e-mailed code is not counted: it happens in a mail program. */
import type { Page } from "@playwright/test";
import { waitUntilReady } from "./support/appearances";
import { createPasskey, newEmail, signUp } from "./support/customers";
import { readCode } from "./support/sandbox";
import { heading } from "./support/swap-screens";
import { expect, test } from "./support/test";

const priceHeading = (page: Page) => page.getByRole("heading", { name: "Your price" });
const step = (page: Page, text: string) => expect(page.getByText(text)).toBeVisible();

/** Counts real clicks and the fields that were changed, on every document of the page. */
async function countInputs(page: Page): Promise<{ clicks: string[]; fields: Set<string> }> {
  const counted = { clicks: [] as string[], fields: new Set<string>() };
  await page.exposeFunction("reportClick", (name: string) => counted.clicks.push(name));
  await page.exposeFunction("reportField", (name: string) => counted.fields.add(name));
  await page.addInitScript(() => {
    const reports = window as unknown as Record<"reportClick" | "reportField", (name: string) => void>;
    const onClick = ({ isTrusted, target }: MouseEvent) => {
      if (isTrusted && target instanceof Element) reports.reportClick(target.closest("a, button")?.textContent ?? "");
    };
    const onInput = ({ isTrusted, target }: Event) => {
      if (isTrusted && target instanceof HTMLElement) reports.reportField(target.getAttribute("name") ?? "");
    };
    window.addEventListener("click", onClick, { capture: true });
    window.addEventListener("input", onInput, { capture: true });
  });
  return counted;
}

/** From the screen that asks for the code to the order that waits for money. */
async function verifyAndLock(page: Page, site: Parameters<typeof readCode>[0], email: string): Promise<void> {
  await step(page, "Step 2 of 4: Confirm your e-mail");
  await page.getByLabel("Code from the e-mail").fill(await readCode(site, email));
  await page.getByRole("button", { name: "Continue" }).click();
  await step(page, "Step 3 of 4: Verify your identity");
  await page.getByRole("button", { name: "Send for verification" }).click();
  await page.waitForURL("**/swap/usdt-to-mob?amount=*", { timeout: 60_000 });
  await step(page, "Step 4 of 4: Make your swap");
  await page.getByRole("button", { name: "Use the sandbox's test wallets" }).click();
  await expect(page.getByLabel(/^Where your MOB goes/)).not.toHaveValue("");
  // The test wallet connects once the faucet has sent it ETH.
  await expect(page.getByLabel(/refund USDT to/)).toHaveValue(/^0x/, { timeout: 60_000 });
  await page.getByRole("button", { name: "Get exact price" }).click();
  await expect(priceHeading(page)).toBeVisible();
  await page.getByRole("button", { name: "Lock this price" }).click();
  await expect(heading(page, /^Send exactly/)).toBeVisible();
  await step(page, "Step 4 of 4: Make your swap");
}

async function payAndWait(page: Page): Promise<void> {
  const pay = page.getByRole("button", { name: /^Pay [0-9.,]+ USDT$/ });
  await expect(pay).toBeVisible();
  await expect(page.getByText(/holds less than/)).toHaveCount(0);
  await pay.click();
  await expect(heading(page, /delivered$/)).toBeVisible({ timeout: 60_000 });
}

test("takes at most ten clicks from /login to the first paid swap, and three to repeat it", async ({ page, site }) => {
  test.setTimeout(300_000);
  const { clicks, fields } = await countInputs(page);
  const email = newEmail("clicks");
  await page.goto("/");
  await page.waitForURL("**/login?redirect=%2Fswap");
  await page.getByRole("link", { name: "Create an account with a passkey" }).click();
  await step(page, "Step 1 of 4: Create your account");
  await createPasskey(page, email);
  await page.waitForURL("**/welcome/1");
  await page.getByRole("link", { name: "Skip the introduction" }).click();
  await page.waitForURL("**/swap");
  await page.getByRole("button", { name: "Continue" }).click();
  await verifyAndLock(page, site, email);
  await payAndWait(page);
  expect(clicks.length, clicks.join(", ")).toBeLessThanOrEqual(10);
  // The e-mail address and the code. The sandbox fills in an example of the other details.
  expect([...fields]).toEqual(["identifier", "code"]);

  clicks.length = 0;
  fields.clear();
  await page.getByRole("button", { name: "Swap again" }).click();
  await expect(priceHeading(page)).toBeVisible();
  await expect(page.getByText("250.00", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Lock this price" }).click();
  await expect(heading(page, /^Send exactly/)).toBeVisible();
  await expect(page.getByText(/^Step 4 of 4/)).toHaveCount(0);
  await payAndWait(page);
  expect(clicks.length, clicks.join(", ")).toBeLessThanOrEqual(3);
  expect([...fields]).toEqual([]);
});

test("shows the steps to the first swap to someone who signs in with an e-mail code", async ({ page, site }) => {
  const email = newEmail("steps");
  await page.goto("/login?redirect=%2Fswap%2Fusdt-to-mob");
  await waitUntilReady(page);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  await step(page, "New here? This is step 1 of 4: Create your account");
  await page.getByLabel("Code from the e-mail").fill(await readCode(site, email));
  await page.locator("#sign-in").getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Step 1 of 4: Create your account", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Add a passkey to this device" }).click();
  // The address is confirmed already.
  await step(page, "Step 3 of 4: Verify your identity");
  const steps = page.getByRole("list", { name: "Steps to your first swap" }).getByRole("listitem");
  await expect(steps).toHaveText([
    "Create your account (done)",
    "Confirm your e-mail (done)",
    "Verify your identity",
    "Make your swap",
  ]);
  await expect(steps.nth(2)).toHaveAttribute("aria-current", "step");
});

test("asks an unverified customer to confirm the address, which counts as a step", async ({ page, site }) => {
  await signUp(page, site, { verified: false });
  await page.goto("/kyc");
  await step(page, "Step 2 of 4: Confirm your e-mail");
  await expect(page.getByRole("button", { name: "E-mail me a code" })).toBeVisible();
});

test("keeps the amount typed on /login through registering, without pressing Continue", async ({ page }) => {
  await page.goto("/login");
  await waitUntilReady(page);
  await page.getByLabel("You send", { exact: true }).fill("333");
  await page.getByRole("link", { name: "Create an account with a passkey" }).click();
  await page.waitForURL("**/register?redirect=%2Fswap%2Fusdt-to-mob%3Famount%3D333");
  await createPasskey(page, newEmail("kept"));
  await page.waitForURL("**/kyc?redirect=%2Fswap%2Fusdt-to-mob%3Famount%3D333");
});

test("keeps the amount typed on /login when a customer signs in with a passkey", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await page.context().clearCookies();
  // Without suggestions in the field, which the virtual authenticator would accept before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await page.goto("/login");
  await waitUntilReady(page);
  await page.getByLabel("You send", { exact: true }).fill("333");
  await page.getByLabel("E-mail address").fill(customer.email);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/swap/usdt-to-mob?amount=333");
  await expect(page.getByLabel("You send", { exact: true })).toHaveValue("333");
});
