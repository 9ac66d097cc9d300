import { type EnsChain, startEnsChain } from "../support/ens-chain";
import { inEachAppearance } from "./support/appearances";
import { appearanceRules, findViolations } from "./support/axe";
import { signUp } from "./support/customers";
import { test as base, expect } from "./support/test";

const owner = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const test = base.extend<object, { chain: EnsChain }>({
  chain: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const chain = await startEnsChain();
      try {
        await chain.setOwner("alice.eth", owner);
        await use(chain);
      } finally {
        await chain.stop();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
  siteEnv: async ({ chain }, use) => use({ ENS_RPC_URL: `${chain.url}/?key=secret-key-of-the-node` }),
});

test("T80 T81 looks up a name, and saves its address once the visitor has seen it", async ({
  page,
  site,
  pageErrors,
}) => {
  // The refusal of a name without an address.
  pageErrors.expect(/422/);
  const customer = await signUp(page, site);
  await page.goto("/swap/deliveryaddress/add?addressType=ETH");
  const field = page.getByLabel("Address", { exact: true });
  const save = page.getByRole("button", { name: "Save this address" });
  await expect(page.getByText("A name such as alice.eth works too.")).toBeVisible();
  await field.fill("nobody.eth");
  await save.click();
  // The first name also loads the tables of ENSIP-15.
  await expect(page.getByText("nobody.eth has no Ethereum address.")).toBeVisible({ timeout: 60_000 });

  await field.fill("Alice.eth");
  await save.click();
  await expect(page.getByText("alice.eth points to this address")).toBeVisible();
  await expect(field).toHaveValue(owner);
  expect(await customer.api.listAddresses()).toEqual([]);
  expect(await findViolations(page)).toEqual([]);
  await inEachAppearance(page, async () => expect(await findViolations(page, appearanceRules)).toEqual([]));
  await save.click();
  await page.waitForURL("**/swap/deliveryaddress/**");
  await expect.poll(async () => (await customer.api.listAddresses()).map(({ address }) => address)).toEqual([owner]);
  expect(await page.content()).not.toContain("secret-key");
  expect(site.output).not.toContain("secret-key");
});

test("T80 looks up a name in the swap form without JavaScript", async ({ page, site, pageErrors, openCopy }) => {
  pageErrors.expect(/422/);
  const customer = await signUp(page, site);
  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto("/swap/mob-to-usdt?amount=320");
  const wallet = (await (await fetch(`${site.origin}/sandbox/mobilecoin/wallet`)).json()) as { address: string };
  await plain.getByLabel("If something goes wrong, refund MOB to").fill(wallet.address);
  await plain.getByLabel("Where your USDT goes").fill("alice.eth");
  await plain.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(plain.getByText("alice.eth points to this address")).toBeVisible({ timeout: 60_000 });
  await expect(plain.getByLabel("Where your USDT goes")).toHaveValue(owner);
  await plain.getByRole("button", { name: "Get exact price" }).last().click();
  await expect(plain.getByRole("heading", { name: "Your price" })).toBeVisible();
  expect((await customer.api.listAddresses("ETH")).map(({ address }) => address)).toEqual([owner]);
});
