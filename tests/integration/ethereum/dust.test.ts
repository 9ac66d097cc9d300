import { type Abi, encodeFunctionData, http, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "~/sandbox.server/ethereum/compile";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { startTestnet, type Testnet, usdt } from "./setup";

const source = `
pragma solidity ^0.8.20;
interface Token { function transfer(address to, uint256 value) external; }
contract Duster {
  function dust(address token, address to, uint256 count) external {
    for (uint256 i = 0; i < count; i++) Token(token).transfer(to, 1);
  }
}`;
const abi = parseAbi(["function dust(address,address,uint256)"]);

describe("T67 many transfers in one transaction", { timeout: 120_000 }, () => {
  let testnet: Testnet;
  let duster: `0x${string}`;
  beforeAll(async () => {
    testnet = await startTestnet();
    const compiled = compileContract(source, "Duster");
    const hash = await testnet.customer.deployContract({ abi: compiled.abi as Abi, bytecode: compiled.bytecode });
    duster = (await testnet.receiptOf(hash)).contractAddress as `0x${string}`;
    await testnet.send(duster, usdt(1));
    await testnet.mine();
  });
  afterAll(() => testnet?.close());

  /** Requests of each scan while a deposit and the dust become deep and wait for a finalized block. */
  async function countRequests(nodes: number, dust: number): Promise<number[]> {
    const database = await openTestDatabase("PGlite");
    try {
      let requests = 0;
      const startedAt = Date.now();
      const gateway = testnet.gateway({
        rpcUrls: Array.from({ length: nodes }, () => testnet.chain.rpcUrl),
        startBlock: await testnet.height(),
        maxHeadAgeMs: 1e9,
        finalizedAbove: usdt(50),
        // If no time passes, only the first scan reads the last 64 blocks again.
        now: () => startedAt,
        toTransport: (url) =>
          http(url, {
            onFetchRequest: () => {
              requests += 1;
            },
          }),
      });
      const w = await createOrdersHarness(database, { chains: { USDT: gateway } });
      const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
      const order = await w.lock(user, "USDT", "100");
      const to = order.fundingAddress as `0x${string}`;
      await testnet.send(to, usdt(90));
      const args = [testnet.chain.usdtAddress, to, BigInt(dust)] as const;
      const data = encodeFunctionData({ abi, args });
      await testnet.customer.sendTransaction({ to: duster, gas: 5_000_000n, data });
      const counts: number[] = [];
      for (const blocks of [1, 2, 1, 10, 1]) {
        await testnet.mine(blocks);
        requests = 0;
        await w.scan("USDT");
        counts.push(requests);
      }
      expect(await w.see(user, order.id)).toMatchObject({ status: "confirming", incoming_count: dust + 1 });
      // Finalized: what is left is credited, and still no transfer was looked up alone.
      await testnet.mine(100);
      requests = 0;
      await w.scan("USDT");
      counts.push(requests);
      const { status, received_amount } = await w.see(user, order.id);
      expect(status).toBe("needs_decision");
      expect(received_amount).toBe((90 + dust / 1e6).toString());
      return counts;
    } finally {
      await database.close();
    }
  }

  it.each([1, 3])("do not add requests to a scan of %i nodes, nor to the scans after it", async (nodes) => {
    expect(await countRequests(nodes, 40)).toEqual(await countRequests(nodes, 1));
  });
});
