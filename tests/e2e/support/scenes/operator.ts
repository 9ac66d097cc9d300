import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import pg from "pg";
import { arrive, type Customer } from "../people";
import { faucet, findToken, newEthAddress, payMob } from "../sandbox";
import { heading } from "../swap-screens";
import { recover } from "./newcomer";
import { open } from "./orders";
import { defineRoom, type Stage } from "./room";

const run = promisify(execFile);

async function operate({ databaseUrl, site }: Stage, ...words: string[]): Promise<void> {
  await run("npx", ["tsx", "app/commands/operate.ts", ...words], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: site.dataDir, LOG_LEVEL: "silent" },
    timeout: 60_000,
  });
}

async function query({ databaseUrl }: Stage, text: string, values: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

async function pay(customer: Customer, amount: string, sent = amount) {
  const order = await customer.lock("USDT", amount, newEthAddress());
  await faucet(customer.site, order.funding_address, "USDT", sent);
  return order;
}

/** What an operator's hand, or a bank's question, does to swaps under way. */
export const operator = defineRoom({
  name: "operator",
  postgres: true,
  // The price is asked for once, so that it is as old as the database says.
  env: { RATE_REFRESH_MS: "3600000", RATE_MAX_AGE_MS: "7200000" },
  // A recovery ends the sessions that the account had: their pages hear no more of their orders.
  troubles: [/503|409|422|401/],
  async enter(stage) {
    const visitor = await stage.open();
    const customer = await arrive(visitor.page, stage.site);
    return { ...visitor, customer, stage, heldId: "" };
  },
  scenes: {
    "order-paying-out": async ({ page, customer, stage }) => {
      const back = await pay(customer, "90", "45");
      await customer.waitForStatus(back.id, "needs_decision");
      const waiting = await customer.lock("USDT", "64", newEthAddress());
      await operate(stage, "off", "payments", "The books are looked at.");
      await faucet(stage.site, waiting.funding_address, "USDT", "64");
      await customer.call("POST", `/api/swap/swaps/${back.id}/decision`, { choice: "refund" });
      await open(page, await customer.waitForStatus(waiting.id, "paying_out"));
    },
    "order-refunding": async ({ page, customer }) => {
      const { body } = await customer.call<{ items: { id: string; status: string }[] }>("GET", "/api/swap/swaps");
      const back = body.items.find(({ status }) => status === "refunding");
      await open(page, await customer.getOrder(back?.id ?? ""));
      await expect(heading(page, /on its way back to you$/)).toBeVisible();
    },
    "order-on-hold": async ({ page, customer, stage }) => {
      const { id } = await customer.newestOrder();
      await operate(stage, "hold", id, "Our bank asks where these coins come from; we have written to you.");
      await open(page, await customer.waitForStatus(id, "on_hold"));
    },
    "board-payments-halted": ({ page }) => page.goto("/vegas"),
    "offer-not-taken": async ({ page, customer, stage }) => {
      await operate(stage, "on", "payments");
      const quote = await customer.ask("USDT", "55");
      await operate(stage, "off", "swaps", "The house is being painted.");
      await page.goto(`/swap/quote/${quote.id}`);
      await page.getByRole("button", { name: "Lock this price" }).last().click();
      await expect(
        page.getByRole("main").getByRole("alert").or(page.locator("main [role=status]")).first(),
      ).toBeVisible();
    },
    "swap-not-taken": async ({ page }) => {
      await page.goto("/swap/usdt-to-mob");
      await page.getByRole("button", { name: "Get this price" }).last().click();
      await expect(page.getByText("Nothing was made, nothing is lost. What you typed is still here.")).toBeVisible();
    },
    "board-stopped": ({ page }) => page.goto("/vegas"),
    "order-payout-failed": async ({ page, customer, stage }) => {
      await operate(stage, "on", "swaps");
      // The token's own contract can receive nothing. The site refuses it as an address, so the database is told.
      const mob = await customer.lock("MOB", "300", newEthAddress());
      await query(stage, "update orders set delivery_address = $1 where id = $2", [
        await findToken(stage.site),
        mob.id,
      ]);
      await payMob(stage.site, mob.funding_address, mob.source_amount);
      await open(page, await customer.waitForStatus(mob.id, "needs_decision"));
      await expect(heading(page, /^The payout could not be made$/)).toBeVisible();
    },
    "order-payout-waits": async (world) => {
      const { page } = await world.stage.open();
      const recovered = await recover(page, world.customer);
      const order = await pay(recovered, "35");
      await open(page, await recovered.waitForStatus(order.id, "paying_out"));
      await expect(page.getByText(/^Paid out in/)).toBeVisible();
      world.page = page;
    },
    "tally-two-browsers": ({ page }) => page.goto("/doger"),
    "board-no-price": async ({ page, stage }) => {
      await query(stage, "update rate_points set at = at - interval '3 hours'", []);
      await page.goto("/vegas");
      await expect(page.getByText("No price", { exact: true })).toBeVisible();
    },
    "board-no-history": ({ page }) => page.goto("/vegas?range=1h"),
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
