import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { getDocumentProxy } from "unpdf";
import { waitUntilReady } from "./support/appearances";
import { signUp } from "./support/customers";
import { newEthAddress, readCode } from "./support/sandbox";
import { expect, test } from "./support/test";

test("downloads a copy of all data without JavaScript", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto("/doger");
  const [download] = await Promise.all([
    plain.waitForEvent("download"),
    plain.getByRole("link", { name: "Download your data" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^antelope-data-[\d-]+\.zip$/);
  const files = unzipSync(new Uint8Array(await readFile(await download.path())));
  expect(JSON.parse(strFromU8(files["account.json"] ?? new Uint8Array()))).toMatchObject({ email: customer.email });
});

test("prints no part of the account over another, and no title without its card", async ({ page, site }) => {
  await signUp(page, site);
  await page.goto("/doger");
  // A disabled button is printed after the text below it.
  await waitUntilReady(page);
  const wrong: string[] = [];
  // A card that doesn't fit moves to the next page.
  for (const height of [620, 740, 860, 1040]) {
    const document = await getDocumentProxy(new Uint8Array(await page.pdf({ width: "794px", height: `${height}px` })));
    for (let at = 1; at <= document.numPages; at += 1) {
      let lowest = Number.POSITIVE_INFINITY;
      const { items } = await (await document.getPage(at)).getTextContent();
      const words = items.flatMap((item) => ("str" in item && item.str.trim() !== "" ? [item] : []));
      for (const { str, transform } of words) {
        // In points, from the end of the page.
        const top = Number(transform[5]);
        if (top > lowest + 30) wrong.push(`${str} at ${height} px`);
        lowest = Math.min(lowest, top);
      }
      const last = words.at(-1)?.str ?? "";
      if (["Account", "Your data"].includes(last)) wrong.push(`${last} ends page ${at} at ${height} px`);
    }
  }
  expect(wrong).toEqual([]);
});

test("turns off e-mails about swaps without JavaScript", async ({ page, site, openCopy }) => {
  await signUp(page, site);
  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto("/doger");
  const mails = plain.getByRole("region", { name: "E-mails" });
  await mails.getByLabel("we see the first payment for a swap").uncheck();
  await mails.getByRole("button", { name: "Save" }).click();
  await expect(mails.getByText("Saved.")).toBeVisible();
  await expect(mails.getByLabel("we see the first payment for a swap")).not.toBeChecked();
  await expect(mails.getByLabel("we have sent you your coins")).toBeChecked();
});

test("explains what a deletion does, and deletes the account permanently", async ({ page, site }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "50", newEthAddress());
  await page.goto("/doger");
  await page.getByRole("link", { name: "Delete your account…" }).click();
  await expect(page.getByText("You can't delete your account yet")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete my account permanently" })).toHaveCount(0);
  await customer.api.cancelOrder(order.id);

  await page.reload();
  await expect(page.getByText(/requires us to keep records of who our customers were for 5 years/)).toBeVisible();
  await page.getByLabel(/^To confirm, type /).fill("somebody@example.org");
  await page.getByRole("button", { name: "Delete my account permanently" }).click();
  await expect(page.getByLabel(/^To confirm, type /)).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel(/^To confirm, type /).fill(customer.email);
  await page.getByRole("button", { name: "Delete my account permanently" }).click();
  await page.waitForURL("**/account-deleted");
  await expect(page.getByRole("heading", { name: "Your account is deleted" })).toBeVisible();
  await page.goto("/doger");
  await page.waitForURL("**/login?**");
});

test("T73 deletes an account without JavaScript, with an e-mail code", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  const plain = await openCopy({ javaScriptEnabled: false });
  await plain.goto("/doger/delete");
  const startedAt = Date.now();
  await plain.getByLabel(/^To confirm, type /).fill(customer.email);
  await plain.getByRole("button", { name: "Confirm with an e-mail code instead" }).click();
  await plain.getByLabel("Code from the e-mail").fill(await readCode(site, customer.email, startedAt - 2_000));
  await expect(plain.getByLabel(/^To confirm, type /)).toHaveValue(customer.email);
  await plain.getByRole("button", { name: "Delete my account permanently" }).click();
  await plain.waitForURL("**/account-deleted");
});
