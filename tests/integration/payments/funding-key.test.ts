import { expect, it } from "vitest";
import { checkFundingKey } from "~/exchange.server/startup-checks/check-funding-key";
import { getOffReason } from "~/exchange.server/switches/switches";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";

const w = forAllTests(() => openOrders("PGlite"));

it("T48 stops new swaps, and nothing else, while ETH_XPUB is not the key of our newest order", async () => {
  const start = () => checkFundingKey(w.ctx);
  const user = await w.createUser();
  const ours = w.usdt.deriveFundingAddress;
  w.usdt.deriveFundingAddress = (index) => `another-${index}`;
  await start();
  expect(await getOffReason(w.ctx.db, "swaps")).toBeNull();

  w.usdt.deriveFundingAddress = ours;
  const { fundingIndex } = await w.lock(user, "USDT", "100");
  await start();
  expect(await getOffReason(w.ctx.db, "swaps")).toBeNull();

  w.usdt.deriveFundingAddress = (index) => `another-${index}`;
  await start();
  expect(await getOffReason(w.ctx.db, "swaps")).toContain(`ETH_XPUB derives for funding index ${fundingIndex} `);
  expect(await getOffReason(w.ctx.db, "payments")).toBeNull();

  // Another process with the right key does not end the stop.
  w.usdt.deriveFundingAddress = ours;
  await start();
  expect(await getOffReason(w.ctx.db, "swaps")).not.toBeNull();
});
