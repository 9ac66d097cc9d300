import { describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";
import { testDatabases } from "../../support/test-database";

const hour = 3_600_000;

describe.each(testDatabases)("a funding address that another order had before, on %s", (kind) => {
  const w = forAllTests(() => openOrders(kind));

  it("does not credit a deposit that is older than the order, and alerts an operator (T48)", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, 100_000_000n, { at: new Date(Date.now() - hour) });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "awaiting_deposit", incoming_txs: [] });
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      {
        subject: `transfer:${hash}:0`,
        orderId: order.id,
        reason: expect.stringMatching(/before the order existed .* that was lost when a backup was restored\.$/),
        action: expect.stringContaining(`run "operate dismiss transfer:${hash}:0"`),
      },
    ]);

    // The order's own deposit counts.
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.incoming_txs).toHaveLength(1);
    expect(w.usdt.paid.filter(({ to }) => to === order.refundAddress)).toEqual([]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("credits a deposit even if the chain's clock is two minutes behind ours, as nodes in sync may be (T48)", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n, { at: new Date(Date.now() - 2 * 60_000) });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("is not given out again if something was paid to it (T48)", async () => {
    const user = await w.createUser();
    const { fundingIndex } = await w.lock(user, "USDT", "100");
    // What was paid for orders that this database does not have.
    const used = [1, 2, 3].map((next) => `USDT-funding-${fundingIndex + next}`);
    for (const address of used) w.usdt.deposit(address, 5_000_000n);
    const order = await w.lock(user, "USDT", "100");
    expect(order.fundingAddress).toBe(`USDT-funding-${fundingIndex + 4}`);
  });
});
