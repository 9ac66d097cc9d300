import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { getBalance, treasury } from "~/exchange.server/ledger/ledger";
import { recordOpeningBalance } from "~/exchange.server/ledger/open-books";
import { checkReserves, listReserveChecks } from "~/exchange.server/payments/reserves/check-reserves";
import { createTestContext } from "../../support/context";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

describe("the opening balance", () => {
  let database: OpenDatabase;
  beforeEach(async () => {
    database = await openTestDatabase("PGlite");
  });
  afterEach(() => database.close());

  it("is what the wallet holds at the first start, and never changes at a later one", async () => {
    const { ctx, fakes } = createTestContext(database);
    fakes.MOB.faults.spendable = 500n;
    await recordOpeningBalance(ctx, "MOB");
    fakes.MOB.faults.spendable = 900n;
    await recordOpeningBalance(ctx, "MOB");
    expect(await getBalance(ctx.db, "MOB", treasury)).toBe(500n);
  });

  it("is logged by a live exchange, once: a wrong database would look new as well", async () => {
    const { ctx, fakes } = createTestContext(database);
    fakes.MOB.faults.spendable = 5n * 10n ** 12n;
    const lines: unknown[] = [];
    const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
    const live = { ...ctx, log, config: { ...ctx.config, mode: "live" as const } };
    await recordOpeningBalance(live, "MOB");
    await recordOpeningBalance(live, "MOB");
    expect(lines).toMatchObject([{ asset: "MOB", amount: "5", msg: expect.stringContaining("this exchange is new") }]);
  });

  it("stays 0 if the wallet was empty at the first start", async () => {
    const { ctx, fakes } = createTestContext(database);
    fakes.MOB.faults.spendable = 0n;
    await recordOpeningBalance(ctx, "MOB");
    fakes.MOB.faults.spendable = 900n;
    await recordOpeningBalance(ctx, "MOB");
    expect(await getBalance(ctx.db, "MOB", treasury)).toBe(0n);
  });

  it("is not recorded before the wallet is in sync", async () => {
    const { ctx, fakes } = createTestContext(database);
    const { readHoldings } = fakes.MOB;
    fakes.MOB.readHoldings = async () => null;
    await expect(recordOpeningBalance(ctx, "MOB")).rejects.toThrow("not known");
    fakes.MOB.readHoldings = readHoldings;
    fakes.MOB.faults.spendable = 900n;
    await recordOpeningBalance(ctx, "MOB");
    expect(await getBalance(ctx.db, "MOB", treasury)).toBe(900n);
  });

  it("is recorded before the books are first compared with the wallet", async () => {
    const { ctx } = createTestContext(database);
    await checkReserves(ctx, "MOB");
    expect(await listReserveChecks(ctx.db)).toEqual([]);
    await recordOpeningBalance(ctx, "MOB");
    await checkReserves(ctx, "MOB");
    expect(await listReserveChecks(ctx.db)).toMatchObject([{ asset: "MOB", shortSince: null, surplusSince: null }]);
  });

  it("does not count a customer's deposit into an empty wallet as the exchange's own funds", async () => {
    const { ctx, fakes } = createTestContext(database);
    fakes.MOB.faults.spendable = 0n;
    await recordOpeningBalance(ctx, "MOB");
    const w = await createOrdersHarness(database, { fakes });
    const user = await w.createUser();
    const order = await w.lock(user, "MOB", "120");
    fakes.MOB.deposit(order.fundingAddress, 60_000_000_000_000n);
    await w.settle();
    // The deposit waits for the customer's decision, and our wallet can spend it.
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    fakes.MOB.faults.spendable = 60_000_000_000_000n;
    await recordOpeningBalance(ctx, "MOB");
    expect(await getBalance(ctx.db, "MOB", treasury)).toBe(0n);
    expect(await checkBooks(ctx.db)).toEqual([]);
  });
});
