import { expect, type Page } from "@playwright/test";
import { Customer, readToken, signUp } from "../customers";
import { readCode } from "../sandbox";
import { defineScenes } from "./scene-group";

/** A customer with only a passkey, then every result of the KYC application. */
export const newCustomer = defineScenes({
  name: "new-customer",
  pageErrors: [/422/],
  async prepare(stage) {
    const visitor = await stage.open();
    const customer = await signUp(visitor.page, stage.site, { verified: false });
    return { ...visitor, customer };
  },
  scenes: {
    "swap-unverified": ({ page }) => page.goto("/swap"),
    "activity-empty": ({ page }) => page.goto("/doger"),
    "account-delete": ({ page }) => page.goto("/doger/delete"),
    "account-delete-errors": async ({ page }) => {
      await page.getByLabel(/^To confirm, type /).fill("somebody@example.org");
      await page.getByRole("button", { name: "Delete my account permanently" }).click();
      await expect(page.getByLabel(/^To confirm, type /)).toHaveAttribute("aria-invalid", "true");
    },
    "account-deleted": ({ page }) => page.goto("/account-deleted"),
    "addresses-empty": ({ page }) => page.goto("/swap/deliveryaddress/"),
    "menu-signed-in": async ({ page }) => {
      await page.goto("/swap");
      await page.locator("summary", { hasText: "Menu and account" }).click();
    },
    "kyc-confirm-email": ({ page }) => page.goto("/kyc"),
    "kyc-code": async ({ page }) => {
      await page.goto("/kyc");
      await page.getByRole("button", { name: "E-mail me a code" }).click();
      await expect(page.getByLabel("Code from the e-mail")).toBeVisible();
      await expect(page.getByRole("heading", { name: "First, confirm your e-mail address" })).toBeVisible();
    },
    "kyc-code-wrong": async ({ page, customer }) => {
      const correct = await readCode(customer.site, customer.email);
      await page.getByLabel("Code from the e-mail").fill(correct === "000000" ? "111111" : "000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByText(/^Authentication failed: /).first()).toBeVisible();
    },
    "kyc-form": async ({ page, customer }) => {
      await page.getByLabel("Code from the e-mail").fill(await readCode(customer.site, customer.email));
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("heading", { name: "Your details, exactly as on your document" })).toBeVisible();
    },
    "kyc-form-errors": async ({ page }) => {
      await page.locator("form").evaluateAll((forms) => {
        for (const form of forms) if (form instanceof HTMLFormElement) form.noValidate = true;
      });
      await page.getByLabel("First name").fill("");
      await page.getByLabel("Date of birth").fill("2020-01-01");
      await page.getByRole("button", { name: "Send for verification" }).click();
      await expect(page.getByText("Enter your first name as shown on the document.")).toBeVisible();
    },
    "kyc-action-required": ({ page }) => apply(page, "Action", "Correct your details"),
    "kyc-rejected": ({ page }) => apply(page, "Reject", "We couldn't verify your identity"),
    "kyc-pending": ({ page }) => apply(page, "Pending", "We're reviewing your details"),
    "swap-pending": ({ page }) => page.goto("/swap"),
  },
});

async function apply(page: Page, lastName: string, title: string): Promise<void> {
  await page.goto("/kyc");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill(lastName);
  await page.getByLabel("Date of birth").fill("1990-04-30");
  await page.getByLabel("Country that issued the document").selectOption("GB");
  await page.getByLabel("Document", { exact: true }).selectOption("passport");
  await page.getByLabel("Document number").fill("AB 1234567");
  await page.getByRole("button", { name: "Send for verification" }).click();
  await expect(page.getByText("We're reviewing your details").or(page.getByText(title)).first()).toBeVisible();
  await expect(page.getByText(title)).toBeVisible({ timeout: 30_000 });
}

/** Recovers the account: signs in with an e-mail code and adds a second passkey. */
export async function recover(page: Page, customer: Customer): Promise<Customer> {
  const startedAt = Date.now();
  await page.goto("/login?redirect=%2Fswap");
  await page.getByLabel("E-mail address").fill(customer.email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  await page.getByLabel("Code from the e-mail").fill(await readCode(customer.site, customer.email, startedAt - 2_000));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Add a passkey to this device" }).click();
  // Accounts younger than a minute see the welcome pages first.
  await page.waitForURL(/\/(swap|welcome\/1)$/);
  return new Customer(customer.site, customer.email, await readToken(page));
}
