import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFaultyNode } from "./faulty-node";
import { openGateway, startTestnet, type Testnet, usdt } from "./setup";

let testnet: Testnet;
beforeAll(async () => {
  testnet = await startTestnet();
});
afterAll(() => testnet?.close());

describe("what the USDT wallet and its funding addresses hold", () => {
  it("is read for few and for many addresses, all after the same block", async () => {
    const gateway = testnet.gateway();
    const assign = async (index: number) => (await gateway.assignFundingAddress({ reference: "o", index })).address;
    const addresses = await Promise.all(Array.from({ length: 12 }, (_, index) => assign(index)));
    await testnet.send(addresses[0] as string, usdt(25));
    await testnet.send(addresses[11] as string, usdt(0.000001));
    await testnet.mine(2);
    for (const subset of [addresses, [addresses[0], addresses[11]] as string[]]) {
      const holdings = await gateway.readHoldings(subset);
      expect(holdings?.height).toBe(await testnet.height());
      expect(holdings?.wallet).toBe((await gateway.readWallet()).spendable);
      expect([...(holdings?.atAddresses.entries() ?? [])].filter(([, balance]) => balance > 0n)).toEqual([
        [addresses[0], usdt(25)],
        [addresses[11], 1n],
      ]);
      expect(holdings?.atAddresses.size).toBe(subset.length);
    }
  });

  it("is read for many addresses with few calls, one after the other", async () => {
    let [calls, open, mostOpen] = [0, 0, 0];
    const node = await startFaultyNode(testnet, async ({ method }) => {
      if (method !== "eth_call") return undefined;
      calls += 1;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await sleep(20);
      open -= 1;
      return undefined;
    });
    const addresses = Array.from({ length: 400 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "0")}`);
    try {
      const holdings = await openGateway(testnet.chain, { rpcUrls: [node.url] }).readHoldings(addresses);
      expect(holdings?.atAddresses.size).toBe(400);
      expect({ calls, mostOpen }).toEqual({ calls: 3, mostOpen: 1 });
    } finally {
      node.close();
    }
  });

  it("is unknown while too few nodes are in sync, and known while one of three is down (T55)", async () => {
    const { rpcUrl } = testnet.chain;
    const stale = openGateway(testnet.chain, { now: () => Date.now() + 86_400_000 });
    expect(await stale.readHoldings([])).toBeNull();
    const oneDown = openGateway(testnet.chain, { rpcUrls: [rpcUrl, rpcUrl, "http://127.0.0.1:1"] });
    expect((await oneDown.readHoldings([]))?.wallet).toBe((await oneDown.readWallet()).spendable);
  });
});
