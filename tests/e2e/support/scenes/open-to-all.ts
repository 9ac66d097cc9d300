import { expect, type Page } from "@playwright/test";
import { welcomePages } from "../../../../app/lib/constants";
import { paths } from "../../../../app/lib/paths";
import { newEmail } from "../people";
import { faucet, getMobWallet, newEthAddress, payMob } from "../sandbox";
import { defineRoom } from "./room";

/** The introduction. */
export const welcome = defineRoom({
  name: "welcome",
  enter: (stage) => stage.open(),
  scenes: Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, ...welcomePages].map((step) => [
      `welcome-${step}`,
      ({ page }: { page: Page }) => page.goto(paths.welcomeStep(step)),
    ]),
  ),
});

export const board = defineRoom({
  name: "board",
  troubles: [/ERR_FAILED|Failed to fetch/],
  enter: (stage) => stage.open(),
  scenes: {
    "board-1h": ({ page }) => page.goto("/vegas?range=1h"),
    "board-24h": ({ page }) => page.goto("/vegas"),
    "board-7d": ({ page }) => page.goto("/vegas?range=7d"),
    "board-30d": ({ page }) => page.goto("/vegas?range=30d"),
    "board-table": async ({ page }) => {
      await page.goto("/vegas?range=1h");
      await page.locator("summary", { hasText: "The chart as a table" }).click();
    },
    "board-out-of-reach": async ({ page }) => {
      await page.goto("/vegas");
      await page.route("**/vegas", (route) => route.abort());
      await expect(page.getByText("Out of reach, asking again")).toBeVisible();
    },
  },
});

export const sandbox = defineRoom({
  name: "sandbox",
  troubles: [/422/],
  enter: async (stage) => ({ ...(await stage.open()), site: stage.site }),
  scenes: {
    sandbox: ({ page }) => page.goto("/sandbox"),
    "sandbox-mail": async ({ page, site }) => {
      const email = newEmail("reader");
      await fetch(`${site.origin}/api/auth`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ auth_method: "email", credentials: { identifier: email } }),
      });
      await page.goto(`/sandbox?to=${encodeURIComponent(email)}`);
      await expect(async () => {
        await page.reload();
        await expect(page.getByText("The whole mail")).toBeVisible({ timeout: 500 });
      }).toPass();
      await page.getByText("The whole mail").click();
    },
    "sandbox-no-mail": ({ page }) => page.goto("/sandbox?to=nobody%40example.org"),
    "sandbox-faucet-done": async ({ page }) => {
      await page.goto("/sandbox");
      await page.getByLabel("Ethereum address", { exact: true }).fill(newEthAddress());
      await page.getByRole("button", { name: "Fill this address" }).click();
      await expect(page.getByText(/sent, and in a block/)).toBeVisible();
    },
    "sandbox-faucet-refused": async ({ page }) => {
      await page.goto("/sandbox");
      await page.getByLabel("Ethereum address", { exact: true }).fill("0x123");
      await page.getByRole("button", { name: "Fill this address" }).click();
      await expect(page.getByText(/40 digits after 0x/)).toBeVisible();
    },
    "sandbox-paid": async ({ page, site }) => {
      const { address } = await getMobWallet(site);
      await payMob(site, address, "12.5");
      await page.goto(`/sandbox?asset=MOB&address=${address}&amount=7.25&redirect=%2Fswap`);
      await page.getByRole("button", { name: "Pay from this wallet" }).click();
      await expect(page.getByText(/paid, and in a block/)).toBeVisible();
    },
    "sandbox-pay-refused": async ({ page }) => {
      await page.goto("/sandbox");
      await page.getByLabel("Pay to this MobileCoin address").fill("notanaddress");
      await page.getByLabel("Amount").first().fill("1");
      await page.getByRole("button", { name: "Pay from this wallet" }).click();
      await expect(page.getByText(/MobileCoin address\.|checksum/i).last()).toBeVisible();
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
      await page.locator("summary", { hasText: "Show it as a QR code" }).click();
    },
  },
});
