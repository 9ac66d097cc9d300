import { type Abi, encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import { compileContract } from "~/exchange.server/sandbox/ethereum/compile";
import { fakeTokenSource, splitterSource } from "../../support/tokens";
import { openBook, openWorld, usdt, type World } from "./world";

let world: World;
let gateway: ChainGateway;
let address: string;
let index = 0;

async function deploy(source: string, name: string): Promise<`0x${string}`> {
  const { abi, bytecode } = compileContract(source, name);
  const hash = await world.customer.deployContract({ abi: abi as Abi, bytecode });
  const receipt = await world.receiptOf(hash);
  return receipt.contractAddress as `0x${string}`;
}

/** A book that begins here and watches one fresh funding address. */
async function openFreshBook(over = {}) {
  gateway = world.gateway({ startBlock: await world.height(), ...over });
  return openBook(gateway, [address]);
}

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  index += 1;
  address = (await world.gateway().assignFundingAddress({ orderId: "order", index })).address;
});
afterAll(() => world.close());

describe("deposits of USDT", () => {
  it("are found with their block's time, grow with every block, and count once however often they are read (T51)", async () => {
    const book = await openFreshBook();
    const hash = await world.send(address, usdt(25.5));
    await book.read();
    expect(book.seen.size).toBe(0);
    await world.mine();
    const [first] = await book.read();
    const block = await world.customer.getBlock();
    expect(first).toMatchObject({
      txHash: hash,
      logIndex: 0,
      displayHash: hash,
      address,
      amount: usdt(25.5),
      blockHash: block.hash,
      blockNumber: Number(block.number),
      blockTime: new Date(Number(block.timestamp) * 1000),
      confirmations: 1,
    });
    for (let blocks = 2; blocks <= 5; blocks += 1) {
      await world.mine();
      await book.read();
      await book.read();
      expect(book.credits.length).toBe(blocks >= 3 ? 1 : 0);
    }
    expect(book.seen.size).toBe(1);
    if (!first) throw new Error("a deposit");
    expect(await gateway.recheck(first)).toMatchObject({
      amount: usdt(25.5),
      confirmations: 5,
    });
  });

  it("are read from where the last run stopped, whatever came in between, and the time read through is the last block's", async () => {
    const book = await openFreshBook();
    await book.read();
    await world.send(address, usdt(1));
    await world.mine(40);
    await world.send(address, usdt(2));
    await world.mine(3);
    await book.read();
    expect(book.credits.map(({ amount }) => amount)).toEqual([usdt(1), usdt(2)]);
    const head = await world.customer.getBlock();
    expect(book.cursor?.height).toBe(Number(head.number));
    const again = await gateway.scan(book.cursor, async () => new Set());
    expect(again).toMatchObject({
      transfers: [],
      caughtUp: true,
      scannedThrough: new Date(Number(head.timestamp) * 1000),
    });
  });

  it("that come two in one transaction are two", async () => {
    const splitter = await deploy(splitterSource, "Splitter");
    await world.mined(world.chain.faucet({ address: splitter, asset: "USDT", amount: usdt(100) }));
    const book = await openFreshBook();
    await world.customer.sendTransaction({
      to: splitter,
      gas: 300_000n,
      data: encodeFunctionData({
        abi: parseAbi(["function pay(address token, address first, address second, uint256 value)"]),
        args: [world.chain.usdtAddress, address as `0x${string}`, address as `0x${string}`, usdt(10)],
      }),
    });
    await world.mine(3);
    await book.read();
    expect(book.credits.map(({ logIndex, amount }) => [logIndex, amount])).toEqual([
      [0, usdt(10)],
      [1, usdt(10)],
    ]);
  });

  it("that a reorg takes away are gone, and come back under the same key in another block (T50)", async () => {
    const book = await openFreshBook();
    const hash = await world.send(address, usdt(7));
    const signed = await world.customer
      .getTransaction({ hash })
      .then(() => world.rpc("eth_getRawTransactionByHash", hash));
    await world.mine(2);
    const [seen] = await book.read();
    if (!seen) throw new Error("a deposit");
    expect(seen.confirmations).toBe(2);

    await world.rpc("anvil_reorg", 2, []);
    const [dropped] = await Promise.all([gateway.recheck(seen), book.read()]);
    // Some nodes put the transactions of a lost block back into the pool; none is in a block now.
    expect(dropped).toBeNull();
    expect(book.credits).toEqual([]);

    await world.rpc("eth_sendRawTransaction", signed).catch(() => undefined);
    await world.mine(3);
    await book.read();
    expect(book.credits).toHaveLength(1);
    expect(book.credits[0]).toMatchObject({ txHash: hash, logIndex: 0, amount: usdt(7) });
    expect(book.credits[0]?.blockHash).not.toBe(seen.blockHash);
    expect(book.seen.size).toBe(1);
  });

  it("are found when the cursor's own block was reorged away, deeper than the overlap", async () => {
    const book = await openFreshBook({ requiredConfirmations: 2 });
    await world.mine(30);
    await book.read();
    const height = await world.height();
    await world.rpc("anvil_reorg", 20, []);
    await world.rpc("anvil_rollback", 18);
    await world.send(address, usdt(3));
    await world.mine(19);
    expect(await world.height()).toBeGreaterThan(height);
    await book.read();
    expect(book.credits).toHaveLength(1);
  });

  it("of a token with the same symbol, of nothing, of ether, and to others are none (T52)", async () => {
    const fake = await deploy(fakeTokenSource, "FakeToken");
    const book = await openFreshBook();
    await world.send(address, usdt(1_000), fake);
    await world.send(address, 0n);
    await world.send("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", usdt(4));
    await world.customer.sendTransaction({ to: address as `0x${string}`, value: 10n ** 18n });
    await world.mine(4);
    await book.read();
    expect(book.seen.size).toBe(0);
  });

  it("are worth what the log says when the token takes a fee (T52)", async () => {
    await world.mined(world.chain.setFee(10, 40));
    const book = await openFreshBook();
    await world.send(address, usdt(1_000));
    await world.mine(3);
    await book.read();
    await world.mined(world.chain.setFee(0, 0));
    expect(book.credits.map(({ amount }) => amount)).toEqual([usdt(999)]);
    expect(await world.balanceOf(address)).toBe(usdt(999));
  });

  it("above the configured amount wait for a finalized block (T50)", async () => {
    const book = await openFreshBook({ finalizedAbove: usdt(50) });
    await world.send(address, usdt(50));
    const hash = await world.send(address, usdt(51));
    await world.mine(10);
    await book.read();
    expect(book.credits.map(({ amount }) => amount)).toEqual([usdt(50)]);
    const large = book.seen.get(`${hash}:0`);
    if (!large) throw new Error("a deposit");
    expect(await gateway.recheck(large)).toMatchObject({ confirmations: 2 });
    await world.mine(70);
    expect((await gateway.recheck(large))?.confirmations).toBe(80);
  });

  it("cost one question about addresses, whether one or ten thousand are watched", async () => {
    await openFreshBook();
    for (const amount of [1, 2, 3]) await world.send(address, usdt(amount));
    await world.mine(2);
    let questions = 0;
    const result = await gateway.scan(null, async (addresses) => {
      questions += 1;
      expect(addresses).toEqual([address]);
      return new Set(addresses);
    });
    expect(result.transfers).toHaveLength(3);
    expect(questions).toBe(1);
  });
});
