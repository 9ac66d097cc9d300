import { afterEach, beforeEach, expect, it } from "vitest";
import { createMobilecoinWallet } from "~/exchange.server/chains/mobilecoin/wallet";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { getOffReason } from "~/exchange.server/switches/switches";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { connect, startTestnet } from "./setup";

let testnet: Awaited<ReturnType<typeof startTestnet>>;
let database: OpenDatabase;
let w: OrdersHarness;
let losesResponses = false;
beforeEach(async () => {
  testnet = await startTestnet();
  database = await openTestDatabase("PGlite");
  w = await createOrdersHarness(database, { chains: { MOB: loseResponses(testnet.gateway) } });
});
afterEach(async () => {
  losesResponses = false;
  await database.close();
  await testnet.sandbox.stop();
});

/** A wallet whose responses get lost after it has assigned an address. */
function loseResponses(gateway: typeof testnet.gateway): typeof testnet.gateway {
  return {
    ...gateway,
    async assignFundingAddress(order) {
      const assigned = await gateway.assignFundingAddress(order);
      if (losesResponses) throw new Error("the response is lost");
      return assigned;
    },
  };
}

const readNextIndex = async () => {
  const { sandbox, service } = testnet;
  return (await createMobilecoinWallet(service, { accountId: sandbox.accountId, fogServers: null }).getStatus()).account
    .next_subaddress_index;
};

it.each(["the same process", "another process"])(
  "a lock that is repeated after the wallet's responses were lost uses up one subaddress, in %s (T46)",
  async (where) => {
    const createUser = () => w.createUser({ MOB: testnet.sandbox.wallet().address });
    const user = await createUser();
    const quote = await w.quote(user, "MOB", "100");
    const before = await readNextIndex();
    losesResponses = true;
    for (const key of ["key", "key", "another key"]) {
      await expect(w.lockQuote(user, quote.id, "MOB", key)).rejects.toMatchObject({ code: "swaps_stopped" });
    }
    losesResponses = false;
    // Others lock in between.
    for (let i = 0; i < 6; i += 1) await w.lock(await createUser(), "MOB", "100");
    const other = w.inProcess({ ...w.ctx, chains: { ...w.ctx.chains, MOB: connect(testnet.sandbox).gateway } });
    const order = await (where === "the same process" ? w : other).lockQuote(user, quote.id, "MOB", "key");
    expect(await readNextIndex()).toBe(before + 7n);
    expect(await w.lockQuote(user, quote.id, "MOB", "key")).toMatchObject({ id: order.id });
    // The next start finds the index of each order at the wallet.
    await checkHistory(w.ctx, "MOB", { isThorough: true });
    expect(await getOffReason(w.ctx.db, "swaps")).toBeNull();
  },
);
