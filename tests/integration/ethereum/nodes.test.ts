import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { encodeErrorResult, numberToHex, parseAbi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createRpcTransport } from "~/exchange.server/rpc-transport";
import { recheckOne } from "../../support/recheck-one";
import { type FaultyNode, type Override, startFaultyNode as startNode } from "./faulty-node";
import { startTestnet, type Testnet, trackDeposits, usdt } from "./setup";

let testnet: Testnet;
let address: string;
const nodes: FaultyNode[] = [];

/** Starts a node that responds to some calls differently from the real one. Returns its URL. */
async function startFaultyNode(override: Override): Promise<string> {
  const node = await startNode(testnet, override);
  nodes.push(node);
  return node.url;
}

beforeAll(async () => {
  testnet = await startTestnet();
  address = (await testnet.gateway().assignFundingAddress({ reference: "order", index: 5 })).address;
});
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
afterAll(() => testnet.close());

describe("untrustworthy nodes (T55)", () => {
  it("does not read from a node on another chain: verify names it and a scan rejects", async () => {
    const url = await startFaultyNode(({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined));
    const gateway = testnet.gateway({ rpcUrls: [url] });
    await expect(gateway.verify()).rejects.toThrow(/on chain 1, not on 11155111/);
    await expect(gateway.scan(null, async () => new Set())).rejects.toThrow(/chain 1/);
  });

  it("does not let deadlines pass or prepare payments while the node's head is old", async () => {
    await testnet.mine();
    const gateway = testnet.gateway({ now: () => Date.now() + 600_000 });
    expect((await gateway.scan(null, async () => new Set())).scannedThrough).toBeNull();
    await expect(gateway.preparePayment({ paymentId: "p", to: address, amount: 1n, nonce: 0 })).rejects.toThrow(
      /in sync/,
    );
  });

  it("reads from the nodes in sync when others are down or on another chain", async () => {
    const wrong = await startFaultyNode(({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined));
    const { rpcUrl } = testnet.chain;
    for (const bad of ["http://127.0.0.1:9", wrong]) {
      const gateway = testnet.gateway({ rpcUrls: [bad, rpcUrl, rpcUrl] });
      expect((await gateway.scan(null, async () => new Set())).scannedThrough).not.toBeNull();
    }
  });

  it("shows deposits but does not count blocks as scanned while only one node of three is in sync", async () => {
    const wrong = await startFaultyNode(({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined));
    const hash = await testnet.send(address, usdt(4));
    await testnet.mine(5);
    const startBlock = (await testnet.height()) - 6;
    const rpcUrls = ["http://127.0.0.1:9", wrong, testnet.chain.rpcUrl];
    const tracker = trackDeposits(testnet.gateway({ rpcUrls, startBlock }), [address]);
    await tracker.scan();
    expect(tracker.seen.get(`${hash}:0`)?.confirmations).toBe(2);
    expect(tracker.credits).toEqual([]);
    expect(tracker.cursor?.height).toBe(startBlock - 1);
    const gateway = testnet.gateway({ rpcUrls });
    expect((await gateway.scan(null, async () => new Set())).scannedThrough).toBeNull();
  });

  it("credits a deposit even if the first node of three hides its log (T51)", async () => {
    const startBlock = await testnet.height();
    const hash = await testnet.send(address, usdt(9));
    await testnet.mine(5);
    const hiding = await startFaultyNode(({ method }) => (method === "eth_getLogs" ? { result: [] } : undefined));
    const { rpcUrl } = testnet.chain;
    const gateway = testnet.gateway({ rpcUrls: [hiding, rpcUrl, rpcUrl], startBlock });
    const tracker = trackDeposits(gateway, [address]);
    await tracker.scan();
    expect(tracker.credits.map(({ txHash }) => txHash)).toContain(hash);
    expect(tracker.cursor?.height).toBe(await testnet.height());
  });

  it("does not count a block as scanned while two nodes disagree about its logs", async () => {
    const startBlock = await testnet.height();
    let hides = true;
    const hash = await testnet.send(address, usdt(9));
    await testnet.mine(5);
    const hiding = await startFaultyNode(({ method }) =>
      method === "eth_getLogs" && hides ? { result: [] } : undefined,
    );
    const gateway = testnet.gateway({ rpcUrls: [hiding, testnet.chain.rpcUrl], startBlock });
    const tracker = trackDeposits(gateway, [address]);
    await tracker.scan();
    expect(tracker.cursor?.height).toBe(startBlock);
    // Their receipts agree.
    expect(tracker.credits.map(({ txHash }) => txHash)).toEqual([hash]);
    hides = false;
    await tracker.scan();
    expect(tracker.cursor?.height).toBe(await testnet.height());
  });

  it("does not let deadlines pass while two nodes disagree about the time of a block", async () => {
    const startBlock = await testnet.height();
    await testnet.mine(5);
    const ahead = await startFaultyNode(async (call) => {
      if (call.method !== "eth_getBlockByNumber" || call.params[0] === "latest") return undefined;
      const { result } = JSON.parse(await testnet.chain.request(call)) as { result: object };
      return { result: { ...result, timestamp: numberToHex(4_000_000_000) } };
    });
    const gateway = testnet.gateway({ rpcUrls: [ahead, testnet.chain.rpcUrl], startBlock });
    expect((await gateway.scan(null, async () => new Set())).scannedThrough).toBeNull();
  });

  /** Starts a node that changes its newest block. */
  const startWithHead = (change: object) =>
    startFaultyNode(async (call) => {
      if (call.method !== "eth_getBlockByNumber" || call.params[0] !== "latest") return undefined;
      const { result } = JSON.parse(await testnet.chain.request(call)) as { result: object };
      return { result: { ...result, ...change } };
    });

  it("does not let deadlines pass because one node of three says that the newest block is from the future", async () => {
    await testnet.mine();
    const ahead = await startWithHead({ timestamp: numberToHex(4_000_000_000) });
    const { rpcUrl } = testnet.chain;
    const gateway = testnet.gateway({ rpcUrls: [rpcUrl, ahead, rpcUrl] });
    const { cursor, scannedThrough } = await gateway.scan(null, async () => new Set());
    expect(scannedThrough).not.toBeNull();
    expect(await gateway.scan(cursor, async () => new Set())).toMatchObject({ cursor, scannedThrough });
  });

  it("does not let deadlines pass in blocks that it has not read, if one node is behind and another is faulty", async () => {
    await testnet.mine(2);
    const { chain } = testnet;
    const call = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] };
    const { result } = JSON.parse(await chain.request(call)) as { result: { number: `0x${string}` } };
    await chain.request({ ...call, method: "evm_increaseTime", params: [30] });
    await testnet.mine(3);
    const behind = await startWithHead(result);
    const number = numberToHex(BigInt(result.number) - 1n);
    const faulty = await startWithHead({ ...result, number, timestamp: numberToHex(4_000_000_000) });
    const gateway = testnet.gateway({ rpcUrls: [chain.rpcUrl, behind, faulty] });
    const { cursor, scannedThrough } = await gateway.scan(null, async () => new Set());
    expect(cursor.height).toBe(Number(result.number));
    expect(scannedThrough).not.toBeNull();
    expect(await gateway.scan(cursor, async () => new Set())).toMatchObject({ cursor, scannedThrough });
  });

  it("reads from the others if the newest block of one node of three has no number", async () => {
    const pending = await startWithHead({ number: null, hash: null });
    const { rpcUrl } = testnet.chain;
    const gateway = testnet.gateway({ rpcUrls: [pending, rpcUrl, rpcUrl] });
    expect((await gateway.scan(null, async () => new Set())).scannedThrough).not.toBeNull();
  });

  it("logs that a node is out of sync, because nothing else changes while the others work", async () => {
    await testnet.mine();
    const lines: object[] = [];
    const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
    const stuck = await startWithHead({ timestamp: numberToHex(1_000_000_000) });
    const { rpcUrl } = testnet.chain;
    const gateway = testnet.gateway({ rpcUrls: [rpcUrl, stuck, rpcUrl], log });
    for (let scan = 0; scan < 2; scan += 1)
      expect((await gateway.scan(null, async () => new Set())).scannedThrough).not.toBeNull();
    expect(lines).toMatchObject([{ node: "node 2", msg: "an Ethereum node is out of sync" }]);
  });

  it("credits a deposit even if one node of three says that it is also in a block that does not exist", async () => {
    const startBlock = await testnet.height();
    const hash = await testnet.send(address, usdt(9));
    await testnet.mine(5);
    const elsewhere = { blockNumber: numberToHex(1_000_000_000), blockHash: `0x${"cd".repeat(32)}` };
    const inventive = await startFaultyNode(async ({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const logs = (await testnet.rpc(method, ...params)) as object[];
      return { result: logs.flatMap((log) => [log, { ...log, ...elsewhere }]) };
    });
    const { rpcUrl } = testnet.chain;
    const tracker = trackDeposits(testnet.gateway({ rpcUrls: [inventive, rpcUrl, rpcUrl], startBlock }), [address]);
    await tracker.scan();
    expect(tracker.credits.map(({ txHash }) => txHash)).toEqual([hash]);
  });

  it("counts the confirmations that a majority has, even if one node is stuck at the block (T50)", async () => {
    const gateway = testnet.gateway();
    const nonce = await gateway.getNextNonce();
    const payment = await gateway.preparePayment({ paymentId: "p", to: address, amount: usdt(1), nonce });
    await gateway.broadcast(payment);
    const txHash = await testnet.send(address, usdt(7));
    await testnet.mine();
    const blockNumber = await testnet.height();
    await testnet.mine(4);
    const stuck = await startFaultyNode(({ method }) =>
      method === "eth_blockNumber" ? { result: numberToHex(blockNumber) } : undefined,
    );
    const { rpcUrl } = testnet.chain;
    for (const [rpcUrls, confirmations] of [
      [[stuck, rpcUrl, rpcUrl], 5],
      [[stuck, rpcUrl], 1],
    ] as const) {
      const several = testnet.gateway({ rpcUrls: [...rpcUrls] });
      expect(await recheckOne(several, { txHash, ordinal: 0, blockNumber })).toMatchObject({ confirmations });
      expect(await several.getPaymentState(payment)).toMatchObject({ kind: "in_block", confirmations });
    }
  });

  it.each([6, 20])("credits a deposit within a minute when its log appears %i blocks late (T51)", async (late) => {
    const startBlock = await testnet.height();
    let nowMs = Date.now();
    let hides = true;
    const tardy = await startFaultyNode(({ method }) =>
      method === "eth_getLogs" && hides ? { result: [] } : undefined,
    );
    for (const rpcUrls of [[tardy], [tardy, tardy, testnet.chain.rpcUrl]]) {
      hides = true;
      const gateway = testnet.gateway({ rpcUrls, startBlock, now: () => nowMs });
      const tracker = trackDeposits(gateway, [address]);
      await tracker.scan();
      const hash = await testnet.send(address, usdt(3));
      for (let block = 0; block < late; block += 1) {
        await testnet.mine();
        await tracker.scan();
      }
      hides = false;
      nowMs += 45_000;
      await testnet.mine();
      await tracker.scan();
      expect(tracker.credits.map(({ txHash }) => txHash)).toContain(hash);
    }
  });

  it("shows a deposit that only one of two nodes has, but does not credit it", async () => {
    const hash = await testnet.send(address, usdt(5));
    await testnet.mine(5);
    const ignorant = await startFaultyNode(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const gateway = testnet.gateway({ rpcUrls: [testnet.chain.rpcUrl, ignorant] });
    const tracker = trackDeposits(gateway, [address]);
    await tracker.scan();
    expect(tracker.seen.get(`${hash}:0`)?.confirmations).toBe(2);
    expect(tracker.credits).toEqual([]);
  });

  it.each([1, 3])("does not stop scanning or lose a deposit if all %i nodes lack its receipt (T51)", async (count) => {
    let hidden: string | null = null;
    const ignorant = await startFaultyNode(({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === hidden ? { result: null } : undefined,
    );
    const rpcUrls = Array.from({ length: count }, () => ignorant);
    const startBlock = (await testnet.height()) + 1;
    const tracker = trackDeposits(testnet.gateway({ rpcUrls, startBlock }), [address]);
    hidden = await testnet.send(address, usdt(9));
    const other = await testnet.send(address, usdt(2));
    await testnet.mine(3);
    await tracker.scan();
    expect(tracker.credits.map(({ txHash }) => txHash)).toEqual([other]);
    const key = `${hidden}:0`;
    expect(tracker.seen.get(key)).toMatchObject({ amount: usdt(9), confirmations: 2, disputed: true });

    hidden = null;
    await testnet.mine();
    await tracker.scan();
    expect(tracker.credits.map(({ amount }) => amount)).toEqual([usdt(2), usdt(9)]);
    expect(tracker.seen.get(key)).not.toHaveProperty("disputed");
  });

  it.each([2, 5])("counts a transfer once when a node returns each log %i times (T51)", async (copies) => {
    const start = await testnet.height();
    const hash = await testnet.send(address, usdt(100));
    await testnet.mine(5);
    const { rpcUrl } = testnet.chain;
    const repeat = (logs: unknown) => (logs as unknown[]).flatMap((log) => Array.from({ length: copies }, () => log));
    const repetitive = await startFaultyNode(async ({ method, params }) => {
      if (method === "eth_getLogs") return { result: repeat(await testnet.rpc(method, ...params)) };
      if (method !== "eth_getTransactionReceipt") return undefined;
      const receipt = (await testnet.rpc(method, ...params)) as { logs: unknown } | null;
      return { result: receipt && { ...receipt, logs: repeat(receipt.logs) } };
    });
    for (const rpcUrls of [[repetitive], [repetitive, rpcUrl, rpcUrl]]) {
      const tracker = trackDeposits(testnet.gateway({ rpcUrls, startBlock: start }), [address]);
      await tracker.scan();
      expect([...tracker.seen.keys()].filter((key) => key.startsWith(hash))).toEqual([`${hash}:0`]);
    }
  });

  it("does not let one faulty node of three invent or hide a deposit", async () => {
    const hash = await testnet.send(address, usdt(6));
    await testnet.mine(5);
    const ignorant = await startFaultyNode(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const { rpcUrl } = testnet.chain;
    const hidden = testnet.gateway({ rpcUrls: [ignorant, rpcUrl, rpcUrl] });
    const blockNumber = (await testnet.height()) - 4;
    const seen = { txHash: hash, ordinal: 0, blockNumber };
    expect(await recheckOne(hidden, seen)).toMatchObject({ amount: usdt(6), confirmations: 5 });

    const invented = `0x${"ab".repeat(32)}`;
    const receipt = (await testnet.rpc("eth_getTransactionReceipt", hash)) as { logs: object[] };
    const inventive = await startFaultyNode(({ method, params }) =>
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
    const misled = testnet.gateway({ rpcUrls: [inventive, rpcUrl, rpcUrl] });
    expect(await recheckOne(misled, { ...seen, txHash: invented })).toBeNull();
  });

  it("does not drop a deposit because its receipt is missing, only when its block no longer contains it (T50)", async () => {
    const hash = await testnet.send(address, usdt(8));
    await testnet.mine(3);
    const seen = { txHash: hash, ordinal: 0, blockNumber: (await testnet.height()) - 2 };
    const lagging = await startFaultyNode(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const gateway = testnet.gateway({ rpcUrls: [lagging] });
    await expect(recheckOne(gateway, seen)).rejects.toThrow(/no receipt/);
    // A node that has not reached its block yet does not drop it either.
    await expect(recheckOne(gateway, { ...seen, blockNumber: seen.blockNumber + 9 })).rejects.toThrow(
      /could not be found/,
    );
    await testnet.rpc("anvil_reorg", 3, []);
    expect(await recheckOne(gateway, seen)).toBeNull();
  });

  it("decides about a payment by majority, whichever node lies and whatever it says (T55)", async () => {
    const honest = testnet.gateway();
    const payment = await honest.preparePayment({
      paymentId: "p",
      to: address,
      amount: usdt(1),
      nonce: await honest.getNextNonce(),
    });
    await honest.broadcast(payment);
    await testnet.mine(4);
    const { hash } = payment;
    const receipt = (await testnet.rpc("eth_getTransactionReceipt", hash)) as object;
    const { rpcUrl } = testnet.chain;
    for (const lie of [null, { ...receipt, status: "0x0", logs: [] }, { ...receipt, logs: [] }]) {
      const liar = await startFaultyNode(({ method, params }) =>
        method === "eth_getTransactionReceipt" && params[0] === hash ? { result: lie } : undefined,
      );
      for (const place of [0, 1, 2]) {
        const rpcUrls = [rpcUrl, rpcUrl, rpcUrl].with(place, liar);
        expect(await testnet.gateway({ rpcUrls }).getPaymentState(payment)).toMatchObject({
          kind: "in_block",
          confirmations: 4,
        });
      }
      // Without a majority it is never final, and never replaced.
      const undecided = testnet.gateway({ rpcUrls: [rpcUrl, liar, "http://127.0.0.1:9"] });
      expect(await undecided.getPaymentState(payment)).toMatchObject(
        lie === null ? { kind: "in_block", confirmations: 2, disputed: true } : { kind: "unknown" },
      );
    }

    // A payment that two nodes do not know is sent again, even though a third claims that it is in a block.
    const unsent = await honest.preparePayment({ paymentId: "q", to: address, amount: usdt(1), nonce: 99 });
    const inventive = await startFaultyNode(({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === unsent.hash
        ? { result: { ...receipt, transactionHash: unsent.hash } }
        : undefined,
    );
    const misled = testnet.gateway({ rpcUrls: [inventive, rpcUrl, rpcUrl] });
    expect(await misled.getPaymentState(unsent)).toEqual({ kind: "unknown" });
  });

  it("cannot make us call another host by saying that a contract refers to it (T19)", async () => {
    const reached: string[] = [];
    const other = createServer((request, response) => {
      reached.push(request.url ?? "");
      response.end("0x");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const data = encodeErrorResult({
      abi: parseAbi(["error OffchainLookup(address, string[], bytes, bytes4, bytes)"]),
      args: [
        testnet.chain.usdtAddress,
        [`http://127.0.0.1:${(other.address() as AddressInfo).port}/{data}`],
        "0x",
        "0x00000000",
        "0x",
      ],
    });
    const liar = await startFaultyNode(({ method }) =>
      method === "eth_call" ? { error: { code: 3, message: "execution reverted", data } } : undefined,
    );
    const gateway = testnet.gateway({ rpcUrls: [liar] });
    await expect(gateway.assignFundingAddress({ reference: "order", index: 6 })).rejects.toThrow();
    expect(reached).toEqual([]);
    other.close();
  });

  it("counts one confirmation of a payment that is in a block, even if the node's height is lower than the block's", async () => {
    const gateway = testnet.gateway();
    const request = { paymentId: "p", to: address, amount: usdt(1), nonce: await gateway.getNextNonce() };
    const payment = await gateway.preparePayment(request);
    await gateway.broadcast(payment);
    const older = numberToHex((await testnet.height()) - 2);
    await testnet.mine();
    const balanced = await startFaultyNode(({ method }) =>
      method === "eth_blockNumber" ? { result: older } : undefined,
    );
    expect(await testnet.gateway({ rpcUrls: [balanced] }).getPaymentState(payment)).toMatchObject({
      kind: "in_block",
      confirmations: 1,
    });
  });

  it("reports a payment as impossible or reverted only when a majority agrees", async () => {
    const gateway = testnet.gateway();
    const payment = await gateway.preparePayment({
      paymentId: "p",
      to: address,
      amount: usdt(1),
      nonce: await gateway.getNextNonce(),
    });
    await gateway.broadcast(payment);
    await testnet.mine(4);
    const hash = payment.hash;
    const receipt = (await testnet.rpc("eth_getTransactionReceipt", hash)) as object;
    const faulty = await startFaultyNode(({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === hash
        ? { result: { ...receipt, status: "0x0", logs: [] } }
        : undefined,
    );
    const { rpcUrl } = testnet.chain;
    expect(await testnet.gateway({ rpcUrls: [faulty, rpcUrl] }).getPaymentState(payment)).toEqual({ kind: "unknown" });
    expect((await testnet.gateway({ rpcUrls: [rpcUrl, faulty, rpcUrl] }).getPaymentState(payment)).kind).toBe(
      "in_block",
    );
  });
});

describe("a node with limits", () => {
  it.each([
    { code: -32005, message: "query returned more than 10000 results" },
    { code: -32602, message: "block range is too large" },
    { code: -32000, message: "exceed maximum block range: 25" },
    // Nethermind, and a proxy in front of a node.
    { code: -32016, message: "eth_getLogs request was canceled due to enabled timeout." },
    { message: "upstream error", status: 504 },
  ])("gets requests for smaller ranges without missing a transfer: $message", async ({ status = 200, ...error }) => {
    let requests = 0;
    const picky = await startFaultyNode(({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      requests += 1;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) >= 25 ? { error, status } : undefined;
    });
    const start = await testnet.height();
    for (const amount of [1, 2, 3]) {
      await testnet.send(address, usdt(amount));
      await testnet.mine(40);
    }
    const tracker = trackDeposits(testnet.gateway({ rpcUrls: [picky], startBlock: start }), [address]);
    await tracker.scan();
    expect(tracker.credits.slice(-3).map(({ amount }) => amount)).toEqual([usdt(1), usdt(2), usdt(3)]);
    expect(requests).toBeLessThan(60);
  });

  it("gets requests for smaller ranges if it takes too long for a large one (T55)", async () => {
    const slow = await startFaultyNode(({ method, params }) => {
      if (method !== "eth_getLogs") return undefined;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) >= 25 ? new Promise(() => undefined) : undefined;
    });
    const startBlock = await testnet.height();
    const hash = await testnet.send(address, usdt(4));
    await testnet.mine(40);
    const toTransport = (url: string) => createRpcTransport(url, { timeout: 1_000, retryCount: 2 });
    const tracker = trackDeposits(testnet.gateway({ rpcUrls: [slow], toTransport, startBlock }), [address]);
    await tracker.scan();
    expect(tracker.credits.map(({ txHash }) => txHash)).toEqual([hash]);
  });

  it.each([
    ["it limits their rate", { code: -32005, message: "Too Many Requests: rate limit exceeded" }, "/"],
    ["its URL contains a word that refers to large ranges", { code: -32000, message: "busy" }, "/long-range"],
  ])("does not get more requests because %s", async (_why, error, path) => {
    let requests = 0;
    const busy = await startFaultyNode(({ method }) => {
      if (method !== "eth_getLogs") return undefined;
      requests += 1;
      return { error };
    });
    await expect(testnet.gateway({ rpcUrls: [busy + path] }).scan(null, async () => new Set())).rejects.toThrow();
    expect(requests).toBe(1);
  });
});
