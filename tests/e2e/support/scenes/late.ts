import { expect } from "@playwright/test";
import { arrive } from "../people";
import { faucet, newEthAddress } from "../sandbox";
import { heading } from "../swap-screens";
import { open } from "./orders";
import { defineRoom } from "./room";

/** A lock of six seconds: whoever pays then is late. */
export const late = defineRoom({
  name: "late",
  env: { LOCK_TTL_MS: "6000", GRACE_MS: "1000", REFUND_COST_USDT: "1" },
  async enter(stage) {
    const visitor = await stage.open();
    const customer = await arrive(visitor.page, stage.site);
    const mine = newEthAddress();
    const unpaid = await customer.lock("USDT", "100", mine);
    const paid = await customer.lock("USDT", "120", mine);
    const crumbs = await customer.lock("USDT", "30", mine);
    return { ...visitor, customer, unpaid, paid, crumbs, site: stage.site };
  },
  scenes: {
    "order-expired": async ({ page, customer, unpaid }) => {
      await customer.waitForStatus(unpaid.id, "expired");
      await open(page, unpaid);
    },
    "order-late": async ({ page, customer, paid, crumbs, site }) => {
      await customer.waitForStatus(paid.id, "expired");
      await customer.waitForStatus(crumbs.id, "expired");
      await faucet(site, paid.funding_address, "USDT", "120");
      await faucet(site, crumbs.funding_address, "USDT", "0.7");
      await customer.waitForStatus(paid.id, "needs_decision");
      await open(page, paid);
      await expect(page.getByRole("button", { name: "Swap it at this price" })).toBeVisible();
    },
    "order-late-too-little": async ({ page, customer, crumbs }) => {
      await customer.waitForStatus(crumbs.id, "needs_decision");
      await open(page, crumbs);
    },
    "order-nothing-to-refund": async ({ page, customer, crumbs }) => {
      await customer.call("POST", `/api/swap/swaps/${crumbs.id}/decision`, { choice: "refund" });
      await open(page, crumbs);
      await expect(heading(page, /^There was too little to send back$/)).toBeVisible();
    },
  },
});
