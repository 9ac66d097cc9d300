import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBook, openWorld, usdt, type World } from "./world";

type Call = { id: number; method: string; params: unknown[] };
/** What the node in between says instead of the truth; undefined lets the truth through. */
type Lie = (call: Call) => { result?: unknown; error?: unknown } | undefined;

let world: World;
let address: string;
const servers: Server[] = [];

/** A node that is the real one but for what it lies about. */
async function openLiar(lie: Lie): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as Call;
      const said = lie(call);
      const answer = said ? Promise.resolve({ jsonrpc: "2.0", id: call.id, ...said }) : world.chain.request(call);
      answer.then(
        (body) => response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
        () => response.writeHead(502).end(),
      );
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  world = await openWorld();
  address = (await world.gateway().assignFundingAddress({ orderId: "order", index: 5 })).address;
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => world.close());

describe("nodes that are not to be trusted (T55)", () => {
  it("one of another chain is not read from: verify names it, a scan rejects", async () => {
    const url = await openLiar(({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined));
    const gateway = world.gateway({ rpcUrls: [url] });
    await expect(gateway.verify()).rejects.toThrow(/on chain 1, not on 11155111/);
    await expect(gateway.scan(null, async () => new Set())).rejects.toThrow(/chain 1/);
  });

  it("one whose head is old lets no deadline fire and no payment be built", async () => {
    await world.mine();
    const gateway = world.gateway({ now: () => Date.now() + 600_000 });
    expect((await gateway.scan(null, async () => new Set())).scannedThrough).toBeNull();
    await expect(gateway.preparePayment({ paymentId: "p", to: address, amount: 1n, nonce: 0 })).rejects.toThrow(
      /in step/,
    );
  });

  it("the first that is in step is read, when the one before is down or on another chain", async () => {
    const wrong = await openLiar(({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined));
    const gateway = world.gateway({ rpcUrls: ["http://127.0.0.1:9", wrong, world.chain.rpcUrl] });
    expect((await gateway.scan(null, async () => new Set())).scannedThrough).not.toBeNull();
  });

  it("a deposit that only one of two nodes knows is shown and not counted", async () => {
    const hash = await world.send(address, usdt(5));
    await world.mine(5);
    const ignorant = await openLiar(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const gateway = world.gateway({ rpcUrls: [world.chain.rpcUrl, ignorant] });
    const book = openBook(gateway, [address]);
    await book.read();
    expect(book.seen.get(`${hash}:0`)?.confirmations).toBe(2);
    expect(book.credits).toEqual([]);
  });

  it("one liar among three neither invents a deposit nor hides one", async () => {
    const hash = await world.send(address, usdt(6));
    await world.mine(5);
    const ignorant = await openLiar(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const { rpcUrl } = world.chain;
    const hidden = world.gateway({ rpcUrls: [ignorant, rpcUrl, rpcUrl] });
    const blockNumber = (await world.height()) - 4;
    const seen = { txHash: hash, logIndex: 0, blockNumber };
    expect(await hidden.recheck(seen)).toMatchObject({ amount: usdt(6), confirmations: 5 });

    const invented = `0x${"ab".repeat(32)}`;
    const receipt = (await world.rpc("eth_getTransactionReceipt", hash)) as { logs: object[] };
    const inventive = await openLiar(({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === invented
        ? {
            result: {
              ...receipt,
              transactionHash: invented,
              logs: receipt.logs.map((l) => ({ ...l, transactionHash: invented })),
            },
          }
        : undefined,
    );
    const lied = world.gateway({ rpcUrls: [inventive, rpcUrl, rpcUrl] });
    expect(await lied.recheck({ ...seen, txHash: invented })).toBeNull();
  });

  it("a deposit whose receipt the node has lost is not gone: only a block without it says so (T50)", async () => {
    const hash = await world.send(address, usdt(8));
    await world.mine(3);
    const seen = { txHash: hash, logIndex: 0, blockNumber: (await world.height()) - 2 };
    const lagging = await openLiar(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const gateway = world.gateway({ rpcUrls: [lagging] });
    await expect(gateway.recheck(seen)).rejects.toThrow(/no receipt/);
    // Nor is it where the node has not read its block yet.
    await expect(gateway.recheck({ ...seen, blockNumber: seen.blockNumber + 9 })).rejects.toThrow(/could not be found/);
    await world.rpc("anvil_reorg", 3, []);
    expect(await gateway.recheck(seen)).toBeNull();
  });

  it("a payment is impossible or reverted only when every node says so", async () => {
    const gateway = world.gateway();
    const payment = await gateway.preparePayment({
      paymentId: "p",
      to: address,
      amount: usdt(1),
      nonce: await gateway.getNextNonce(),
    });
    await gateway.broadcast(payment);
    await world.mine(4);
    const hash = payment.hash;
    const receipt = (await world.rpc("eth_getTransactionReceipt", hash)) as object;
    const liar = await openLiar(({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === hash
        ? { result: { ...receipt, status: "0x0", logs: [] } }
        : undefined,
    );
    const { rpcUrl } = world.chain;
    expect(await world.gateway({ rpcUrls: [liar, rpcUrl] }).getPaymentState(payment)).toEqual({ state: "unknown" });
    expect((await world.gateway({ rpcUrls: [rpcUrl, liar, rpcUrl] }).getPaymentState(payment)).state).toBe("in_block");
  });
});

describe("a node that gives only small answers", () => {
  it.each([
    { code: -32005, message: "query returned more than 10000 results" },
    { code: -32602, message: "block range is too large" },
    { code: -32000, message: "exceed maximum block range: 25" },
  ])("is asked for smaller ranges, and nothing is missed: $message", async (error) => {
    let asked = 0;
    const picky = await openLiar(({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      asked += 1;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) >= 25 ? { error } : undefined;
    });
    const start = await world.height();
    for (const amount of [1, 2, 3]) {
      await world.send(address, usdt(amount));
      await world.mine(40);
    }
    const book = openBook(world.gateway({ rpcUrls: [picky], startBlock: start }), [address]);
    await book.read();
    expect(book.credits.slice(-3).map(({ amount }) => amount)).toEqual([usdt(1), usdt(2), usdt(3)]);
    expect(asked).toBeLessThan(60);
  });

  it("that limits the rate is not asked more often for it", async () => {
    let asked = 0;
    const busy = await openLiar(({ method }) => {
      if (method !== "eth_getLogs") return undefined;
      asked += 1;
      return { error: { code: -32005, message: "Too Many Requests: rate limit exceeded" } };
    });
    await expect(world.gateway({ rpcUrls: [busy] }).scan(null, async () => new Set())).rejects.toThrow();
    expect(asked).toBe(1);
  });
});
