import { expect, type Page } from "@playwright/test";
import { changePlan, emit, injectWallet } from "../injected-wallet";
import { arrive, type Customer } from "../people";
import { faucet, newEthAddress } from "../sandbox";
import { open } from "./orders";
import { defineRoom, type Stage } from "./room";

const openWallet = (page: Page) => page.getByRole("button", { name: "Pay with a wallet" }).click();

/** As many confirmations as on mainnet: time enough to look at the count. */
const env = { USDT_CONFIRMATIONS: "12" };

async function arriveWithOrder(stage: Stage) {
  const visitor = await stage.open();
  const customer: Customer = await arrive(visitor.page, stage.site);
  const account = newEthAddress();
  const order = await customer.lock("USDT", "50", account);
  return { ...visitor, customer, order, account, site: stage.site };
}

/** A payment from the wallet that the sandbox brings, to the last confirmation. */
export const testWallet = defineRoom({
  name: "test-wallet",
  env,
  enter: arriveWithOrder,
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
      await page.getByRole("button", { name: /^Connect .*test wallet/i }).click();
      await expect(page.getByText(/holds less than/)).toBeVisible();
    },
    "wallet-ready": async ({ page }) => {
      await page.getByRole("button", { name: /^Get .* test USDT$/ }).click();
      await expect(page.getByText(/holds less than/)).toHaveCount(0);
    },
    // The page hears no news of the order, so that it stays where its wallet is.
    "wallet-paid": async ({ page, order, customer }) => {
      await page.route("**/swap/orders/*/events", () => undefined);
      await open(page, await customer.lock("USDT", "60", order.refund_address));
      await openWallet(page);
      await page.getByRole("button", { name: /^Pay [0-9.,]+ USDT$/ }).click();
      await expect(page.getByRole("list", { name: "Your payment" })).toBeVisible();
      // Whoever has paid is shown no other way to pay.
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

/** A wallet of another maker, and everything that it may refuse. */
export const otherWallet = defineRoom({
  name: "other-wallet",
  env,
  async enter(stage) {
    const world = await arriveWithOrder(stage);
    await faucet(stage.site, world.account, "USDT", "50");
    await faucet(stage.site, world.account, "ETH", "0.1");
    await injectWallet(world.page, {
      eth_requestAccounts: { error: -32002 },
      wallet_requestPermissions: { error: -32002 },
      eth_accounts: { value: [] },
      eth_chainId: { value: "0x1" },
      wallet_switchEthereumChain: { error: 4902 },
      wallet_addEthereumChain: { error: 4001 },
    });
    return world;
  },
  scenes: {
    "wallet-locked": async ({ page, order }) => {
      await open(page, order);
      await openWallet(page);
      await page.getByRole("button", { name: "Connect Stubborn" }).click();
      await expect(page.getByText("The wallet is locked or waits for an answer")).toBeVisible();
    },
    "wallet-declined": async ({ page }) => {
      await changePlan(page, { eth_requestAccounts: { error: 4001 }, wallet_requestPermissions: { error: 4001 } });
      await page.getByRole("button", { name: "Connect Stubborn" }).click();
      await expect(page.getByText("You declined the connection")).toBeVisible();
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
    },
    "wallet-network-kept": async ({ page }) => {
      await changePlan(page, { wallet_switchEthereumChain: { error: 4902 } });
      await page.getByRole("button", { name: "Switch to Antelope sandbox" }).click();
      await expect(page.getByText("The network was not changed")).toBeVisible();
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
    },
  },
});
