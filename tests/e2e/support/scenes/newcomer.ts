import { expect, type Page } from "@playwright/test";
import { arrive, Customer, readToken } from "../people";
import { readCode } from "../sandbox";
import { defineRoom } from "./room";

/** A passkey and nothing else yet; then every answer that an application may get. */
export const newcomer = defineRoom({
  name: "newcomer",
  troubles: [/422/],
  async enter(stage) {
    const visitor = await stage.open();
    const customer = await arrive(visitor.page, stage.site, { kyc: false });
    return { ...visitor, customer };
  },
  scenes: {
    "swap-newcomer": ({ page }) => page.goto("/swap"),
    "tally-empty": ({ page }) => page.goto("/doger"),
    "addresses-empty": ({ page }) => page.goto("/swap/deliveryaddress/"),
    "menu-signed-in": async ({ page }) => {
      await page.goto("/swap");
      await page.locator("summary", { hasText: "Menu and account" }).click();
    },
    "kyc-prove-email": ({ page }) => page.goto("/kyc"),
    "kyc-code": async ({ page }) => {
      await page.goto("/kyc");
      await page.getByRole("button", { name: "E-mail me a code" }).click();
      await expect(page.getByLabel("Code from the e-mail")).toBeVisible();
    },
    "kyc-code-wrong": async ({ page, customer }) => {
      const right = await readCode(customer.site, customer.email);
      await page.getByLabel("Code from the e-mail").fill(right === "000000" ? "111111" : "000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByText(/^Authentication failed: /).first()).toBeVisible();
    },
    "kyc-form": async ({ page, customer }) => {
      await page.getByLabel("Code from the e-mail").fill(await readCode(customer.site, customer.email));
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("heading", { name: "Your details, as they stand in your document" })).toBeVisible();
    },
    "kyc-form-errors": async ({ page }) => {
      await page.locator("form").evaluateAll((forms) => {
        for (const form of forms) if (form instanceof HTMLFormElement) form.noValidate = true;
      });
      await page.getByLabel("Last name").fill("Lovelace");
      await page.getByLabel("Date of birth").fill("2020-01-01");
      await page.getByRole("button", { name: "Send for verification" }).click();
      await expect(page.getByText("Write your first name as it stands in the document.")).toBeVisible();
    },
    "kyc-action-required": ({ page }) => apply(page, "Action", "Something is missing"),
    "kyc-refused": ({ page }) => apply(page, "Reject", "Your application was refused"),
    "kyc-pending": ({ page }) => apply(page, "Pending", "We are looking at your application"),
    "swap-pending": ({ page }) => page.goto("/swap"),
  },
});

async function apply(page: Page, lastName: string, answer: string): Promise<void> {
  await page.goto("/kyc");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill(lastName);
  await page.getByLabel("Date of birth").fill("1990-04-30");
  await page.getByLabel("Country that issued the document").selectOption("GB");
  await page.getByLabel("Document", { exact: true }).selectOption("passport");
  await page.getByLabel("Document number").fill("AB 1234567");
  await page.getByRole("button", { name: "Send for verification" }).click();
  await expect(page.getByText("We are looking at your application").or(page.getByText(answer)).first()).toBeVisible();
  await expect(page.getByText(answer)).toBeVisible({ timeout: 30_000 });
}

/** An account that was recovered a moment ago: a code by e-mail, then a passkey beside the one it had. */
export async function recover(page: Page, customer: Customer): Promise<Customer> {
  const began = Date.now();
  await page.goto("/login?redirect=%2Fswap");
  await page.getByLabel("E-mail address").fill(customer.email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  await page.getByLabel("Code from the e-mail").fill(await readCode(customer.site, customer.email, began - 2_000));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Add a passkey to this device" }).click();
  // An account of less than a minute is shown around first.
  await page.waitForURL(/\/(swap|welcome\/1)$/);
  return new Customer(customer.site, customer.email, await readToken(page));
}
