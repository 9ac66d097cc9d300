import { type Abi, encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import { compileContract } from "~/sandbox.server/ethereum/compile";
import { recheckOne } from "../../support/recheck-one";
import { fakeTokenSource, splitterSource } from "../../support/tokens";
import { startTestnet, type Testnet, trackDeposits, usdt } from "./setup";

let testnet: Testnet;
let gateway: ChainGateway;
let address: string;
let index = 0;

async function deploy(source: string, name: string): Promise<`0x${string}`> {
  const { abi, bytecode } = compileContract(source, name);
  const hash = await testnet.customer.deployContract({ abi: abi as Abi, bytecode });
  const receipt = await testnet.receiptOf(hash);
  return receipt.contractAddress as `0x${string}`;
}

/** A tracker that starts at the current height and watches one new funding address. */
async function startTracker(over = {}) {
  gateway = testnet.gateway({ startBlock: await testnet.height(), ...over });
  return trackDeposits(gateway, [address]);
}

beforeAll(async () => {
  testnet = await startTestnet();
});
beforeEach(async () => {
  index += 1;
  address = (await testnet.gateway().assignFundingAddress({ reference: "order", index })).address;
});
afterAll(() => testnet.close());

describe("USDT deposits", () => {
  it("T43 are reported as pending while they wait for a block, and are not credited yet", async () => {
    const tracker = await startTracker();
    const other = "0x00000000000000000000000000000000000000aa";
    expect(await gateway.findPending([address, other])).toEqual(new Set());
    await testnet.send(address, usdt(25.5));
    expect(await gateway.findPending([address, other])).toEqual(new Set([address]));
    await tracker.scan();
    expect(tracker.seen.size).toBe(0);
    await testnet.mine();
    expect(await gateway.findPending([address, other])).toEqual(new Set());
  });

  it("reports block time and confirmations, and credits a transfer once however often it is read (T51)", async () => {
    const tracker = await startTracker();
    const hash = await testnet.send(address, usdt(25.5));
    await tracker.scan();
    expect(tracker.seen.size).toBe(0);
    await testnet.mine();
    const [first] = await tracker.scan();
    const block = await testnet.customer.getBlock();
    expect(first).toMatchObject({
      txHash: hash,
      ordinal: 0,
      displayHash: hash,
      address,
      amount: usdt(25.5),
      blockHash: block.hash,
      blockNumber: Number(block.number),
      blockTime: new Date(Number(block.timestamp) * 1000),
      confirmations: 1,
    });
    for (let blocks = 2; blocks <= 5; blocks += 1) {
      await testnet.mine();
      await tracker.scan();
      await tracker.scan();
      expect(tracker.credits.length).toBe(blocks >= 3 ? 1 : 0);
    }
    expect(tracker.seen.size).toBe(1);
    if (!first) throw new Error("no deposit found");
    expect(await recheckOne(gateway, first)).toMatchObject({
      amount: usdt(25.5),
      confirmations: 5,
    });
  });

  it("continues from the cursor and reports the time of the last block read", async () => {
    const tracker = await startTracker();
    await tracker.scan();
    await testnet.send(address, usdt(1));
    await testnet.mine(40);
    await testnet.send(address, usdt(2));
    await testnet.mine(3);
    await tracker.scan();
    expect(tracker.credits.map(({ amount }) => amount)).toEqual([usdt(1), usdt(2)]);
    const head = await testnet.customer.getBlock();
    expect(tracker.cursor?.height).toBe(Number(head.number));
    const again = await gateway.scan(tracker.cursor, async () => new Set());
    expect(again).toMatchObject({
      transfers: [],
      caughtUp: true,
      scannedThrough: new Date(Number(head.timestamp) * 1000),
    });
  });

  it("credits two transfers in one transaction separately", async () => {
    const splitter = await deploy(splitterSource, "Splitter");
    await testnet.mineUntilDone(testnet.chain.faucet({ address: splitter, asset: "USDT", amount: usdt(100) }));
    const tracker = await startTracker();
    await testnet.customer.sendTransaction({
      to: splitter,
      gas: 300_000n,
      data: encodeFunctionData({
        abi: parseAbi(["function pay(address token, address first, address second, uint256 value)"]),
        args: [testnet.chain.usdtAddress, address as `0x${string}`, address as `0x${string}`, usdt(10)],
      }),
    });
    await testnet.mine(3);
    await tracker.scan();
    expect(tracker.credits.map(({ ordinal, amount }) => [ordinal, amount])).toEqual([
      [0, usdt(10)],
      [1, usdt(10)],
    ]);
  });

  it("drops a transfer removed by a reorg and finds it again under the same key in another block (T50)", async () => {
    const tracker = await startTracker();
    const hash = await testnet.send(address, usdt(7));
    const signed = await testnet.customer
      .getTransaction({ hash })
      .then(() => testnet.rpc("eth_getRawTransactionByHash", hash));
    await testnet.mine(2);
    const [seen] = await tracker.scan();
    if (!seen) throw new Error("no deposit found");
    expect(seen.confirmations).toBe(2);

    await testnet.rpc("anvil_reorg", 2, []);
    const [dropped] = await Promise.all([recheckOne(gateway, seen), tracker.scan()]);
    // Some nodes return the transactions of removed blocks to the pool; none is in a block now.
    expect(dropped).toBeNull();
    expect(tracker.credits).toEqual([]);

    await testnet.rpc("eth_sendRawTransaction", signed).catch(() => undefined);
    await testnet.mine(3);
    await tracker.scan();
    expect(tracker.credits).toHaveLength(1);
    expect(tracker.credits[0]).toMatchObject({ txHash: hash, ordinal: 0, amount: usdt(7) });
    expect(tracker.credits[0]?.blockHash).not.toBe(seen.blockHash);
    expect(tracker.seen.size).toBe(1);
  });

  it("finds transfers after a reorg that removed the cursor's block and is deeper than the overlap", async () => {
    const tracker = await startTracker({ requiredConfirmations: 2 });
    await testnet.mine(30);
    await tracker.scan();
    const height = await testnet.height();
    await testnet.rpc("anvil_reorg", 20, []);
    await testnet.rpc("anvil_rollback", 18);
    await testnet.send(address, usdt(3));
    await testnet.mine(19);
    expect(await testnet.height()).toBeGreaterThan(height);
    await tracker.scan();
    expect(tracker.credits).toHaveLength(1);
  });

  it("never reads blocks before its first one, not even in the second pass (T48)", async () => {
    await testnet.send(address, usdt(9));
    await testnet.mine(3);
    let clock = Date.now();
    gateway = testnet.gateway({ startBlock: null, now: () => clock, maxHeadAgeMs: 86_400_000 });
    const tracker = trackDeposits(gateway, [address]);
    await tracker.scan();
    for (let pass = 0; pass < 3; pass += 1) {
      await testnet.mine(2);
      clock += 31_000;
      await tracker.scan();
    }
    expect(tracker.seen.size).toBe(0);
    await testnet.send(address, usdt(2));
    await testnet.mine(3);
    await tracker.scan();
    expect(tracker.credits.map(({ amount }) => amount)).toEqual([usdt(2)]);
  });

  it("reads below its first block again once a reorg has replaced that block", async () => {
    await testnet.mine(20);
    const tracker = trackDeposits(testnet.gateway(), [address]);
    gateway = testnet.gateway({ startBlock: null });
    const fresh = trackDeposits(gateway, [address]);
    await fresh.scan();
    await testnet.rpc("anvil_rollback", 6);
    await testnet.send(address, usdt(3));
    await testnet.mine(10);
    await Promise.all([fresh.scan(), tracker.scan()]);
    expect(fresh.credits.map(({ amount }) => amount)).toEqual([usdt(3)]);
  });

  it("ignores other tokens with the same symbol, empty transfers, ether, and other receivers (T52)", async () => {
    const fake = await deploy(fakeTokenSource, "FakeToken");
    const tracker = await startTracker();
    await testnet.send(address, usdt(1_000), fake);
    await testnet.send(address, 0n);
    await testnet.send("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", usdt(4));
    await testnet.customer.sendTransaction({ to: address as `0x${string}`, value: 10n ** 18n });
    await testnet.mine(4);
    await tracker.scan();
    expect(tracker.seen.size).toBe(0);
  });

  it("credits the amount in the log when the token charges a fee (T52)", async () => {
    await testnet.mineUntilDone(testnet.chain.setFee(10, 40));
    const tracker = await startTracker();
    await testnet.send(address, usdt(1_000));
    await testnet.mine(3);
    await tracker.scan();
    await testnet.mineUntilDone(testnet.chain.setFee(0, 0));
    expect(tracker.credits.map(({ amount }) => amount)).toEqual([usdt(999)]);
    expect(await testnet.balanceOf(address)).toBe(usdt(999));
  });

  it("waits for a finalized block above the configured amount (T50)", async () => {
    const tracker = await startTracker({ finalizedAbove: usdt(50) });
    await testnet.send(address, usdt(50));
    const hash = await testnet.send(address, usdt(51));
    await testnet.mine(10);
    await tracker.scan();
    expect(tracker.credits.map(({ amount }) => amount)).toEqual([usdt(50)]);
    const large = tracker.seen.get(`${hash}:0`);
    if (!large) throw new Error("no deposit found");
    expect(await recheckOne(gateway, large)).toMatchObject({ confirmations: 2 });
    await testnet.mine(70);
    expect((await recheckOne(gateway, large))?.confirmations).toBe(80);
  });

  it("does not call a block final that became final only after its logs were read (T50)", async () => {
    const startBlock = await testnet.height();
    await testnet.send(address, usdt(1));
    await testnet.mine(3);
    const { transfers, finalizedHeight } = await testnet.gateway({ startBlock }).scan(null, async () => {
      await testnet.mine(70);
      return new Set([address]);
    });
    expect(transfers[0]?.blockNumber).toBeGreaterThan(finalizedHeight ?? 0);
  });

  it("matches addresses with one query, however many are watched", async () => {
    await startTracker();
    for (const amount of [1, 2, 3]) await testnet.send(address, usdt(amount));
    await testnet.mine(2);
    let queries = 0;
    const result = await gateway.scan(null, async (addresses) => {
      queries += 1;
      expect(addresses).toEqual([address]);
      return new Set(addresses);
    });
    expect(result.transfers).toHaveLength(3);
    expect(queries).toBe(1);
  });
});
