import { eq } from "drizzle-orm";
import { type Abi, encodeFunctionData, numberToHex, pad, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { recheckDeposits } from "~/exchange.server/deposits/rechecks/recheck-deposits";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { switchOff } from "~/exchange.server/switches/switches";
import { compileContract } from "~/sandbox.server/ethereum/compile";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";
import { splitterSource } from "../../support/tokens";
import { type FaultyNode, type Override, startFaultyNode } from "./faulty-node";
import { startTestnet, type Testnet, usdt } from "./setup";

type Log = { data: string; logIndex: string; topics: string[]; transactionHash: string };

/** Nodes that report the same transfer differently, in orders of 100 USDT. */
describe("T51 T55 a transfer that a node reports differently", { timeout: 120_000 }, () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  const nodes: FaultyNode[] = [];
  /** The chain to which each test returns. */
  let start: unknown;
  beforeAll(async () => {
    testnet = await startTestnet();
  });
  afterAll(() => testnet?.close());
  beforeEach(async () => {
    start = await testnet.rpc("evm_snapshot");
    database = await openTestDatabase("PostgreSQL");
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) node.close();
    await testnet.rpc("evm_revert", start);
    await database.close();
  });

  async function startNode(override: Override): Promise<string> {
    const node = await startFaultyNode(testnet, override);
    nodes.push(node);
    return node.url;
  }
  async function openWorld(rpcUrls: string[], { now = Date.now } = {}): Promise<OrdersHarness> {
    const USDT = testnet.gateway({ rpcUrls, maxHeadAgeMs: 1e9, now });
    const w = await createOrdersHarness(database, { chains: { USDT } });
    await testnet.mine();
    await w.tick();
    return w;
  }
  async function lock(w: OrdersHarness) {
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    const order = await w.lock(user, "USDT", "100");
    const read = async () => ({
      status: (await w.see(user, order.id)).status,
      deposits: (await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id)))
        .filter(({ status }) => status !== "failed")
        .map(({ amount, status }) => [amount, status]),
      refunded: await testnet.balanceOf(order.refundAddress),
    });
    return { ...order, read };
  }
  /** Blocks come, are scanned and payments are made. */
  async function proceed(w: OrdersHarness): Promise<void> {
    for (let block = 0; block < 8; block += 1) {
      await testnet.mine();
      w.mob.mine();
      for (const asset of ["USDT", "MOB"] as const) {
        await w.scan(asset);
        await w.pay(asset);
      }
    }
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  }
  const swapped = { status: "completed", deposits: [[usdt(100), "confirmed"]], refunded: 0n };

  /** Responds like the real node, with some logs changed or left out. */
  const changeLogs =
    (change: (log: Log) => Log | null, methods = ["eth_getLogs"]): Override =>
    async (call) => {
      if (!methods.includes(call.method)) return undefined;
      const { result } = JSON.parse(await testnet.chain.request(call)) as { result: Log[] | { logs: Log[] } | null };
      const changeAll = (logs: Log[]) => logs.flatMap((log) => change(log) ?? []);
      if (result === null) return { result };
      return { result: Array.isArray(result) ? changeAll(result) : { ...result, logs: changeAll(result.logs) } };
    };
  const among = (url: string, position: number) =>
    [testnet.chain.rpcUrl, testnet.chain.rpcUrl].toSpliced(position - 1, 0, url);

  it.each([
    ["another amount", 1, (log: Log) => ({ ...log, data: pad(numberToHex(usdt(7)), { size: 32 }) })],
    ["another amount", 2, (log: Log) => ({ ...log, data: pad(numberToHex(usdt(7)), { size: 32 }) })],
    ["another log index", 1, (log: Log) => ({ ...log, logIndex: numberToHex(Number(log.logIndex) + 1) })],
    ["another log index", 3, (log: Log) => ({ ...log, logIndex: numberToHex(Number(log.logIndex) + 1) })],
  ])("is credited once: %s, node %i of three", async (_what, position, change) => {
    const w = await openWorld(among(await startNode(changeLogs(change)), position));
    const order = await lock(w);
    await testnet.send(order.fundingAddress, usdt(100));
    await proceed(w);
    expect(await order.read()).toEqual(swapped);
  });

  /** Pays 100 USDT each to two addresses in one transaction. */
  async function preparePayBoth() {
    const { abi, bytecode } = compileContract(splitterSource, "Splitter");
    const deployed = await testnet.receiptOf(await testnet.customer.deployContract({ abi: abi as Abi, bytecode }));
    const splitter = deployed.contractAddress as `0x${string}`;
    await testnet.mineUntilDone(testnet.chain.faucet({ address: splitter, asset: "USDT", amount: usdt(1_000) }));
    return (first: string, second: string) =>
      testnet.customer.sendTransaction({
        to: splitter,
        gas: 300_000n,
        data: encodeFunctionData({
          abi: parseAbi(["function pay(address token, address first, address second, uint256 value)"]),
          args: [testnet.chain.usdtAddress, first as `0x${string}`, second as `0x${string}`, usdt(100)],
        }),
      });
  }
  const toTopic = (address: string) => pad(address.toLowerCase() as `0x${string}`);

  it.each([1, 3])("is credited once when node %i of three hides the log before it", async (position) => {
    const payBoth = await preparePayBoth();
    let hidden = "";
    const hide = changeLogs((log) => (log.topics[2] === hidden ? null : log));
    const w = await openWorld(among(await startNode(hide), position));
    const [first, second] = [await lock(w), await lock(w)];
    hidden = toTopic(first.fundingAddress);
    await payBoth(first.fundingAddress, second.fundingAddress);
    await proceed(w);
    expect([await first.read(), await second.read()]).toEqual([swapped, swapped]);
  });

  it.each([
    ["another order", "the first log"],
    ["another order", "the second log"],
    ["the same order", "the first log"],
    ["a stranger", "the first log"],
  ])("is credited once when the only node finds a log to %s late: %s", async (receiver, late) => {
    const payBoth = await preparePayBoth();
    let pair: string | null = null;
    let hidden = 0;
    const node = await startNode(async (call) => {
      if (call.method !== "eth_getLogs" || pair === null) return undefined;
      const { result } = JSON.parse(await testnet.chain.request(call)) as { result: Log[] };
      const logs = result.filter(({ transactionHash }) => transactionHash === pair);
      const log = late === "the first log" ? logs[0] : logs[1];
      if (log) hidden += 1;
      return { result: result.filter((other) => other !== log) };
    });
    let later = 0;
    const w = await openWorld([node], { now: () => Date.now() + later });
    const [first, second] = [await lock(w), await lock(w)];
    const stranger = privateKeyToAddress(generatePrivateKey());
    const others = { "another order": first, "the same order": second } as Record<string, typeof first>;
    pair = await payBoth(others[receiver]?.fundingAddress ?? stranger, second.fundingAddress);
    await proceed(w);
    expect(hidden).toBeGreaterThan(0);
    pair = null;
    for (let i = 0; i < 3; i += 1) {
      later += 31_000;
      w.wait(31_000);
      await proceed(w);
    }
    if (receiver === "the same order") {
      expect((await second.read()).deposits).toEqual([
        [usdt(100), "confirmed"],
        [usdt(100), "confirmed"],
      ]);
    } else {
      const expected = receiver === "another order" ? [swapped, swapped] : [swapped];
      expect([await second.read(), await first.read()].slice(0, expected.length)).toEqual(expected);
    }
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it.each(["amount", "receiver"])(
    "is credited as two nodes of three report it, once node 3 has caught up: node 1 claims another %s",
    async (what) => {
      let lie: { hash: string; receiver: string } | null = null;
      const liar = await startNode(
        changeLogs(
          (log) => {
            if (log.transactionHash !== lie?.hash) return log;
            if (what === "amount") return { ...log, data: pad(numberToHex(usdt(1_000)), { size: 32 }) };
            const receiver = pad(lie.receiver.toLowerCase() as `0x${string}`);
            return { ...log, topics: [...log.topics.slice(0, 2), receiver] };
          },
          ["eth_getLogs", "eth_getTransactionReceipt"],
        ),
      );
      let head: number | null = null;
      const lagging = await startNode(async ({ id, method, params }) => {
        if (head === null) return undefined;
        const [block, ...rest] = params as [string];
        if (method === "eth_blockNumber") return { result: numberToHex(head) };
        if (method === "eth_getTransactionReceipt") return { result: null };
        if (method !== "eth_getBlockByNumber") return undefined;
        if (Number(block) > head) return { result: null };
        if (block !== "latest") return undefined;
        return JSON.parse(await testnet.chain.request({ id, method, params: [numberToHex(head), ...rest] })) as object;
      });
      const w = await openWorld([liar, testnet.chain.rpcUrl, lagging]);
      const [order, other] = [await lock(w), await lock(w)];
      head = await testnet.height();
      lie = { hash: await testnet.send(order.fundingAddress, usdt(100)), receiver: other.fundingAddress };
      await testnet.mine();
      await w.tick();
      const claimed = what === "amount" ? order : other;
      expect((await claimed.read()).deposits).toEqual([[what === "amount" ? usdt(1_000) : usdt(100), "pending"]]);
      [head, lie] = [null, null];
      await proceed(w);
      expect(await order.read()).toEqual(swapped);
      expect((await other.read()).deposits).toEqual([]);
    },
  );

  it.each([2, 3])("is not paid out when one of %i nodes still has the block that a reorg removed", async (count) => {
    let isStale = false;
    let isDown = false;
    const responses = new Map<string, object>();
    const stale = await startNode(async (call) => {
      if (!/^eth_(getTransactionReceipt|getBlockByNumber|blockNumber|getLogs)$/.test(call.method)) return undefined;
      const key = `${call.method}${JSON.stringify(call.params)}`;
      if (isStale) return responses.get(key);
      const { result } = JSON.parse(await testnet.chain.request(call)) as { result: unknown };
      responses.set(key, { result });
      return { result };
    });
    const third = await startNode(() => {
      if (isDown) throw new Error("down");
      return undefined;
    });
    const w = await openWorld([testnet.chain.rpcUrl, stale, third].slice(0, count));
    const order = await lock(w);
    const at = await w.ctx.clock.now(w.ctx.db);
    await switchOff(w.ctx.db, "payments", { reason: "A test.", at });
    const snapshot = await testnet.rpc("evm_snapshot");
    await testnet.send(order.fundingAddress, usdt(100));
    await testnet.mine(6);
    await w.tick();
    expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
    [isStale, isDown] = [true, true];
    await testnet.rpc("evm_revert", snapshot);
    await testnet.rpc("anvil_dropAllTransactions");
    await testnet.mine(7);
    await switchOn(w.ctx.db, "payments");
    await expect(recheckDeposits(w.ctx, order.id)).rejects.toThrow("do not agree");
    await w.pay("MOB");
    expect(w.mob.paid).toEqual([]);
  });
});
