import pg from "pg";
import { signUp } from "./support/customers";
import { test as base, expect, siteTimeout } from "./support/test";

/** Runs on PostgreSQL, so that the test can deactivate an account, as an operator does. */
const test = base.extend<{ database: string }>({
  site: [async ({ workerSites }, use) => use((await workerSites.get({ postgres: true })).site), siteTimeout],
  database: async ({ workerSites }, use) => use((await workerSites.get({ postgres: true })).databaseUrl),
});

test("S02 R08 tells inactive customers why they can't swap, keeps their pages available, and never loops", async ({
  page,
  site,
  database,
}) => {
  const customer = await signUp(page, site);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query("update accounts set is_active = false where email = $1", [customer.email]);
  await client.end();

  for (const [path, expected] of [
    ["/swap/usdt-to-mob?amount=5", "/login?redirect=%2Fswap%2Fusdt-to-mob%3Famount%3D5"],
    ["/swap/mob-to-usdt", "/login?redirect=%2Fswap%2Fmob-to-usdt"],
    ["/login", "/login"],
  ] as const) {
    await page.goto(path);
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(expected);
    await expect(page.getByText("This account is not active")).toBeVisible();
  }
  for (const path of ["/swap", "/doger", "/kyc", "/swap/deliveryaddress/"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe(path);
  }
});
