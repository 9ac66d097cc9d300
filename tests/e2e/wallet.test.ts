import type { Response } from "@playwright/test";
import { signUp } from "./support/customers";
import { changePlan, emit, injectWallet } from "./support/injected-wallet";
import { newEthAddress } from "./support/sandbox";
import { expect, test } from "./support/test";

const sepolia = "0xaa36a7";

test("E18 explains how to pay without a browser wallet", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "50", newEthAddress());
  await page.goto(`/swap/quote/${order.quote_id}`);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await page.getByRole("button", { name: "Connect another wallet in this browser" }).click();
  await expect(page.getByText("No wallet was found in this browser")).toBeVisible();
});

test("T86 without a project ID, does not offer WalletConnect, load its code or allow its relay", async ({
  page,
  site,
}) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "50", newEthAddress());
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  const document = await page.goto(`/swap/quote/${order.quote_id}`);
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await expect(page.getByRole("button", { name: "Connect another wallet in this browser" })).toBeVisible();
  await expect(page.getByRole("button", { name: /WalletConnect/ })).toHaveCount(0);
  expect(await document?.text()).not.toContain("walletConnect");
  expect(await document?.headerValue("Content-Security-Policy")).not.toMatch(/wss?:/);
  expect(scripts.length).toBeGreaterThan(5);
  for (const script of scripts) expect(await script.text(), script.url()).not.toContain("wc_sessionPropose");
});

test("S10 C12 K10 shows the states of a connection, and calls the chain in batches", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const account = newEthAddress();
  const order = await customer.lock("USDT", "50", account);
  const batches: string[][] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/sandbox/ethereum")) return;
    const calls: unknown = request.postDataJSON();
    if (Array.isArray(calls)) batches.push((calls as { method: string }[]).map(({ method }) => method).sort());
  });
  await injectWallet(page, {
    eth_requestAccounts: { waiting: true },
    wallet_requestPermissions: { waiting: true },
    eth_accounts: { value: [] },
    eth_chainId: { value: sepolia },
  });
  await page.goto(`/swap/quote/${order.quote_id}`);
  const state = (name: string) => page.getByText(name, { exact: true });
  await page.getByRole("button", { name: "Pay with a wallet" }).click();
  await expect(state("Disconnected")).toBeVisible();

  await page.getByRole("button", { name: "Connect Stubborn" }).click();
  await expect(state("Connecting")).toBeVisible();
  const allowed = { value: [account] };
  await changePlan(page, {
    eth_requestAccounts: allowed,
    eth_accounts: allowed,
    wallet_requestPermissions: { value: [{ parentCapability: "eth_accounts", caveats: [{ value: [account] }] }] },
  });
  await expect(state("Connected")).toBeVisible();
  await expect.poll(() => batches).toContainEqual(["eth_call", "eth_getBalance"]);

  await changePlan(page, { eth_accounts: { waiting: true } });
  // The wallet opens automatically, because it was connected.
  await page.reload();
  await expect(state("Reconnecting")).toBeVisible();
  await changePlan(page, { eth_accounts: allowed });
  await expect(state("Connected")).toBeVisible();

  await changePlan(page, { eth_accounts: { value: [] } });
  await emit(page, "accountsChanged", []);
  await expect(page.getByRole("button", { name: "Connect Stubborn" })).toBeVisible();
});
