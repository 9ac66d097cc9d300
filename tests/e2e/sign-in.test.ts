import { newEmail, register, signOut } from "./support/people";
import { readCode } from "./support/sandbox";
import { addAuthenticator, expect, test } from "./support/test";

test("C08 C09 C10 S04 registers with a passkey, signs out, and signs in again by passkey", async ({ page }) => {
  const email = newEmail();
  await register(page, email);
  await signOut(page);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  // The identifier last used with a passkey fills the form.
  await expect(page.getByLabel("E-mail address")).toHaveValue(email);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/swap");
});

test("C04 C05 V09 an e-mail code signs in, and the session is led to a passkey", async ({ page, site }) => {
  const email = newEmail("mail");
  await page.goto("/login?redirect=%2Fkyc");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "E-mail me a code" }).click();
  const code = page.getByLabel("Code from the e-mail");
  await expect(code).toBeFocused();
  const right = await readCode(site, email);
  await code.fill(right === "000000" ? "111111" : "000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(
    page
      .getByRole("alert")
      .or(page.getByText(/Please try again/))
      .first(),
  ).toBeVisible();
  await code.fill(right);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "One more step: a passkey" })).toBeVisible();
  await page.getByRole("button", { name: "Add a passkey to this device" }).click();
  await page.waitForURL("**/kyc");
});

test("E11 an address without passkeys is told so, and the stored passkey is cleared", async ({ page, troubles }) => {
  troubles.expect(/401/);
  await page.goto("/login");
  await page.evaluate(() => localStorage.setItem("passkey", "nobody@example.org"));
  await page.reload();
  await expect(page.getByLabel("E-mail address")).toHaveValue("nobody@example.org");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("No passkeys registered for user")).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("passkey"))).toBeNull();
});

test("E15 a declined registration says so and offers the way on", async ({ openBrowser, troubles }) => {
  troubles.expect(/401|422/);
  const page = await (await openBrowser()).newPage();
  const authenticator = await addAuthenticator(page);
  await authenticator.setUserVerified(false);
  await page.goto("/register");
  await page.getByLabel("E-mail address").fill(newEmail());
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page.getByText("Failed to register passkey")).toBeVisible();
  await authenticator.setUserVerified(true);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
});

test("a browser without a passkey of its own registers and signs in with the sandbox's test passkey", async ({
  openBrowser,
}) => {
  const page = await (await openBrowser()).newPage();
  const email = newEmail("tester");
  await page.goto("/register");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Use a test passkey" }).click();
  await page.waitForURL("**/welcome/1");
  await signOut(page);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Use a test passkey" }).click();
  await page.waitForURL("**/swap");
  await page.goto("/sandbox");
  await expect(page.getByRole("heading", { name: "Test passkey" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Test passkey" }).or(page.locator("#test-passkey"))).toContainText(
    email,
  );
});
