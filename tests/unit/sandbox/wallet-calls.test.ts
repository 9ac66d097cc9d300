import { pino } from "pino";
import type { AccessList, Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it, vi } from "vitest";
import { createSandboxCalls, type SandboxSystems } from "~/sandbox.server/calls";
import { tetherLikeAddress } from "~/sandbox.server/ethereum/token-owner";
import { deferred } from "../../support/deferred";

type Call = { id?: unknown; method: string; params?: unknown[] };

const results: Record<string, string> = { eth_getTransactionCount: "0x0", eth_blockNumber: "0x3e8" };

/** The sandbox's calls with a fake chain, which records what reaches it and returns each call's method. */
function openSandbox() {
  const forwarded: Call[] = [];
  const respond = ({ id, method }: Call) => ({
    jsonrpc: "2.0",
    id,
    result: results[method] ?? method,
  });
  let held: Promise<void> = Promise.resolve();
  let heldMethods: string[] = [];
  /** Makes calls of these methods wait until the returned function is called. */
  const hold = (...methods: string[]) => {
    heldMethods = methods;
    const { promise, resolve } = deferred();
    held = promise;
    return resolve;
  };
  const ethereum = {
    async request(body: Call | Call[]) {
      const calls = [body].flat();
      forwarded.push(...calls);
      if (calls.some(({ method }) => heldMethods.includes(method))) await held;
      const responses = calls.filter(({ id }) => id !== undefined).map(respond);
      return responses.length === 0 ? "" : JSON.stringify(Array.isArray(body) ? responses : responses[0]);
    },
  };
  const systems = { ethereum, faucetMax: { ETH: 1n, USDT: 1n } } as unknown as SandboxSystems;
  const log: string[] = [];
  const app = createSandboxCalls(
    systems,
    "http://localhost:3000",
    pino({ level: "info" }, { write: (line) => log.push(line) }),
  );
  const send = async (rawBody: BodyInit, remoteAddress = "192.0.2.1") => {
    const init = { method: "POST", body: rawBody, duplex: "half" as const };
    const request = new Request("http://localhost:3000/sandbox/ethereum", init);
    const response = await app.fetch(request, { remoteAddress });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  };
  return { forwarded, hold, log, send, post: (body: unknown, from?: string) => send(JSON.stringify(body), from) };
}

const account = privateKeyToAccount(`0x${"1".repeat(64)}`);
/** A signed transaction. */
const sign = (change: { gas: bigint; to?: Address | null; nonce?: number; data?: Hex; accessList?: AccessList }) =>
  account.signTransaction({
    chainId: 11_155_111,
    type: "eip1559",
    to: tetherLikeAddress,
    nonce: 0,
    maxFeePerGas: 2n,
    ...change,
  });

const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
const refused = (id: unknown = 1) => ({ jsonrpc: "2.0", id, error: { code: -32601, message: expect.any(String) } });
const invalid = { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.any(String) } };

describe("the chain's JSON-RPC in the sandbox", () => {
  it("T18 does not treat a client that disconnects while sending as a failure", async () => {
    const sandbox = openSandbox();
    const body = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    expect([(await sandbox.send(body)).status, sandbox.log]).toEqual([400, []]);
  });

  it.each([
    ["anvil_reset", [{ forking: { jsonRpcUrl: "http://169.254.169.254/" } }]],
    ["hardhat_reset", [{ forking: { jsonRpcUrl: "http://169.254.169.254/" } }]],
    ["anvil_setRpcUrl", ["http://169.254.169.254/"]],
    ["anvil_dumpState", []],
    ["anvil_loadState", ["0x"]],
    ["anvil_impersonateAccount", ["0x0000000000000000000000000000000000000001"]],
    ["anvil_autoImpersonateAccount", [true]],
    ["anvil_setBalance", ["0x0000000000000000000000000000000000000001", "0x1"]],
    ["anvil_setCode", ["0x0000000000000000000000000000000000000001", "0x"]],
    ["anvil_mine", ["0xffffff"]],
    ["anvil_setLoggingEnabled", [true]],
    ["evm_mine", []],
    ["evm_revert", ["0x1"]],
    ["evm_snapshot", []],
    ["evm_increaseTime", [1e9]],
    ["evm_setNextBlockTimestamp", [1e12]],
    ["eth_sendTransaction", [{}]],
    ["eth_sendUnsignedTransaction", [{}]],
    ["eth_newFilter", [{}]],
    ["debug_traceTransaction", ["0x"]],
    ["trace_filter", [{}]],
    ["ots_getApiLevel", []],
    ["txpool_content", []],
    ["personal_unlockAccount", []],
    ["ETH_CALL", []],
    [" eth_call", []],
    ["eth_call\u0000", []],
    ["__proto__", []],
  ])("T19 refuses %s and does not forward it", async (method, params) => {
    const { forwarded, post } = openSandbox();
    expect(await post(call(method, params))).toEqual({ status: 200, body: refused() });
    expect(await post([call(method, params)])).toEqual({ status: 200, body: [refused()] });
    expect((await post({ jsonrpc: "2.0", method, params })).status).toBe(204);
    expect(forwarded).toEqual([]);
  });

  it("T21 refuses a call whose method is not a string like any other invalid call", async () => {
    const { log, post } = openSandbox();
    for (const method of [{ toString: 1 }, { valueOf: {}, toString: null }, ["eth_call"], 1, null]) {
      expect(await post({ jsonrpc: "2.0", id: 1, method })).toEqual({ status: 200, body: invalid });
      expect(await post([{ jsonrpc: "2.0", id: 1, method }])).toEqual({ status: 200, body: [invalid] });
    }
    expect(log).toEqual([]);
  });

  it.each([
    "eth_chainId",
    "eth_blockNumber",
    "eth_gasPrice",
    "eth_getBalance",
    "eth_getBlockByNumber",
    "eth_getCode",
    "eth_getTransactionByHash",
    "eth_getTransactionReceipt",
    "eth_maxPriorityFeePerGas",
    "net_version",
    "web3_clientVersion",
  ])("forwards %s, which wallets need", async (method) => {
    const { forwarded, post } = openSandbox();
    expect((await post(call(method))).body).toEqual({ jsonrpc: "2.0", id: 1, result: results[method] ?? method });
    expect(forwarded).toEqual([call(method)]);
  });

  it("forwards eth_sendRawTransaction, which wallets need", async () => {
    const { forwarded, post } = openSandbox();
    const params = [await sign({ gas: 60_000n })];
    const { body } = await post(call("eth_sendRawTransaction", params));
    expect(body).toMatchObject({ result: "eth_sendRawTransaction" });
    expect(forwarded.at(-1)).toEqual(call("eth_sendRawTransaction", params));
  });

  it("T14 refuses transactions that take too much of a block, alone or together", async () => {
    const { forwarded, post } = openSandbox();
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32005, message: expect.stringContaining("gas") } };
    const alone = await sign({ gas: 1_000_001n });
    expect((await post(call("eth_sendRawTransaction", [alone]))).body).toEqual(refusal);
    const half = call("eth_sendRawTransaction", [await sign({ gas: 500_000n })]);
    expect((await post([half, half, half])).body).toMatchObject([
      { result: half.method },
      { result: half.method },
      refusal,
    ]);
    expect(forwarded.filter(({ method }) => method === half.method)).toEqual([half, half]);
  });

  it.each([[[]], [["0x"]], [["0x02c0"]], [["nothing"]], [[{}]], [["0x02", "0x02"]]])(
    "T14 refuses %j as a transaction",
    async (params) => {
      const { forwarded, post } = openSandbox();
      expect((await post(call("eth_sendRawTransaction", params))).body).toMatchObject({ error: { code: -32005 } });
      expect(forwarded).toEqual([]);
    },
  );

  it("T14 refuses a transaction whose nonce is far ahead, and too many of one network", async () => {
    const { post } = openSandbox();
    const send = async (change: object, from?: string) =>
      (await post(call("eth_sendRawTransaction", [await sign({ gas: 1_000_000n, ...change })]), from)).body;
    expect(await send({ nonce: 3 })).toMatchObject({ result: expect.any(String) });
    expect(await send({ nonce: 4 })).toMatchObject({ error: { message: expect.stringContaining("too far ahead") } });
    expect(await send({ nonce: 16 })).toMatchObject({ error: { message: expect.stringContaining("waiting") } });
    for (let sent = 0; sent < 9; sent += 1) expect(await send({})).toMatchObject({ result: expect.any(String) });
    expect(await send({})).toMatchObject({ error: { message: expect.stringContaining("Too many") } });
    expect(await send({}, "198.51.100.1")).toMatchObject({ result: expect.any(String) });
  });

  it("T14 limits transactions that run other code or carry much data, but still accepts transfers", async () => {
    const { post } = openSandbox();
    const send = async (change: { gas: bigint; to?: Address | null; data?: Hex }, from?: string) => {
      const { body } = await post(call("eth_sendRawTransaction", [await sign(change)]), from);
      return body.error?.message ?? "sent";
    };
    const creation = { gas: 1_000_000n, to: null };
    const contract = { gas: 1_000_000n, to: account.address };
    const data = { gas: 1_000_000n, data: `0x${"00".repeat(1_001)}` } as const;
    for (const other of [creation, contract, data]) expect(await send(other)).toBe("sent");
    for (const other of [creation, contract, data]) expect(await send(other)).toMatch(/Too many/);
    for (const transfer of [{ gas: 100_000n }, { gas: 21_000n, to: account.address }]) {
      expect(await send(transfer)).toBe("sent");
    }
    for (let i = 0; i < 3; i += 1) expect(await send(creation, "198.51.100.1")).toBe("sent");
    // All networks together.
    expect(await send(creation, "203.0.113.1")).toMatch(/Too many/);
    expect(await send({ gas: 100_000n }, "203.0.113.1")).toBe("sent");
  });

  it("T14 accepts transfers for 60 million gas from one network in ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    try {
      const { post } = openSandbox();
      const transfer = call("eth_sendRawTransaction", [await sign({ gas: 1_000_000n })]);
      const sent: boolean[] = [];
      for (let i = 0; i < 63; i += 1) {
        sent.push((await post(transfer)).body.result !== undefined);
        vi.advanceTimersByTime(1_000);
      }
      expect(sent.filter(Boolean)).toHaveLength(60);
      vi.advanceTimersByTime(600_000);
      expect((await post(transfer)).body).toMatchObject({ result: expect.any(String) });
    } finally {
      vi.useRealTimers();
    }
  });

  const key = `0x${"0".repeat(64)}` as const;
  it.each([
    ["no data", {}, 21_000n],
    ["data", { data: "0x00ff00" as const }, 21_024n],
    ["31 kB of data", { data: `0x${"ff".repeat(31_000)}` as const }, 517_000n],
    ["an access list", { accessList: [{ address: key.slice(0, 42) as Hex, storageKeys: [key, key] }] }, 27_200n],
  ])("T14 refuses a transaction with %s that has too little gas for any block", async (_name, change, least) => {
    const { forwarded, post } = openSandbox();
    const send = async (gas: bigint) =>
      (await post(call("eth_sendRawTransaction", [await sign({ ...change, gas })]))).body;
    expect(await send(least - 1n)).toMatchObject({ error: { code: -32005 } });
    expect(forwarded).toEqual([]);
    expect(await send(least)).toMatchObject({ result: "eth_sendRawTransaction" });
  });

  it("T14 runs code for one request per network at a time, and for two in total", async () => {
    const { forwarded, post, hold } = openSandbox();
    const release = hold("eth_call");
    const run = call("eth_call", [{ data: "0x00" }, "latest"]);
    const count = () => forwarded.filter(({ method }) => method === "eth_call").length;
    const posts = Array.from({ length: 101 }, () => post(run));
    await vi.waitFor(() => expect(count()).toBe(1), 30_000);
    expect((await post(run)).status).toBe(429);
    posts.push(post(run, "198.51.100.1"), post(run, "203.0.113.1"));
    await vi.waitFor(() => expect(count()).toBe(2), 30_000);
    expect((await post(call("eth_blockNumber"))).status).toBe(200);
    expect(count()).toBe(2);
    release();
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 200));
    expect((await post(run)).status).toBe(200);
  });

  it("T14 lets each network read with one request at a time, and all networks with four", async () => {
    const { forwarded, post, hold } = openSandbox();
    const release = hold("eth_feeHistory");
    const read = call("eth_feeHistory", ["0x5", "latest", []]);
    const posts = Array.from({ length: 101 }, () => post(read));
    await vi.waitFor(() => expect(forwarded).toHaveLength(1), 30_000);
    expect((await post(read)).status).toBe(429);
    posts.push(...[1, 2, 3, 4].map((n) => post(read, `198.51.${n}.1`)));
    await vi.waitFor(() => expect(forwarded).toHaveLength(4), 30_000);
    release();
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 200));
    expect(forwarded).toHaveLength(105);
  });

  it.each([
    ["eth_chainId", [], 50],
    ["eth_feeHistory", ["0x1", "latest"], 10],
    ["eth_getBlockByNumber", ["latest", true], 10],
    ["eth_getBlockByHash", ["0x1", true], 10],
    ["eth_getBlockReceipts", ["latest"], 5],
    ["eth_getLogs", [{}], 5],
    ["eth_getLogs", [{ fromBlock: "0x0", toBlock: "0x9" }], 5],
    ["eth_getLogs", [{ fromBlock: "0x0", toBlock: "0xa" }], 1],
    ["eth_getLogs", [{ fromBlock: "0x3df" }], 1],
    ["eth_getLogs", [{ fromBlock: "earliest", toBlock: "0x1" }], 1],
    ["eth_getProof", ["0x1", [], "latest"], 5],
    ["eth_sendRawTransaction", ["0x02c0"], 10],
  ])("T14 accepts a limited number of %s calls per batch: %j, at most %i", async (method, params, most) => {
    const { forwarded, post } = openSandbox();
    const batch = (count: number) => Array.from({ length: count }, () => call(method, params));
    expect((await post(batch(most + 1))).body).toEqual(invalid);
    expect((await post([...batch(most), call("eth_chainId")])).body).toEqual(invalid);
    expect(forwarded).toEqual([]);
    expect((await post(batch(most))).body).toHaveLength(most);
  });

  const usdt = `0x${"ab".repeat(20)}`;
  it.each([
    [{}, { fromBlock: "latest", toBlock: "latest" }],
    [
      { fromBlock: null, toBlock: "pending" },
      { fromBlock: "latest", toBlock: "pending" },
    ],
    [{ fromBlock: "0x3df" }, { fromBlock: "0x3df", toBlock: "latest" }],
    [
      { fromBlock: "0x0", toBlock: "0x9" },
      { fromBlock: "0x0", toBlock: "0x9" },
    ],
    [{ blockHash: "0x12" }, { blockHash: "0x12" }],
  ])("T14 forwards eth_getLogs with the fields that wallets send: %j", async (range, expected) => {
    const { forwarded, post } = openSandbox();
    const filter = { address: usdt, topics: [] };
    await post(call("eth_getLogs", [{ ...filter, ...range, limit: 1 }]));
    expect(forwarded.at(-1)?.params).toEqual([{ ...filter, ...expected }]);
  });

  it("T14 passes a response on unchanged, without parsing it if every call of the batch was forwarded", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const { post } = openSandbox();
    await post([call("eth_chainId"), call("eth_gasPrice")]);
    // Only the test itself parses the response.
    expect(parse.mock.calls.filter(([text]) => text.includes("result"))).toHaveLength(1);
    parse.mockRestore();
  });

  it("T14 refuses values that are nested deeper than any call's", async () => {
    const { forwarded, send } = openSandbox();
    const nest = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect((await send(nest(6_000))).status).toBe(400);
    expect((await send(nest(40))).status).toBe(400);
    expect((await send(nest(20))).status).toBe(200);
    expect(forwarded).toHaveLength(1);
  });

  const block = "0x989680";
  const million = "0xf4240";
  it.each([
    ["all the gas that it may use", [{ data: "0x00" }, "latest"], [{ data: "0x00", gas: block }, "latest"]],
    ["no more gas than it may use", [{ data: "0x00", gas: "0xffffffffffffffff" }], [{ data: "0x00", gas: block }]],
    ["less gas", [{ data: "0x00", gas: "0x5208" }], [{ data: "0x00", gas: "0x5208" }]],
    [
      "what wallets send",
      [{ from: "0x1", value: "0x2", nonce: "0x3" }],
      [{ from: "0x1", value: "0x2", nonce: "0x3", gas: block }],
    ],
    ["nothing else", [{ to: "0x1", gasLimit: "0xffffffff", GAS: 1 }], [{ to: "0x1", gas: block }]],
  ])("T14 forwards a call that runs code with %s", async (_name, params, expected) => {
    const { forwarded, post } = openSandbox();
    for (const method of ["eth_call", "eth_estimateGas", "eth_createAccessList"]) await post(call(method, params));
    // These two make the chain run the code many times.
    const less = JSON.parse(JSON.stringify(expected).replace(block, million));
    expect(forwarded.map((sent) => sent.params)).toEqual([expected, less, less]);
  });

  it("T14 shares the gas among the calls of a batch that run code", async () => {
    const { forwarded, post } = openSandbox();
    const run = call("eth_call", [{ data: "0x00" }, "latest"]);
    await post([run, call("eth_chainId"), ...Array.from({ length: 9 }, () => run)]);
    expect(forwarded.filter(({ method }) => method === "eth_call").map(({ params }) => params)).toEqual(
      Array.from({ length: 10 }, () => [{ data: "0x00", gas: "0xf4240" }, "latest"]),
    );
  });

  it.each([
    ["eth_call", []],
    ["eth_call", [null, "latest"]],
    ["eth_call", [{ gas: 1e9 }, "latest"]],
    ["eth_call", [{ gas: "-0x1" }, "latest"]],
    ["eth_call", [{}, "latest", {}, { gasLimit: "0xffffffff" }]],
    ["eth_call", { 0: { gas: "0xffffffffffffffff" } }],
    ["eth_estimateGas", [{}, "latest", { "0x1": { code: "0x5b600056" } }]],
    ["eth_createAccessList", [{ gas: {} }]],
    ["eth_feeHistory", ["0x5", "latest", Array.from({ length: 21 }, (_, i) => i)]],
    ["eth_getLogs", []],
    ["eth_getLogs", [{ fromBlock: "newest" }]],
    ["eth_getLogs", [{ fromBlock: 0 }]],
    ["eth_feeHistory", [-1, "latest", []]],
    ["eth_feeHistory", { blockCount: "0xffff" }],
  ])("T14 refuses %s with %j", async (method, params) => {
    const { forwarded, post } = openSandbox();
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32602, message: expect.any(String) } };
    expect((await post({ ...call(method), params })).body).toEqual(refusal);
    expect((await post([{ ...call(method), params }])).body).toEqual([refusal]);
    expect(forwarded.filter((sent) => sent.method === method)).toEqual([]);
  });

  it.each([
    ["0xffff", "0x14"],
    [65_535, "0x14"],
    ["0x5", "0x5"],
  ])("T14 forwards a fee history of %s blocks as one of %s", async (blocks, expected) => {
    const { forwarded, post } = openSandbox();
    await post(call("eth_feeHistory", [blocks, "latest", [10, 20, 30]]));
    await post(call("eth_feeHistory", [blocks, "latest"]));
    expect(forwarded.map(({ params }) => params)).toEqual([
      [expected, "latest", [10, 20, 30]],
      [expected, "latest"],
    ]);
  });

  it("T19 checks every call of a batch, and responds in the order of the calls", async () => {
    const { forwarded, post } = openSandbox();
    const { body } = await post([
      call("eth_chainId", [], "a"),
      call("anvil_reset", [], "b"),
      { jsonrpc: "2.0", method: "eth_blockNumber" },
      [call("anvil_dumpState")],
      call("eth_gasPrice", [], "c"),
    ]);
    expect(body).toEqual([
      { jsonrpc: "2.0", id: "a", result: "eth_chainId" },
      refused("b"),
      invalid,
      { jsonrpc: "2.0", id: "c", result: "eth_gasPrice" },
    ]);
    expect(forwarded.map(({ method }) => method)).toEqual(["eth_chainId", "eth_blockNumber", "eth_gasPrice"]);
  });

  it("T19 forwards what it checked, not what was sent", async () => {
    const { forwarded, send, post } = openSandbox();
    await send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"anvil_reset"}');
    await send('{"jsonrpc":"2.0","id":1,"method":"anvil_reset","method":"eth_chainId"}');
    await post({ ...call("eth_chainId"), Method: "anvil_reset", extra: { method: "anvil_reset" } });
    expect(forwarded).toEqual([{ jsonrpc: "2.0", id: 1, method: "eth_chainId" }, call("eth_chainId")]);
  });

  it("responds with an error to anything that is not a call, and to an empty batch", async () => {
    const { forwarded, post } = openSandbox();
    const noCalls = [
      null,
      5,
      "eth_chainId",
      {},
      { ...call("eth_chainId"), jsonrpc: "1.0" },
      call("eth_chainId", [], {}),
    ];
    for (const body of [...noCalls, { ...call("eth_chainId"), method: ["anvil_reset"] }, []]) {
      expect((await post(body)).body, JSON.stringify(body)).toEqual(invalid);
    }
    expect(forwarded).toEqual([]);
  });
});
