import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ChainGateway, FragmentedFundsError } from "~/exchange.server/chains/gateway";
import type { FullService } from "~/exchange.server/chains/mobilecoin/full-service";
import { consolidations, payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { runPayments } from "~/exchange.server/payments/run-payments";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { eventually, mob, scanAll, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
let service: FullService;
beforeEach(async () => {
  ({ sandbox, gateway, service } = await startTestnet());
});
afterEach(() => sandbox.stop());

const mainAddress = async () => {
  const result = z.object({ account: z.object({ main_address: z.string() }) });
  return (await service.call("get_account_status", { account_id: sandbox.accountId }, result)).account.main_address;
};
const prepare = (amount: bigint) =>
  gateway.preparePayment({ paymentId: "payment", to: sandbox.wallet().address, amount, nonce: null });

describe("MOB in more outputs than one transaction can spend (T60)", () => {
  it("is merged by a payment to ourselves, which is not a deposit", async () => {
    // 1,050,000 MOB in 17 outputs; a transaction has at most 16 inputs.
    await sandbox.controls.mint({ address: await mainAddress(), amount: mob(50_000) });
    const maxPayment = mob(1_000_000) - 400_000_000n;
    expect(await gateway.readWallet()).toMatchObject({ spendable: mob(1_050_000), maxPayment });
    await expect(prepare(mob(1_010_000))).rejects.toBeInstanceOf(FragmentedFundsError);
    const consolidation = await gateway.prepareConsolidation();
    if (!consolidation) throw new Error("a consolidation");
    await gateway.broadcast(JSON.parse(JSON.stringify(consolidation)));
    await eventually(
      () => gateway.getPaymentState(consolidation),
      ({ kind }) => kind === "in_block",
    );
    expect((await prepare(mob(1_010_000))).amount).toBe(mob(1_010_000).toString());
    expect((await scanAll(gateway)).transfers).toEqual([]);
  });

  it("is not merged while the wallet is not in sync: what it counts may be spent", async () => {
    sandbox.controls.setSynced(false);
    expect(await gateway.prepareConsolidation()).toBeNull();
    sandbox.controls.setSynced(true);
    expect(await gateway.prepareConsolidation()).not.toBeNull();
  });

  it("delays a payout until it is merged; its fee is booked and the books match the wallet", async () => {
    const database = await openTestDatabase("PGlite");
    const world = await createOrdersHarness(database);
    const user = await world.createUser({ MOB: sandbox.wallet().address });
    const order = await world.lock(user, "USDT", "100");
    // Almost everything is spent, so that only 40 small outputs are left, which together cover the payout.
    const keep = order.targetAmount / 25n;
    for (let i = 0; i < 40; i += 1) await sandbox.controls.mint({ address: await mainAddress(), amount: keep });
    const emptied = await prepare(mob(1_000_000) - 400_000_000n);
    await gateway.broadcast(emptied);
    await eventually(
      () => gateway.getPaymentState(emptied),
      ({ kind }) => kind === "in_block",
    );
    const { spendable, maxPayment } = await gateway.readWallet();
    expect(maxPayment).toBeLessThan(order.targetAmount);

    world.ctx.chains.MOB = gateway;
    world.usdt.deposit(order.fundingAddress, 100_000_000n);
    world.usdt.mine(3);
    await world.scan("USDT");
    await eventually(
      async () => {
        await runPayments(world.ctx, "MOB");
        world.wait(5_000);
        return database.db.select().from(payments).where(eq(payments.orderId, order.id));
      },
      ([payout]) => payout?.status === "confirmed",
    );
    const booked = await database.db.select().from(consolidations);
    expect(booked.length).toBeGreaterThan(0);
    expect(booked.every(({ status }) => status === "confirmed")).toBe(true);
    const spent = order.targetAmount + 400_000_000n * BigInt(booked.length + 1);
    expect((await gateway.readWallet()).spendable).toBe(spendable - spent);
    expect(await checkBooks(database.db)).toEqual([]);
    await database.close();
  });

  it("is not promised beyond the largest single payment: neither quoted nor locked", async () => {
    const database = await openTestDatabase("PGlite");
    const world = await createOrdersHarness(database);
    const user = await world.createUser();
    const quote = await world.quote(user, "USDT", "100");
    world.mob.faults.maxPayment = quote.targetAmount - 1n;
    await world.tick();
    await expect(world.lockQuote(user, quote.id, "USDT", "a-key")).rejects.toMatchObject({ code: "liquidity" });
    await expect(world.quote(user, "USDT", "100")).rejects.toMatchObject({ code: "liquidity" });
    expect((await world.quote(user, "USDT", "50")).targetAmount).toBeLessThan(quote.targetAmount);
    await database.close();
  });
});
