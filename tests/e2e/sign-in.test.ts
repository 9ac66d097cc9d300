import type { Request } from "@playwright/test";
import { waitUntilReady } from "./support/appearances";
import { addAuthenticator, pressPasskeyButton } from "./support/authenticator";
import { Customer, newEmail, readToken, register, signOut, signUpAndOut } from "./support/customers";
import { readCode } from "./support/sandbox";
import { expect, test } from "./support/test";

const asksForSuggestions = (request: Request) => request.postData()?.includes("autofill-options") ?? false;

test("C08 C09 C10 S04 registers with a passkey, signs out, and signs in again by passkey", async ({ page }) => {
  const email = newEmail();
  await register(page, email);
  await signOut(page);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  // The form is filled in with the identifier last used with a passkey.
  await expect(page.getByLabel("E-mail address")).toHaveValue(email);
  await pressPasskeyButton(page);
  await page.waitForURL("**/swap");
});

test("opens a page without React after signing in", async ({ page, site }) => {
  await signUpAndOut(page, site);
  await pressPasskeyButton(page, "/login?redirect=%2Fhelp");
  await page.waitForURL("**/help");
  await expect(page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
});

test("leads from a receipt through sign-in to the list of swaps", async ({ page, site }) => {
  await signUpAndOut(page, site);
  await pressPasskeyButton(page, "/swap/orders/any/receipt.pdf");
  await page.waitForURL("**/doger");
  await expect(page.getByRole("heading", { level: 1, name: "Activity and account" })).toBeVisible();
});

test("C04 C05 V09 signs in with an e-mail code, then asks for a passkey", async ({ page, site }) => {
  const email = newEmail("mail");
  await page.goto("/login?redirect=%2Fkyc");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  const code = page.getByLabel("Code from the e-mail");
  await expect(code).toBeFocused();
  const correct = await readCode(site, email);
  await code.fill(correct === "000000" ? "111111" : "000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(
    page
      .getByRole("alert")
      .or(page.getByText(/Please try again/))
      .first(),
  ).toBeVisible();
  await code.fill(correct);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "One more step: add a passkey" })).toBeVisible();
  await page.getByRole("button", { name: "Add a passkey to this device" }).click();
  await page.waitForURL("**/kyc");
});

test("asks for the code even if passkey suggestions arrive while the page is loading", async ({ page }) => {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true);
  });
  let noteLoading = () => {};
  const loading = new Promise<void>((resolve) => {
    noteLoading = resolve;
  });
  let hasOptions = false;
  await page.route("**/login.data*", async (route) => {
    // A request for the page that is sent before the options arrive never gets a response.
    if (route.request().method() === "GET" && !hasOptions) return noteLoading();
    if (!asksForSuggestions(route.request())) return route.continue();
    await loading;
    const response = await route.fetch();
    hasOptions = true;
    await route.fulfill({ response });
  });
  await page.goto("/login");
  await waitUntilReady(page);
  const requested = page.waitForRequest(asksForSuggestions);
  await page.getByLabel("E-mail address").click();
  await requested;
  await page.getByLabel("E-mail address").fill(newEmail("slow"));
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  await expect(page.getByLabel("Code from the e-mail")).toBeVisible();
});

test("E11 reports an address without passkeys and clears the stored passkey", async ({ page, pageErrors }) => {
  pageErrors.expect(/401/);
  await page.goto("/login");
  await page.evaluate(() => localStorage.setItem("passkey", "nobody@example.org"));
  await page.reload();
  await expect(page.getByLabel("E-mail address")).toHaveValue("nobody@example.org");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("No passkeys registered for user")).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("passkey"))).toBeNull();
});

test("E12 reports a declined sign-in, which can be tried again", async ({ openBrowser, site }) => {
  const page = await (await openBrowser()).newPage();
  const authenticator = await addAuthenticator(page);
  await signUpAndOut(page, site);
  await authenticator.setUserVerified(false);
  await pressPasskeyButton(page);
  await expect(page.getByText("Authentication failed", { exact: true })).toBeVisible();
  await authenticator.setUserVerified(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/swap");
});

test("E15 reports a declined registration, clears the stored passkey, and can be tried again", async ({
  openBrowser,
  pageErrors,
}) => {
  pageErrors.expect(/401|422/);
  const page = await (await openBrowser()).newPage();
  const authenticator = await addAuthenticator(page);
  await authenticator.setUserVerified(false);
  await page.goto("/register");
  await page.evaluate(() => localStorage.setItem("passkey", "ada@example.org"));
  await page.getByLabel("E-mail address").fill(newEmail());
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page.getByText("Failed to register passkey")).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("passkey"))).toBeNull();
  await authenticator.setUserVerified(true);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
});

test("registers and signs in with the sandbox's test passkey, even after an e-mail code", async ({
  openBrowser,
  site,
}) => {
  const page = await (await openBrowser()).newPage();
  const email = newEmail("tester");
  await page.goto("/register");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Use a test passkey" }).click();
  await page.waitForURL("**/welcome/1");
  await new Customer(site, email, await readToken(page)).verify();
  await signOut(page);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Use a test passkey" }).click();
  await page.waitForURL("**/swap");
  await signOut(page);
  await page.goto("/login");
  await page.getByLabel("E-mail address").fill(email);
  const requestedAt = Date.now();
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  await page.getByLabel("Code from the e-mail").fill(await readCode(site, email, requestedAt));
  await page.getByRole("button", { name: "Continue" }).click();
  // As if another passkey had been used since.
  await page.evaluate(() => localStorage.removeItem("antelope.used-test-passkey"));
  await page.getByRole("button", { name: "Use a test passkey" }).click();
  await expect(page.getByText(/already has a test passkey for this account/)).toBeVisible();
  await page.getByRole("button", { name: "I already have a passkey" }).click();
  await page.waitForURL("**/swap");
  await page.goto("/sandbox");
  await expect(page.getByRole("heading", { name: "Test passkey" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Test passkey" }).or(page.locator("#test-passkey"))).toContainText(
    email,
  );
});
