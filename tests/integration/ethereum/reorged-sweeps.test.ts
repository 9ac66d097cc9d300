import { encodeFunctionData } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { checkReserves, listReserveChecks } from "~/exchange.server/payments/reserves/check-reserves";
import { getOffReason } from "~/exchange.server/switches/switches";
import { tetherLikeAbi } from "~/sandbox.server/ethereum/token-owner";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { startTestnet, type Testnet, usdt } from "./setup";

describe("a funding address that was seen empty", { timeout: 120_000 }, () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  let w: OrdersHarness;
  let user: User;
  let ahead: number;
  beforeEach(async () => {
    testnet = await startTestnet();
    database = await openTestDatabase("PGlite");
    await testnet.mine();
    ahead = 0;
    const gateway = testnet.gateway({ maxHeadAgeMs: 1e9, now: () => Date.now() + ahead });
    w = await createOrdersHarness(database, { chains: { USDT: gateway } });
    user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
  });
  afterEach(async () => {
    await database?.close();
    await testnet?.close();
  });

  /** An order whose deposit was credited and which was paid out. */
  const swap = async () => {
    const order = await w.lock(user, "USDT", "100");
    await testnet.send(order.fundingAddress, usdt(100));
    for (let step = 0; step < 5; step += 1) {
      await testnet.mine();
      w.mob.mine();
      await w.tick();
    }
    expect((await w.see(user, order.id)).status).toBe("completed");
    return order;
  };
  /** Sends what is at the address to our wallet, as an operator does. */
  const collect = async (address: string) => {
    await testnet.rpc("anvil_impersonateAccount", address);
    await testnet.rpc("anvil_setBalance", address, "0x56bc75e2d63100000");
    const args = [w.ctx.chains.USDT.signer as `0x${string}`, await testnet.balanceOf(address)] as const;
    const data = encodeFunctionData({ abi: tetherLikeAbi, functionName: "transfer", args });
    const to = testnet.chain.usdtAddress;
    await testnet.rpc("eth_sendTransaction", { from: address, to, gas: "0x30d40", data });
    await testnet.mine();
    expect(await testnet.balanceOf(address)).toBe(0n);
  };
  /** Goes back to a snapshot and mines other blocks instead. */
  const reorg = async (snapshot: unknown, blocks: number) => {
    await testnet.rpc("evm_revert", snapshot);
    await testnet.rpc("anvil_dropAllTransactions");
    const head = await testnet.customer.getBlock();
    const time = Math.max(Math.floor(Date.now() / 1000), Number(head.timestamp) + 7);
    await testnet.rpc("evm_setNextBlockTimestamp", time);
    if (blocks > 0) await testnet.mine(blocks);
  };
  /** Compares twice, so that a shortage would have lasted long enough to stop payments. */
  const expectNothingMissing = async () => {
    await checkReserves(w.ctx, "USDT");
    ahead += 11_000;
    w.wait(11_000);
    await checkReserves(w.ctx, "USDT");
    const [check] = (await listReserveChecks(w.ctx.db)).filter(({ asset }) => asset === "USDT");
    expect(check).toMatchObject({ shortSince: null, surplusSince: null });
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  };

  it("T50 is read again after a reorg has put the money back", async () => {
    const { fundingAddress } = await swap();
    await expectNothingMissing();
    const snapshot = await testnet.rpc("evm_snapshot");
    await collect(fundingAddress);
    await expectNothingMissing();
    await reorg(snapshot, 2);
    await w.scan("USDT");
    expect(await testnet.balanceOf(fundingAddress)).toBe(usdt(100));
    await expectNothingMissing();
  });

  it("T50 is read again when its deposit is back in an earlier block", async () => {
    const order = await w.lock(user, "USDT", "100");
    const snapshot = await testnet.rpc("evm_snapshot");
    const hash = await testnet.send(order.fundingAddress, usdt(100));
    const raw = await testnet.rpc("eth_getRawTransactionByHash", hash);
    await testnet.mine();
    await w.scan("USDT");
    await reorg(snapshot, 0);
    const second = await testnet.rpc("evm_snapshot");
    await testnet.mine(6);
    // Before the scan has seen that the deposit is gone.
    await expectNothingMissing();
    await reorg(second, 0);
    await testnet.rpc("eth_sendRawTransaction", raw);
    for (let step = 0; step < 9; step += 1) {
      await testnet.mine();
      w.mob.mine();
      await w.tick();
    }
    expect(await w.ctx.db.select().from(deposits)).toMatchObject([{ status: "confirmed" }]);
    await expectNothingMissing();
  });

  it("is no longer read once it was empty after a final block", async () => {
    const { fundingAddress } = await swap();
    await collect(fundingAddress);
    const readHoldings = vi.spyOn(w.ctx.chains.USDT, "readHoldings");
    const wasRead = async () => {
      readHoldings.mockClear();
      await expectNothingMissing();
      return readHoldings.mock.calls.some(([addresses]) => addresses.includes(fundingAddress));
    };
    expect(await wasRead()).toBe(true);
    await testnet.mine(30);
    await w.tick();
    expect(await wasRead()).toBe(true);
    await testnet.mine(100);
    await w.tick();
    await expectNothingMissing();
    expect(await wasRead()).toBe(false);
  });
});
