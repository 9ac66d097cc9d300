import { expect, type Page } from "@playwright/test";
import { waitUntilReady } from "../appearances";
import { pressPasskeyButton } from "../authenticator";
import { newEmail, signUpAndOut } from "../customers";
import { openBrokenPage, postToRatesPage } from "../root-errors";
import { readCode } from "../sandbox";
import { defineScenes, type Stage } from "./scene-group";

/** Signed out: signing in, registering, and their errors. */
export const signIn = defineScenes({
  name: "sign-in",
  pageErrors: [/40[0145]|422/],
  prepare: async (stage) => ({ ...(await stage.open()), site: stage.site }),
  scenes: {
    "first-visit": ({ page }) => page.goto("/"),
    login: ({ page }) => page.goto("/login"),
    "login-required": ({ page }) => page.goto("/login?message=true&redirect=%2Fdoger"),
    "login-minimum-fee": async ({ page }) => {
      await page.goto("/login?redirect=%2Fswap%2Fmob-to-usdt%3Famount%3D30");
      await expect(page.getByText("Minimum fee, included")).toBeVisible();
    },
    "login-no-address": async ({ page }) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await expect(page.getByText("Enter your e-mail address, such as")).toBeVisible();
    },
    "login-unknown-address": async ({ page }) => {
      await page.goto("/login");
      await page.getByLabel("E-mail address").fill("nobody@example.org");
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await expect(page.getByText("No passkeys registered for user")).toBeVisible();
    },
    "login-passkey-declined": async ({ page, authenticator, site }) => {
      await signUpAndOut(page, site);
      await authenticator.setUserVerified(false);
      await pressPasskeyButton(page);
      await expect(page.getByText("Authentication failed", { exact: true })).toBeVisible();
    },
    register: ({ page }) => page.goto("/register"),
    "register-no-address": async ({ page }) => {
      await page.goto("/register");
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await expect(page.getByText("Enter your e-mail address, such as")).toBeVisible();
    },
    "register-declined": async ({ page }) => {
      await page.goto("/register");
      await page.getByLabel("E-mail address").fill(newEmail());
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await expect(page.getByText("Failed to register passkey")).toBeVisible();
    },
  },
});

/** Signing in with an e-mail code, then adding a passkey. */
export const emailCode = defineScenes({
  name: "email-code",
  pageErrors: [/40[01]|422/],
  prepare: async (stage) => ({ ...(await stage.open()), stage, email: newEmail("ada.lovelace") }),
  scenes: {
    "login-code": async ({ page, email }) => {
      await page.goto("/login");
      await page.getByLabel("E-mail address").fill(email);
      await page.getByRole("button", { name: "E-mail me a code" }).click();
      await expect(page.getByLabel("Code from the e-mail")).toBeVisible();
    },
    "login-code-unreadable": async ({ page }) => {
      await enterCode(page, "12 34");
      await expect(page.getByText("Enter the six digits from the e-mail.")).toBeVisible();
    },
    "login-code-wrong": async ({ page, email, stage }) => {
      await enterCode(page, (await readCode(stage.site, email)) === "000000" ? "111111" : "000000");
      await expect(page.getByText(/^Authentication failed: .*Please try again/).first()).toBeVisible();
    },
    "login-add-passkey": async ({ page, email, stage }) => {
      await enterCode(page, await readCode(stage.site, email));
      await expect(page.getByRole("heading", { name: "One more step: add a passkey" })).toBeVisible();
    },
    "login-add-passkey-declined": async ({ page, authenticator }) => {
      await authenticator.setUserVerified(false);
      await page.getByRole("button", { name: "Add a passkey to this device" }).click();
      await expect(page.getByText("Failed to register passkey")).toBeVisible();
    },
  },
});

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code from the e-mail").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Error and loading screens. */
export const errorScreens = defineScenes({
  name: "errors",
  pageErrors: [/40[045]/, /Rendering failed/],
  prepare: (stage: Stage) => stage.open(),
  scenes: {
    "not-found": ({ page }) => page.goto("/nowhere"),
    // As the service worker shows them.
    offline: ({ page }) => page.goto("/offline"),
    "offline-order": ({ page }) => page.goto("/offline?order"),
    "server-not-responding": ({ page }) => page.goto("/offline?order&server"),
    error: async ({ page }) => {
      await openBrokenPage(page);
      await expect(page.getByRole("heading", { level: 1, name: "Error", exact: true })).toBeVisible();
    },
    "method-refused": async ({ page }) => {
      await postToRatesPage(page);
      await expect(page.getByRole("heading", { level: 1, name: "This action is not supported here" })).toBeVisible();
    },
    "menu-signed-out": async ({ page }) => {
      await page.goto("/login");
      await page.setViewportSize({ width: 390, height: 900 });
      await page.locator("summary", { hasText: "Menu" }).click();
    },
    loading: async ({ page }) => {
      await page.goto("/login");
      await page.route("**/register.data*", () => undefined);
      await waitUntilReady(page);
      await page.getByRole("link", { name: "Create an account with a passkey" }).click();
      await expect(page.getByText("Loading...")).toBeVisible();
    },
  },
});
