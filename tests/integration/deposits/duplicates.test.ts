import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChainTransfer, ScanResult } from "~/exchange.server/chains/gateway";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";
import { testDatabases } from "../../support/test-database";

describe.each(testDatabases)("duplicate logs on %s", (kind) => {
  const w = forAllTests(() => openOrders(kind));
  let changeTransfers: (transfers: ChainTransfer[]) => ChainTransfer[];

  beforeAll(async () => {
    const scan = w.usdt.scan.bind(w.usdt);
    w.usdt.scan = async (...args): Promise<ScanResult> => {
      const result = await scan(...args);
      return { ...result, transfers: changeTransfers(result.transfers) };
    };
  });

  it("credits one log of the chain once, even though it arrives as several transfers (T51)", async () => {
    changeTransfers = (transfers) =>
      transfers.flatMap((transfer) => [0, 1, 2].map((ordinal) => ({ ...transfer, ordinal })));
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.incoming_txs).toHaveLength(1);
    expect(done.outgoing_txs.map(({ purpose }) => purpose)).toEqual(["payout"]);
    expect(w.usdt.paid.filter(({ to }) => to === order.refundAddress)).toEqual([]);
  });

  it("refuses a second deposit of the same log in the database", async () => {
    changeTransfers = (transfers) => transfers;
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    const [row] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id));
    if (!row) throw new Error("no deposit found");
    const copy = { ...row, id: `${row.id.slice(0, -1)}x`, ordinal: row.ordinal + 1 };
    await expect(w.ctx.db.insert(deposits).values(copy)).rejects.toThrow();
    await w.ctx.db.insert(deposits).values({ ...copy, blockLogIndex: 7 });
  });
});
