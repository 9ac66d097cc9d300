import { expect, type Page } from "@playwright/test";
import { welcomePages } from "~/lib/constants";
import { paths } from "~/lib/paths";
import { newEmail } from "../customers";
import { faucet, getMobWallet, newEthAddress, payMob, readCode } from "../sandbox";
import { defineScenes } from "./scene-group";

/** The welcome pages. */
export const welcome = defineScenes({
  name: "welcome",
  prepare: (stage) => stage.open(),
  scenes: Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, ...welcomePages].map((step) => [
      `welcome-${step}`,
      ({ page }: { page: Page }) => page.goto(paths.welcomeStep(step)),
    ]),
  ),
});

export const rates = defineScenes({
  name: "rates",
  pageErrors: [/ERR_FAILED|Failed to fetch/],
  prepare: (stage) => stage.open(),
  scenes: {
    "rates-1h": ({ page }) => page.goto("/vegas?range=1h"),
    "rates-24h": ({ page }) => page.goto("/vegas"),
    "rates-7d": ({ page }) => page.goto("/vegas?range=7d"),
    "rates-30d": ({ page }) => page.goto("/vegas?range=30d"),
    "rates-point": async ({ page }) => {
      await page.goto("/vegas");
      await page.getByRole("slider").focus();
      await page.keyboard.press("Home");
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press("PageUp");
    },
    "rates-table": async ({ page }) => {
      await page.goto("/vegas?range=1h");
      await page.locator("summary", { hasText: "Chart data as a table" }).click();
    },
    "rates-connection-lost": async ({ page }) => {
      await page.goto("/vegas");
      await page.route("**/vegas", (route) => route.abort());
      await expect(page.getByText("Connection lost, retrying")).toBeVisible();
    },
  },
});

export const sandbox = defineScenes({
  name: "sandbox",
  pageErrors: [/422/],
  prepare: async (stage) => ({ ...(await stage.open()), site: stage.site }),
  scenes: {
    sandbox: ({ page }) => page.goto("/sandbox"),
    "sandbox-mail": async ({ page, site }) => {
      const email = newEmail("reader");
      await fetch(`${site.origin}/api/auth`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ auth_method: "email", credentials: { identifier: email } }),
      });
      await readCode(site, email);
      await page.goto(`/sandbox?to=${encodeURIComponent(email)}`);
      await page.getByText("Full e-mail").click();
    },
    "sandbox-inbox-empty": ({ page }) => page.goto("/sandbox?to=nobody%40example.org"),
    "sandbox-faucet-done": async ({ page }) => {
      await page.goto("/sandbox");
      await page.getByLabel("Ethereum address", { exact: true }).fill(newEthAddress());
      await page.getByRole("button", { name: "Send test coins" }).click();
      await expect(page.getByText(/sent and confirmed/)).toBeVisible();
    },
    "sandbox-faucet-refused": async ({ page }) => {
      await page.goto("/sandbox");
      await page.getByLabel("Ethereum address", { exact: true }).fill("0x123");
      await page.getByRole("button", { name: "Send test coins" }).click();
      await expect(page.getByText(/40 characters after 0x/)).toBeVisible();
    },
    "sandbox-paid": async ({ page, site }) => {
      const { address } = await getMobWallet(site);
      await payMob(site, address, "12.5");
      await page.goto(`/sandbox?asset=MOB&address=${address}&amount=7.25&redirect=%2Fswap`);
      await page.getByRole("button", { name: "Pay from this wallet" }).click();
      await expect(page.getByText(/paid and confirmed/)).toBeVisible();
    },
    "sandbox-pay-refused": async ({ page }) => {
      await page.goto("/sandbox");
      await page.getByLabel("Pay to this MobileCoin address").fill("notanaddress");
      await page.getByLabel("Amount").first().fill("1");
      await page.getByRole("button", { name: "Pay from this wallet" }).click();
      await expect(page.getByText(/This is too short: a MobileCoin address/).last()).toBeVisible();
    },
    "sandbox-for-an-order": async ({ page, site }) => {
      const address = newEthAddress();
      await faucet(site, address, "ETH", "0.01");
      await page.goto(`/sandbox?asset=USDT&address=${address}&amount=250&redirect=%2Fswap`);
    },
    "sandbox-test-passkey": async ({ page }) => {
      await page.goto("/register");
      await page.getByLabel("E-mail address").fill(newEmail("tester"));
      await page.getByRole("button", { name: "Use a test passkey" }).click();
      await page.waitForURL("**/welcome/1");
      await page.goto("/sandbox");
      await page.locator("summary", { hasText: "Show as a QR code" }).click();
    },
  },
});
