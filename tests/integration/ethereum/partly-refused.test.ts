import { keccak256, parseTransaction } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { type FaultyNode, type Override, startFaultyNode } from "./faulty-node";
import { startTestnet, type Testnet } from "./setup";

describe("T60 a payment that only one of three nodes accepts", { timeout: 60_000 }, () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  let w: OrdersHarness;
  let nodes: FaultyNode[];
  const refusedAddress = privateKeyToAddress(generatePrivateKey());

  beforeAll(async () => {
    testnet = await startTestnet();
  });
  beforeEach(async () => {
    await testnet.mine();
    database = await openTestDatabase("PostgreSQL");
    nodes = [];
  });
  afterEach(async () => {
    for (const node of nodes) node.close();
    expect(await checkBooks(database.db)).toEqual([]);
    await database.close();
  });
  afterAll(() => testnet?.close());

  const toBytes = ({ params }: Parameters<Override>[0]) => params[0] as `0x${string}`;
  const isRefused = (call: Parameters<Override>[0]) =>
    call.method === "eth_sendRawTransaction" &&
    String(parseTransaction(toBytes(call)).data).includes(refusedAddress.slice(2).toLowerCase());
  const refuse: Override = (call) =>
    isRefused(call) ? { error: { code: -32000, message: "transaction rejected by policy" } } : undefined;

  /** An exchange with two nodes that refuse to pay an address, and a third one. */
  const openWorld = async (third: Override) => {
    for (const override of [refuse, refuse, third]) nodes.push(await startFaultyNode(testnet, override));
    const rpcUrls = nodes.map(({ url }) => url);
    w = await createOrdersHarness(database, { chains: { USDT: testnet.gateway({ rpcUrls, maxHeadAgeMs: 1e9 }) } });
  };
  const fund = async (address: string) => {
    const user = await w.createUser({ ETH: address });
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
    await w.scan("MOB");
    return { order, statusOf: async () => (await w.see(user, order.id)).status };
  };
  const run = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      await w.pay("USDT");
      await testnet.mine();
      w.wait(20_000);
    }
  };

  it("is cancelled and waits for an operator if that node drops it, and the next one is paid", async () => {
    await openWorld((call) => (isRefused(call) ? { result: keccak256(toBytes(call)) } : undefined));
    const stuck = await fund(refusedAddress);
    await w.pay("USDT");
    const other = await fund(privateKeyToAddress(generatePrivateKey()));
    await run(40);
    expect(await other.statusOf()).toBe("completed");
    expect(await stuck.statusOf()).toBe("paying_out");
    expect(await testnet.balanceOf(refusedAddress)).toBe(0n);
    const rows = (await database.db.select().from(payments)).filter(({ orderId }) => orderId === stuck.order.id);
    expect(rows.find(({ status }) => status === "planned")).toMatchObject({ parkedAt: expect.any(Date) });
    expect(await listAlerts(database.db)).toMatchObject([
      { orderId: stuck.order.id, reason: expect.stringContaining("rejected by policy") },
    ]);
  });

  it("is booked and not cancelled if a block includes it (T46)", async () => {
    await openWorld(() => undefined);
    const { order, statusOf } = await fund(refusedAddress);
    await run(8);
    expect(await statusOf()).toBe("completed");
    expect(await testnet.balanceOf(refusedAddress)).toBe(order.targetAmount);
    expect(await database.db.select().from(payments)).toMatchObject([{ status: "confirmed", refusals: 0 }]);
    expect(await listAlerts(database.db)).toEqual([]);
  });
});
