import { asc, eq } from "drizzle-orm";
import { type Abi, encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { switchOff } from "~/exchange.server/switches/switches";
import { compileContract } from "~/sandbox.server/ethereum/compile";
import { tetherLikeAbi } from "~/sandbox.server/ethereum/token-owner";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";
import { fickleSource } from "../../support/tokens";
import { startTestnet, type Testnet, usdt } from "./setup";

/** An order of 100 USDT that has deposits, but no payout yet, when a reorg replaces their block. */
describe("T50 a reorg that replaces the block of a deposit", { timeout: 120_000 }, () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  let w: OrdersHarness;
  let user: User;
  let order: { id: string; fundingAddress: string };
  beforeEach(async () => {
    testnet = await startTestnet();
    database = await openTestDatabase("PostgreSQL");
    w = await createOrdersHarness(database, { chains: { USDT: testnet.gateway() } });
    user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    await testnet.mine();
    await w.tick();
    order = await w.lock(user, "USDT", "100");
  });
  afterEach(async () => {
    await database.close();
    await testnet.close();
  });

  const readOrder = async () => ({
    status: (await w.see(user, order.id)).status,
    deposits: (await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id)).orderBy(asc(deposits.id)))
      .filter(({ status }) => status !== "failed")
      .map(({ amount, status }) => [amount, status]),
    held: await testnet.balanceOf(order.fundingAddress),
    paid: w.mob.paid.length,
  });
  const setPayments = async (isOn: boolean) => {
    const at = await w.ctx.clock.now(w.ctx.db);
    await (isOn ? switchOn(w.ctx.db, "payments") : switchOff(w.ctx.db, "payments", { reason: "A test.", at }));
  };
  /** A funded account and its signature of one transaction. */
  async function sign(to: `0x${string}`, data: `0x${string}`): Promise<unknown> {
    const sender = privateKeyToAccount(generatePrivateKey());
    await testnet.rpc("anvil_setBalance", sender.address, "0x56bc75e2d63100000");
    const { chainId } = testnet.chain;
    const fees = { gas: 300_000n, maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
    if (to === testnet.chain.usdtAddress) {
      await testnet.mineUntilDone(testnet.chain.faucet({ address: sender.address, asset: "USDT", amount: usdt(500) }));
    }
    return sender.signTransaction({ type: "eip1559", chainId, nonce: 0, to, data, ...fees });
  }
  /** Mines transactions and scans, then replaces their blocks by others with some of them, one block later. */
  async function reorg(depth: number, before: unknown[], chooseAfter: () => Promise<unknown[]>): Promise<void> {
    await setPayments(false);
    const snapshot = await testnet.rpc("evm_snapshot");
    for (const raw of before) await testnet.rpc("eth_sendRawTransaction", raw);
    await testnet.mine(depth);
    await w.tick();
    const after = await chooseAfter();
    await testnet.rpc("evm_revert", snapshot);
    await testnet.rpc("anvil_dropAllTransactions");
    await testnet.mine();
    for (const raw of after) await testnet.rpc("eth_sendRawTransaction", raw);
    await testnet.mine(depth + 1);
    await setPayments(true);
  }
  async function settle(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      await w.pay("MOB");
      await w.scan("USDT");
      await testnet.mine();
      w.mob.mine();
    }
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  }

  it("may keep only one of its two deposits: nothing is paid for the other one", async () => {
    const pay = (amount: number) =>
      encodeFunctionData({
        abi: tetherLikeAbi,
        functionName: "transfer",
        args: [order.fundingAddress as `0x${string}`, usdt(amount)],
      });
    const amounts = [1, 99];
    const signed: unknown[] = [];
    for (const amount of amounts) signed.push(await sign(testnet.chain.usdtAddress, pay(amount)));
    let kept = 0;
    await reorg(6, signed, async () => {
      expect((await readOrder()).status).toBe("paying_out");
      // The one that is looked up first.
      const [[first] = []] = (await readOrder()).deposits;
      kept = first === usdt(1) ? 0 : 1;
      return [signed[kept]];
    });
    await w.pay("MOB");
    expect((await readOrder()).paid).toBe(0);
    await settle();
    const amount = usdt(amounts[kept] ?? 0);
    expect(await readOrder()).toMatchObject({ deposits: [[amount, "confirmed"]], held: amount, paid: 0 });
  });

  it.each([
    ["someone else", 6],
    ["someone else", 1],
    ["another amount", 6],
    ["another amount", 1],
  ] as const)(
    "may make a contract pay %s (%i blocks deep): the order has what its address holds",
    async (what, depth) => {
      const { abi, bytecode } = compileContract(fickleSource, "Fickle");
      const deployed = await testnet.receiptOf(await testnet.customer.deployContract({ abi: abi as Abi, bytecode }));
      const contract = deployed.contractAddress as `0x${string}`;
      await testnet.send(contract, usdt(1_000));
      await testnet.mine();
      if ((await testnet.height()) % 2 === 0) await testnet.mine();
      await w.tick();
      const own = order.fundingAddress as `0x${string}`;
      const other = what === "someone else" ? privateKeyToAddress(generatePrivateKey()) : own;
      const data = encodeFunctionData({
        abi: parseAbi(["function pay(address,address,address,uint256,uint256)"]),
        args: [testnet.chain.usdtAddress, own, other, usdt(100), usdt(1)],
      });
      const raw = await sign(contract, data);
      await reorg(depth, [raw], async () => {
        expect((await readOrder()).deposits).toEqual([[usdt(100), depth === 6 ? "confirmed" : "pending"]]);
        return [raw];
      });
      await settle();
      const held = what === "someone else" ? 0n : usdt(1);
      const status = what === "someone else" ? "awaiting_deposit" : "needs_decision";
      const expected = { status, held, paid: 0, deposits: held === 0n ? [] : [[held, "confirmed"]] };
      expect(await readOrder()).toEqual(expected);
    },
  );
});
