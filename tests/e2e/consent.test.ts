import type { Page } from "@playwright/test";
import { signUp } from "./support/customers";
import { readCode } from "./support/sandbox";
import { expect, test } from "./support/test";

const card = (page: Page) => page.getByRole("region", { name: "Terms and privacy notice" });

test("verification records the versions that its form names, and the account page lists them", async ({
  page,
  site,
  openCopy,
}) => {
  const customer = await signUp(page, site, { verified: false });
  await page.goto("/kyc");
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  await page.getByLabel("Code from the e-mail").fill(await readCode(site, customer.email));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Your details, exactly as on your document" })).toBeVisible();

  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto("/kyc");
  const sentence = plain.getByText(/^By continuing, you accept the terms/);
  await expect(sentence).toContainText(/\(version [0-9a-f]{8}\) and the privacy notice .*\(version [0-9a-f]{8}\)\.$/);
  const [terms] = /[0-9a-f]{8}(?=\))/.exec((await sentence.textContent()) ?? "") ?? [""];
  await plain.getByRole("button", { name: "Send for verification" }).click();
  // The sandbox's reviewer may be faster than the page.
  await expect(plain.getByText(/^(We're reviewing your details|You are verified)/)).toBeVisible();

  await plain.goto("/doger");
  await expect(card(plain).getByText(`Terms, version ${terms}`)).toBeVisible();
  await expect(card(plain).getByRole("button", { name: "I accept" })).toHaveCount(0);
  await plain.goto("/legal/terms");
  await expect(plain.getByText(`Version ${terms}`)).toBeVisible();
});

test("a note offers a new version, without blocking the customer", async ({ page, site }) => {
  const customer = await signUp(page, site);
  await customer.api.recordConsents({
    accepted: [
      { document: "terms", version: "2020-01" },
      { document: "privacy", version: "2020-01" },
    ],
  });
  await page.goto("/swap");
  await expect(page.getByText("Our terms and privacy notice have changed")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(?:Continue|Get exact price)$/ })).toBeEnabled();
  await page.getByRole("link", { name: "Read and accept the new version" }).click();
  await page.waitForURL("**/doger#documents");
  await card(page).getByRole("button", { name: "I accept" }).click();
  await expect(card(page).getByText("Thank you. We've recorded your acceptance.")).toBeVisible();
  await expect(card(page).getByRole("button", { name: "I accept" })).toHaveCount(0);
  await card(page).getByText("Earlier versions").click();
  await expect(card(page).getByText("Terms, version 2020-01")).toBeVisible();
  await page.goto("/swap");
  await expect(page.getByRole("heading", { name: "How much do you want to swap?" })).toBeVisible();
  await expect(page.getByText("have changed")).toHaveCount(0);
});
