import type { Page, Response } from "@playwright/test";
import { RemoteWallet } from "../support/remote-wallet";
import { type Relay, startRelay } from "../support/wallet-connect-relay";
import { type Customer, signUp } from "./support/customers";
import { faucet, newEthAddress } from "./support/sandbox";
import type { Site } from "./support/site";
import { test as base, expect } from "./support/test";

const projectId = "0123456789abcdef0123456789abcdef";
const sepolia = 11_155_111;

/** A site that offers WalletConnect through a relay on the loopback. */
const test = base.extend<{ phoneWallet: RemoteWallet }, { relay: Relay }>({
  relay: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const relay = await startRelay();
      await use(relay);
      await relay.stop();
    },
    { scope: "worker" },
  ],
  siteEnv: async ({ relay }, use) => use({ WALLETCONNECT_PROJECT_ID: projectId, WALLETCONNECT_RELAY_URL: relay.url }),
  phoneWallet: async ({ relay, site }, use) => {
    const wallet = await RemoteWallet.open(relay.url, [sepolia], `${site.origin}/sandbox/ethereum`);
    await use(wallet);
    await wallet.close();
  },
});

const remoteButton = (page: Page) => page.getByRole("button", { name: "Connect with WalletConnect" });

/** Opens the wallet on an order's page. */
async function openOrder(page: Page, site: Site): Promise<{ customer: Customer; id: string }> {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "50", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await expect(remoteButton(page)).toBeVisible();
  return { customer, id: order.id };
}

/** The link that the page offers to copy. */
async function copyLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Copy link" }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
});

test("C12 T86 pays an order with a wallet on another device, through the relay and nothing else", async ({
  page,
  site,
  relay,
  phoneWallet,
}) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(site.origin) && !request.url().startsWith("data:")) elsewhere.push(request.url());
  });
  page.on("websocket", (socket) => {
    if (!socket.url().startsWith(relay.url)) elsewhere.push(socket.url());
  });
  await faucet(site, phoneWallet.account.address, "USDT", "50");
  await faucet(site, phoneWallet.account.address, "ETH", "0.1");
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  const loadsClient = async () =>
    (await Promise.all(scripts.map((script) => script.text()))).some((text) => text.includes("wc_sessionPropose"));
  const { customer, id } = await openOrder(page, site);
  // WalletConnect's client is loaded only when it is chosen.
  expect(await loadsClient()).toBe(false);
  await remoteButton(page).click();
  await expect(page.getByRole("img", { name: /^QR code for WalletConnect/ })).toBeVisible();
  expect(await loadsClient()).toBe(true);
  await phoneWallet.scan(await copyLink(page));

  const pay = page.getByRole("button", { name: /^Pay 50(\.0+)? USDT$/ });
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  await pay.click();
  const paid = await customer.waitForStatus(id, "confirming", "paying_out", "completed");
  expect(paid.received_amount).toMatch(/^50(\.0+)?$/);
  expect(phoneWallet.requested).toHaveLength(1);
  expect(elsewhere).toEqual([]);
  // This site tells the relay neither the account nor the payment, nor what kind of request it passes on.
  const { to, data } = phoneWallet.requested[0] ?? { to: "", data: "" };
  const calls = relay.received.filter((call) => call.projectId === projectId).map(({ text }) => text.toLowerCase());
  expect(calls.some((call) => call.includes("irn_publish"))).toBe(true);
  for (const secret of [phoneWallet.account.address, to, data, "eth_sendTransaction", "eip155"]) {
    expect(calls.filter((call) => call.includes(secret.toLowerCase()))).toEqual([]);
  }
});

test("C12 stays connected after a reload, and disconnects on both sides", async ({ page, site, phoneWallet }) => {
  await openOrder(page, site);
  await remoteButton(page).click();
  await phoneWallet.scan(await copyLink(page));
  const connected = page.getByText("Connected", { exact: true });
  await expect(connected).toBeVisible();
  await page.reload();
  await expect(connected).toBeVisible();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(remoteButton(page)).toBeVisible();
  await expect.poll(() => phoneWallet.countSessions()).toBe(0);

  // Once more, and this time the wallet ends it.
  await remoteButton(page).click();
  await phoneWallet.scan(await copyLink(page));
  await expect(connected).toBeVisible();
  await phoneWallet.end();
  await expect(remoteButton(page)).toBeVisible();
});

test("E18 explains that the wallet declined, and cancels without an error", async ({ page, site, phoneWallet }) => {
  await openOrder(page, site);
  // With the keyboard: the focus follows from the list to the code and back.
  await remoteButton(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Connect with WalletConnect" })).toBeFocused();
  await page.getByRole("button", { name: "Cancel" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copy link" })).toBeHidden();
  await expect(page.getByText("You declined the connection")).toBeHidden();
  await expect(remoteButton(page)).toBeFocused();

  phoneWallet.owner.connects = false;
  await remoteButton(page).click();
  await phoneWallet.scan(await copyLink(page));
  await expect(page.getByText("You declined the connection")).toBeVisible();
});

test("C12 on a phone, first offers to open a wallet, and says if the wallet lacks the network", async ({
  page,
  site,
  relay,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openOrder(page, site);
  await remoteButton(page).click();
  const link = page.getByRole("link", { name: "Connect my wallet app" });
  await expect(link).toHaveAttribute("href", /^wc:[0-9a-f]{64}@2\?/);
  const wallet = await RemoteWallet.open(relay.url, [1]);
  await wallet.scan((await link.getAttribute("href")) ?? "");
  await expect(page.getByText("The wallet is on another network")).toBeVisible();
  await page.getByRole("button", { name: "Switch to Antelope sandbox" }).click();
  await expect(page.getByText("The wallet doesn't have this network")).toBeVisible();
  await wallet.close();
});
