import type { Page } from "@playwright/test";
import { paths } from "~/lib/paths";
import { waitUntilReady } from "./support/appearances";
import { signUp } from "./support/customers";
import { newEthAddress, payMob } from "./support/sandbox";
import { expect, test } from "./support/test";

const inGermany = { locale: "de-DE" };

test("shows approximate values in the currency of the visitor's region", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("USDT", "250", newEthAddress());
  const german = await openCopy(inGermany);

  await german.goto("/swap/usdt-to-mob?amount=250");
  const send = german.getByLabel("You send", { exact: true });
  await expect(send).toHaveAccessibleDescription(/^USDT on Ethereum · about 215,00 euros/);
  await expect(german.getByText("≈ 215,00 €")).toBeVisible();
  await waitUntilReady(german);
  await send.fill("1000");
  await expect(send).toHaveAccessibleDescription(/about 860,00 euros/);
  // The fee is 0.5%.
  await expect(german.getByLabel("You receive about")).toHaveAccessibleDescription(/about 855,\d\d euros/);

  await german.getByRole("button", { name: "Get exact price" }).click();
  await expect(german.getByRole("heading", { name: "Your price" })).toBeVisible();
  await expect(german.getByText("≈ 860,00 €")).toBeVisible();
  await expect(german.getByText("about 855,70 euros")).toBeAttached();

  await german.goto(paths.quote(order.quote_id));
  await expect(german.getByRole("heading", { name: "Send exactly 250,00 USDT" })).toBeVisible();
  await expect(german.getByText("≈ 215,00 €").first()).toBeVisible();

  await german.goto("/doger");
  const row = german.getByRole("row").filter({ hasText: "250,00" });
  await expect(row.getByText("≈ 215,00 €")).toBeVisible();
  await expect(row.getByText(/^≈\s213,9\d\s€$/)).toBeVisible();

  await german.goto("/swap");
  await expect(german.getByText("≈ 215,00 €")).toBeVisible();
  await waitUntilReady(german);
  await german.getByLabel("You send").fill("100");
  await expect(german.getByText("≈ 86,00 €")).toBeVisible();

  await german.context().clearCookies();
  await german.goto("/login");
  await expect(german.getByText("≈ 215,00 €")).toBeVisible();
  await waitUntilReady(german);
  await german.getByLabel("You send").fill("100");
  await expect(german.getByText("≈ 86,00 €")).toBeVisible();
  await expect(german.getByLabel("You receive about")).toHaveAccessibleDescription(/about 85,\d\d euros/);
});

test("shows the approximate value of the totals of all swaps", async ({ page, site, openCopy }) => {
  const customer = await signUp(page, site);
  const order = await customer.lock("MOB", "400", newEthAddress());
  await payMob(site, order.funding_address, order.source_amount);
  await customer.waitForStatus(order.id, "completed");
  const german = await openCopy(inGermany);
  await german.goto("/doger");
  const totals = german.getByRole("region", { name: "Totals" });
  await expect(totals).toContainText(/400,00≈\s\d+,\d\d\s€about \d+,\d\d euros/);
  await expect(totals).toContainText(/Sent to you[\d.,]+≈\s\d+,\d\d\s€/);
  await expect(totals).toContainText("Approximate values use the current rate.");
});

test("lets customers choose another currency, or none, without JavaScript too", async ({ page, site, openCopy }) => {
  await signUp(page, site);
  const card = (on: Page) => on.getByRole("region", { name: "Currency" });

  const german = await openCopy(inGermany);
  await german.goto("/doger");
  await expect(card(german).getByLabel("Show approximate values in")).toHaveValue("");
  await card(german).getByLabel("Show approximate values in").selectOption("Swiss Franc (CHF)");
  await card(german).getByRole("button", { name: "Save" }).click();
  await expect(card(german).getByLabel("Show approximate values in")).toHaveValue("CHF");
  await expect(card(german).getByText("Saved.")).toBeVisible();
  await expect(card(german).getByRole("heading", { name: "Currency" })).toBeFocused();
  await german.goto("/swap/usdt-to-mob?amount=250");
  await expect(german.getByText("≈ 200,00 CHF")).toBeVisible();

  const plain = await openCopy({ ...inGermany, javaScriptEnabled: false });
  await plain.goto("/swap/usdt-to-mob?amount=250");
  await expect(plain.getByText("≈ 215,00 €")).toBeVisible();
  await plain.goto("/doger");
  await card(plain).getByLabel("Show approximate values in").selectOption("Don't show values");
  await card(plain).getByRole("button", { name: "Save" }).click();
  await expect(card(plain).getByLabel("Show approximate values in")).toHaveValue("none");
  await expect(card(plain).getByText("Saved.")).toBeVisible();
  await plain.goto("/swap/usdt-to-mob?amount=250");
  await expect(plain.getByLabel("You send", { exact: true })).toHaveValue("250");
  await expect(plain.getByText("≈")).toHaveCount(0);
});
