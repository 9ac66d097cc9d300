import { expect, type Page } from "@playwright/test";
import { WebSocket } from "ws";
import { startRelay } from "../../../support/wallet-connect-relay";
import { type Customer, signUp } from "../customers";
import { changePlan, emit, injectWallet } from "../injected-wallet";
import { faucet, newEthAddress } from "../sandbox";
import { open } from "./orders";
import { defineScenes, type Stage } from "./scene-group";

const openWallet = (page: Page) => page.getByRole("button", { name: "Pay with a wallet" }).click();

/** Many confirmations and slow blocks keep an order in `confirming` while it is checked. */
const env = { USDT_CONFIRMATIONS: "12", SANDBOX_ETHEREUM_BLOCK_MS: "1000" };

async function signUpWithOrder(stage: Stage) {
  const visitor = await stage.open();
  const customer: Customer = await signUp(visitor.page, stage.site);
  const account = newEthAddress();
  const order = await customer.lock("USDT", "50", account);
  return { ...visitor, customer, order, account, site: stage.site };
}

/** A payment with the sandbox's test wallet, up to the last confirmation. */
export const testWallet = defineScenes({
  name: "test-wallet",
  pageErrors: [/400/],
  env,
  prepare: signUpWithOrder,
  scenes: {
    wallet: async ({ page, order }) => {
      await open(page, order);
      await openWallet(page);
      await expect(page.getByRole("button", { name: /^Connect .*test wallet/i })).toBeVisible();
    },
    "wallet-none-found": async ({ page }) => {
      await page.getByRole("button", { name: "Connect another wallet in this browser" }).click();
      await expect(page.getByText("No wallet was found in this browser")).toBeVisible();
    },
    "wallet-short-of-usdt": async ({ page }) => {
      // The faucet has no USDT, so the wallet isn't topped up.
      await page.route("**/sandbox/faucet", (route) =>
        route.request().postDataJSON().asset === "USDT" ? route.fulfill({ status: 400, json: {} }) : route.continue(),
      );
      await page.getByRole("button", { name: /^Connect .*test wallet/i }).click();
      await expect(page.getByText(/holds less than/)).toBeVisible();
      await expect(page.getByText("The faucet didn't send anything.")).toBeVisible();
    },
    "wallet-ready": async ({ page }) => {
      await page.unroute("**/sandbox/faucet");
      await page.getByRole("button", { name: /^Get .* test USDT$/ }).click();
      await expect(page.getByText(/holds less than/)).toHaveCount(0);
    },
    // Blocks the order's events, so that the page keeps showing the wallet.
    "wallet-paid": async ({ page, order, customer }) => {
      await page.route("**/swap/orders/*/events", () => undefined);
      await open(page, await customer.lock("USDT", "60", order.refund_address));
      // The wallet is still connected.
      await page.getByRole("button", { name: /^Pay [0-9.,]+ USDT$/ }).click();
      await expect(page.getByRole("list", { name: "Your payment" })).toBeVisible();
      // After paying, the page does not offer another way to pay.
      await expect(page.getByText("To this address, on Ethereum only")).toBeHidden();
    },
    "order-confirming": async ({ page, customer, site, order }) => {
      const { id, funding_address } = await customer.lock("USDT", "75", order.refund_address);
      await faucet(site, funding_address, "USDT", "75");
      await open(page, await customer.waitForStatus(id, "confirming"));
      await expect(page.getByText(/of 12 confirmations/).first()).toBeVisible();
    },
  },
});

/** Another wallet, and everything that it can refuse. */
export const otherWallet = defineScenes({
  name: "other-wallet",
  env,
  async prepare(stage) {
    const state = await signUpWithOrder(stage);
    await faucet(stage.site, state.account, "USDT", "50");
    await faucet(stage.site, state.account, "ETH", "0.1");
    await injectWallet(state.page, {
      eth_requestAccounts: { error: -32002 },
      wallet_requestPermissions: { error: -32002 },
      eth_accounts: { value: [] },
      eth_chainId: { value: "0x1" },
      wallet_switchEthereumChain: { error: 4902 },
      wallet_addEthereumChain: { error: 4001 },
    });
    return state;
  },
  scenes: {
    "wallet-locked": async ({ page, order }) => {
      await open(page, order);
      await openWallet(page);
      await page.getByRole("button", { name: "Connect Stubborn" }).click();
      await expect(page.getByText("The wallet is locked or waiting for you")).toBeVisible();
    },
    "wallet-declined": async ({ page }) => {
      await changePlan(page, { eth_requestAccounts: { error: 4001 }, wallet_requestPermissions: { error: 4001 } });
      await page.getByRole("button", { name: "Connect Stubborn" }).click();
      await expect(page.getByText("You declined the connection")).toBeVisible();
      await expect(page.getByText("No money has moved.")).toBeVisible();
    },
    "wallet-wrong-network": async ({ page, account }) => {
      const allowed = { value: [account] };
      await changePlan(page, {
        eth_requestAccounts: allowed,
        eth_accounts: allowed,
        wallet_requestPermissions: { value: [{ parentCapability: "eth_accounts", caveats: [{ value: [account] }] }] },
        wallet_switchEthereumChain: { error: -32603 },
      });
      await page.getByRole("button", { name: "Connect Stubborn" }).click();
      await expect(page.getByText("The wallet is on another network")).toBeVisible();
      await expect(page.getByText("Connected", { exact: true })).toBeVisible();
    },
    "wallet-switch-declined": async ({ page }) => {
      await changePlan(page, { wallet_switchEthereumChain: { error: 4902 } });
      await page.getByRole("button", { name: "Switch to Antelope sandbox" }).click();
      await expect(page.getByText("The network wasn't changed")).toBeVisible();
    },
    "wallet-payment-declined": async ({ page }) => {
      const sepolia = "0xaa36a7";
      await changePlan(page, {
        wallet_switchEthereumChain: { value: null },
        eth_chainId: { value: sepolia },
        eth_sendTransaction: { error: 4001 },
        wallet_sendTransaction: { error: 4001 },
      });
      await emit(page, "chainChanged", sepolia);
      await page.getByRole("button", { name: /^Pay 50(\.0+)? USDT$/ }).click();
      await expect(page.getByText("You declined the payment")).toBeVisible();
      await expect(page.getByText("Nothing was sent. Your USDT is still in your wallet.")).toBeVisible();
    },
    "wallet-unanswered": async ({ page }) => {
      await changePlan(page, { eth_sendTransaction: { waiting: true }, wallet_sendTransaction: { waiting: true } });
      await page.getByRole("button", { name: /^Pay 50(\.0+)? USDT$/ }).click();
      await expect(page.getByText("Confirm in your wallet…")).toBeVisible();
      await page.reload();
      await expect(page.getByRole("heading", { name: "Check your wallet" })).toBeVisible();
      await expect(page.getByText("The wallet may have sent this payment already")).toBeVisible();
      await expect(page.getByText("To this address, on Ethereum only")).toBeHidden();
    },
  },
});

const remoteButton = (page: Page) => page.getByRole("button", { name: "Connect with WalletConnect" });

/** The page's connections to WalletConnect's relay go to one on the loopback. */
async function routeRelay(page: Page, relayUrl: string): Promise<void> {
  await page.routeWebSocket(/^wss:\/\/relay\.walletconnect\.org/, (socket) => {
    const server = new WebSocket(relayUrl + new URL(socket.url()).search);
    const waiting: string[] = [];
    socket.onMessage((message) => {
      if (server.readyState === server.OPEN) server.send(message);
      else waiting.push(String(message));
    });
    socket.onClose(() => server.close());
    server.on("open", () => {
      for (const message of waiting) server.send(message);
    });
    server.on("message", (data) => socket.send(String(data)));
    server.on("close", () => void socket.close());
  });
}

/** A wallet on a phone, through WalletConnect. */
export const remoteWallet = defineScenes({
  name: "wallet-connect",
  env: { ...env, WALLETCONNECT_PROJECT_ID: "0123456789abcdef0123456789abcdef" },
  async prepare(stage) {
    const state = await signUpWithOrder(stage);
    const relay = await startRelay();
    // WalletConnect's client is slow to load, and only this group needs it.
    const { RemoteWallet } = await import("../../../support/remote-wallet");
    const wallet = await RemoteWallet.open(relay.url, [11_155_111]);
    state.page.context().on("close", () => void wallet.close().finally(() => relay.stop()));
    await faucet(stage.site, wallet.account.address, "USDT", "60");
    await faucet(stage.site, wallet.account.address, "ETH", "0.1");
    await state.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await routeRelay(state.page, relay.url);
    return { ...state, wallet };
  },
  scenes: {
    "wallet-connect": async ({ page, order }) => {
      await open(page, order);
      await openWallet(page);
      await expect(remoteButton(page)).toBeVisible();
    },
    "wallet-connect-code": async ({ page }) => {
      await remoteButton(page).click();
      await expect(page.getByText("Waiting for your wallet…")).toBeVisible();
      await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
    },
    "wallet-connect-declined": async ({ page, wallet }) => {
      wallet.owner.connects = false;
      await wallet.scan(await copyLink(page));
      await expect(page.getByText("You declined the connection")).toBeVisible();
    },
    "wallet-connect-ready": async ({ page, wallet }) => {
      wallet.owner.connects = true;
      await remoteButton(page).click();
      await wallet.scan(await copyLink(page));
      await expect(page.getByRole("button", { name: /^Pay 50(\.0+)? USDT$/ })).toBeVisible();
    },
    "wallet-connect-ended": async ({ page, wallet }) => {
      await wallet.end();
      await expect(remoteButton(page)).toBeVisible();
    },
    "wallet-connect-address": async ({ page }) => {
      await page.goto("/swap/deliveryaddress/add?addressType=ETH");
      await page.getByRole("button", { name: "Use my wallet's address" }).click();
      await remoteButton(page).click();
      await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
    },
  },
});

async function copyLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Copy link" }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}
