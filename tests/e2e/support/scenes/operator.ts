import { expect } from "@playwright/test";
import pg from "pg";
import { type Customer, signUp } from "../customers";
import { operate } from "../operate";
import { faucet, findToken, newEthAddress, payMob } from "../sandbox";
import { heading } from "../swap-screens";
import { recover } from "./new-customer";
import { open } from "./orders";
import { defineScenes, type Stage } from "./scene-group";

async function query({ databaseUrl }: Stage, text: string, values: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

const setVerification = (stage: Stage, { email }: Customer, status: "approved" | "rejected") =>
  query(stage, "update accounts set kyc_status = $1 where email = $2", [status, email]);

async function pay(customer: Customer, amount: string, sent = amount) {
  const order = await customer.lock("USDT", amount, newEthAddress());
  await faucet(customer.site, order.funding_address, "USDT", sent);
  return order;
}

/** What operators and failures outside the site do to swaps in progress. */
export const operator = defineScenes({
  name: "operator",
  postgres: true,
  // The rate is fetched only once, so that its age is what the database says.
  env: { RATE_REFRESH_MS: "3600000", RATE_MAX_AGE_MS: "7200000" },
  // An account recovery ends the other sessions, so their event streams are refused.
  pageErrors: [/503|409|422|401/],
  async prepare(stage) {
    const visitor = await stage.open();
    const customer = await signUp(visitor.page, stage.site);
    return { ...visitor, customer, stage, heldId: "" };
  },
  scenes: {
    "order-paying-out": async ({ page, customer, stage }) => {
      const back = await pay(customer, "90", "45");
      await customer.waitForStatus(back.id, "needs_decision");
      const waiting = await customer.lock("USDT", "64", newEthAddress());
      await operate(stage, "off", "payments", "We are checking the ledger.");
      await faucet(stage.site, waiting.funding_address, "USDT", "64");
      await customer.api.decideOrder(back.id, { choice: "refund" });
      await open(page, await customer.waitForStatus(waiting.id, "paying_out"));
    },
    "order-refunding": async ({ page, customer }) => {
      const { items } = await customer.api.listOrders();
      const back = items.find(({ status }) => status === "refunding");
      await open(page, await customer.getOrder(back?.id ?? ""));
      await expect(heading(page, /^We're sending your USDT back$/)).toBeVisible();
    },
    "order-on-hold": async ({ page, customer, stage }) => {
      const { id } = await customer.newestOrder();
      await operate(stage, "hold", id, "We need to know where these coins come from and have e-mailed you.");
      await open(page, await customer.waitForStatus(id, "on_hold"));
    },
    "rates-payments-stopped": ({ page }) => page.goto("/vegas"),
    "status-payments-stopped": ({ page }) => page.goto("/status"),
    "quote-swaps-paused": async ({ page, customer, stage }) => {
      await operate(stage, "on", "payments");
      const quote = await customer.createQuote("USDT", "55");
      await operate(stage, "off", "swaps", "Planned maintenance.");
      await page.goto(`/swap/quote/${quote.id}`);
      await page.getByRole("button", { name: "Lock this price" }).last().click();
      await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    },
    "status-swaps-paused": async ({ page }) => {
      await page.goto("/status");
      await expect(
        page.getByText("If you have already paid for a swap, we complete it or refund it as soon as we can."),
      ).toBeVisible();
    },
    "swap-swaps-paused": async ({ page }) => {
      await page.goto("/swap/usdt-to-mob");
      await page.getByRole("button", { name: "Get exact price" }).last().click();
      await expect(
        page.getByText("No swap was created and no money has moved. Your amounts are still here."),
      ).toBeVisible();
    },
    "rates-swaps-paused": ({ page }) => page.goto("/vegas"),
    "order-payout-failed": async ({ page, customer, stage }) => {
      await operate(stage, "on", "swaps");
      // The token contract refuses transfers to itself. The site refuses its address, so we write it to the database.
      const mob = await customer.lock("MOB", "300", newEthAddress());
      await query(stage, "update orders set delivery_address = $1 where id = $2", [
        await findToken(stage.site),
        mob.id,
      ]);
      await payMob(stage.site, mob.funding_address, mob.source_amount);
      await open(page, await customer.waitForStatus(mob.id, "needs_decision"));
      await expect(heading(page, /^We couldn't make the payout$/)).toBeVisible();
    },
    "order-not-verified": async ({ page, customer, stage }) => {
      const order = await customer.lock("USDT", "45", newEthAddress());
      await setVerification(stage, customer, "rejected");
      await open(page, order);
      await expect(page.getByText("Don't pay yet: your identity isn't verified")).toBeVisible();
    },
    "order-payout-delayed": async (state) => {
      await setVerification(state.stage, state.customer, "approved");
      const { page } = await state.stage.open();
      const recovered = await recover(page, state.customer);
      const order = await pay(recovered, "35");
      await open(page, await recovered.waitForStatus(order.id, "paying_out"));
      await expect(page.getByText(/^Payout in/)).toBeVisible();
      state.page = page;
    },
    "account-two-sessions": ({ page }) => page.goto("/doger"),
    "rates-no-price": async ({ page, stage }) => {
      await query(stage, "update rate_points set at = at - interval '3 hours'", []);
      await page.goto("/vegas");
      await expect(page.getByText("No reliable price right now", { exact: true })).toBeVisible();
    },
    "rates-no-history": ({ page }) => page.goto("/vegas?range=1h"),
    "swap-no-price": ({ page }) => page.goto("/swap"),
    "swap-usdt-to-mob-no-price": ({ page }) => page.goto("/swap/usdt-to-mob"),
    "swap-inactive": async ({ page, customer, stage }) => {
      await query(stage, "update accounts set is_active = false where email = $1", [customer.email]);
      await page.goto("/swap");
    },
    "login-inactive": async ({ page }) => {
      await page.goto("/swap/usdt-to-mob");
      await expect(page.getByText("This account is not active")).toBeVisible();
    },
  },
});
