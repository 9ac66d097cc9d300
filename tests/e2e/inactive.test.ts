import pg from "pg";
import { startPostgres } from "../support/postgres-server";
import { signUp } from "./support/customers";
import { Site } from "./support/site";
import { test as base, expect } from "./support/test";

/** Runs on PostgreSQL, so that the test can deactivate an account, as an operator does. */
const test = base.extend<object, { database: string; site: Site }>({
  database: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const { url, stop } = await startPostgres();
      await use(`${url}/postgres`);
      await stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  site: [
    async ({ database }, use) => {
      const site = await Site.start({ DATABASE_URL: database });
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
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
