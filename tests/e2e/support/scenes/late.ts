import { expect } from "@playwright/test";
import { signUp } from "../customers";
import { faucet, newEthAddress } from "../sandbox";
import { heading } from "../swap-screens";
import { open } from "./orders";
import { defineScenes } from "./scene-group";

/**
 * 15 seconds to pay: enough to lock three prices before the first ends, even on a busy machine. Every payment after
 * that is late. Also the contact page of a site without a support address.
 */
export const late = defineScenes({
  name: "late",
  env: { LOCK_TTL_MS: "15000", GRACE_MS: "500", REFUND_COST_USDT: "1", SUPPORT_EMAIL: "" },
  async prepare(stage) {
    const visitor = await stage.open();
    const customer = await signUp(visitor.page, stage.site);
    const mine = newEthAddress();
    const unpaid = await customer.lock("USDT", "100", mine);
    const paid = await customer.lock("USDT", "120", mine);
    const tiny = await customer.lock("USDT", "30", mine);
    return { ...visitor, customer, unpaid, paid, tiny, site: stage.site };
  },
  scenes: {
    // In the meantime, the prices expire.
    "contact-unavailable": ({ page }) => page.goto("/contact"),
    "order-expired": async ({ page, customer, unpaid }) => {
      await customer.waitForStatus(unpaid.id, "expired");
      await open(page, unpaid);
    },
    "order-late": async ({ page, customer, paid, tiny, site }) => {
      await customer.waitForStatus(paid.id, "expired");
      await customer.waitForStatus(tiny.id, "expired");
      await faucet(site, paid.funding_address, "USDT", "120");
      await faucet(site, tiny.funding_address, "USDT", "0.7");
      await customer.waitForStatus(paid.id, "needs_decision");
      await open(page, paid);
      await expect(page.getByRole("button", { name: /^Swap for .+ at the new price$/ })).toBeVisible();
    },
    "order-late-too-little": async ({ page, customer, tiny }) => {
      await customer.waitForStatus(tiny.id, "needs_decision");
      await open(page, tiny);
    },
    "order-nothing-to-refund": async ({ page, customer, tiny }) => {
      await customer.api.decideOrder(tiny.id, { choice: "refund" });
      await open(page, tiny);
      await expect(heading(page, /^There was too little to send back$/)).toBeVisible();
    },
  },
});
