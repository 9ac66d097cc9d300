import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAccount, type SiteAccount } from "./accounts";
import { accountsFile, Site } from "./site";

/**
 * As many accounts as a worker's tests use. Those of a group are created at the same time, as each mostly waits for
 * e-mails and its review. A site that runs out of them creates more.
 */
const accountGroups = 2;
const accountsPerGroup = 16;

/**
 * Few scans and blocks, because a slow machine is busy enough with migrations, and accounts can be created without
 * blocks.
 */
const calm = { SCAN_ETHEREUM_MS: "1000", SCAN_MOBILECOIN_MS: "1000", SANDBOX_ETHEREUM_BLOCK_MS: "1000" };

/**
 * Runs before the browser tests: starts a site, creates verified accounts, and stops it. Every new site
 * starts with a copy of its data, so that it neither migrates its database nor deploys its token, and
 * tests do not wait for e-mails and reviews. `npm test` runs this earlier (run.ts).
 */
export default async function prepare(): Promise<() => Promise<void>> {
  if (process.env.E2E_DATA_TEMPLATE) return async () => undefined;
  const site = await Site.start(calm);
  try {
    const accounts: SiteAccount[] = [];
    for (let group = 0; group < accountGroups; group += 1) {
      accounts.push(...(await Promise.all(Array.from({ length: accountsPerGroup }, () => createAccount(site)))));
    }
    await writeFile(join(site.dataDir, accountsFile), JSON.stringify(accounts));
    await site.shutDown();
  } catch (error) {
    await site.stop();
    throw error;
  }
  process.env.E2E_DATA_TEMPLATE = site.dataDir;
  return () => site.stop();
}
