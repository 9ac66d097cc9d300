import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { signUp } from "./support/customers";
import { expect, test } from "./support/test";

test("downloads a copy of all data without JavaScript", async ({ page, site, openBrowser, pageErrors }) => {
  // Chromium reports each script that it does not run as blocked ("csp").
  pageErrors.expect(/\.js csp$/);
  const customer = await signUp(page, site);
  const plain = await (
    await openBrowser({ javaScriptEnabled: false, storageState: await page.context().storageState() })
  ).newPage();
  await plain.goto("/doger");
  const [download] = await Promise.all([
    plain.waitForEvent("download"),
    plain.getByRole("link", { name: "Download your data" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^antelope-data-[\d-]+\.zip$/);
  const files = unzipSync(new Uint8Array(await readFile(await download.path())));
  expect(JSON.parse(strFromU8(files["account.json"] ?? new Uint8Array()))).toMatchObject({ email: customer.email });
});
