import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { type FaultyNode, startFaultyNode } from "../ethereum/faulty-node";
import { startTestnet, type Testnet, usdt } from "../ethereum/setup";

describe("a deposit whose log appears late, while nothing else happens", { timeout: 120_000 }, () => {
  let testnet: Testnet;
  let node: FaultyNode;
  let database: OpenDatabase;
  let w: OrdersHarness;
  let hides = false;
  let passedMs = 0;

  const wait = (ms: number) => {
    passedMs += ms;
    w.wait(ms);
  };
  const mineNow = async () => {
    await testnet.rpc("evm_setNextBlockTimestamp", Math.floor((Date.now() + passedMs) / 1_000) + 1);
    await testnet.mine();
  };

  beforeAll(async () => {
    testnet = await startTestnet();
    node = await startFaultyNode(testnet, ({ method }) =>
      method === "eth_getLogs" && hides ? { result: [] } : undefined,
    );
    database = await openTestDatabase("PGlite");
    const gateway = testnet.gateway({
      rpcUrls: [node.url],
      startBlock: await testnet.height(),
      maxHeadAgeMs: 10_000_000,
      now: () => Date.now() + passedMs,
    });
    w = await createOrdersHarness(database, { chains: { USDT: gateway } });
  });
  afterAll(async () => {
    node?.close();
    await database?.close();
    await testnet?.close();
  });

  // Scans that are not stored because the chain is quiet must not use up the second pass, however both are timed.
  it.each([
    { scanMs: 500, blockMs: 12_000 },
    { scanMs: 1_000, blockMs: 12_000 },
    { scanMs: 2_000, blockMs: 12_000 },
  ])("is credited within a minute when blocks are scanned every $scanMs ms (T51)", async ({ scanMs, blockMs }) => {
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    await w.refreshRate();
    await w.tick();
    const order = await w.lock(user, "USDT", "100");
    await testnet.send(order.fundingAddress, usdt(100));
    hides = true;
    for (let block = 0; block < 20; block += 1) {
      await mineNow();
      wait(scanMs);
      await w.scan("USDT");
    }
    hides = false;
    const listDeposits = async () => (await w.see(user, order.id)).incoming_txs;
    for (let ms = scanMs; ms <= 60_000; ms += scanMs) {
      if (ms % blockMs === 0) await mineNow();
      wait(scanMs);
      await w.scan("USDT");
      if ((await listDeposits())[0]?.status === "confirmed") break;
    }
    expect(await listDeposits()).toMatchObject([{ status: "confirmed", amount: "100" }]);
  });
});
