import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseAbi } from "viem";
import { getBlockNumber, readContract } from "viem/actions";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWalletConfig } from "~/wallet/config";

type Call = { id: number; method: string; params?: unknown[] };

const abi = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11";

/** A JSON-RPC node over HTTP. It records each request's calls and time of arrival. If `silent`, it never responds. */
async function startNode({ silent }: { silent: boolean }) {
  const requests: Call[][] = [];
  const arrivals: number[] = [];
  const startedAt = Date.now();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      arrivals.push(Date.now() - startedAt);
      const calls = JSON.parse(body) as Call | Call[];
      requests.push([calls].flat());
      if (silent) return;
      const respond = ({ id, method }: Call) =>
        method === "eth_call"
          ? { jsonrpc: "2.0", id, error: { code: 3, message: "execution reverted" } }
          : { jsonrpc: "2.0", id, result: "0x10" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(respond) : respond(calls)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, requests, arrivals, stop };
}

const openClient = (url: string, chainId: number) => {
  const rpc = chainId === 1 ? { mainnet: url, sepolia: null } : { mainnet: null, sepolia: url };
  return createWalletConfig({ rpc, hasSandbox: false, origin: "https://site.invalid", storage: null }).getClient({
    chainId,
  });
};

/** Waits for the network, whose timers are real. */
async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error("The condition was not met in time.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.each([1, 11_155_111])("C12 K09 K10 the calls to the node of chain %i", (chainId) => {
  let node: Awaited<ReturnType<typeof startNode>>;
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => {
    node.stop();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("C12 K10 sends simultaneous calls in batches of 1000", async () => {
    node = await startNode({ silent: false });
    const client = openClient(node.url, chainId);
    await Promise.all(
      Array.from({ length: 1001 }, (_, n) =>
        client.request({ method: "eth_getBalance", params: [`0x${n}`, "latest"] }),
      ),
    );
    expect(node.requests.map((calls) => calls.length).sort((a, b) => a - b)).toEqual([1, 1000]);
  });

  it("C12 reads contracts through Multicall", async () => {
    node = await startNode({ silent: false });
    const client = openClient(node.url, chainId);
    const read = (owner: `0x${string}`) =>
      readContract(client, { abi, address: token, functionName: "balanceOf", args: [owner] });
    await Promise.allSettled([read(token), read(multicall3)]);
    const calls = node.requests.flat();
    expect(calls).toHaveLength(1);
    expect(calls[0]?.params?.[0]).toMatchObject({ to: multicall3 });
  });

  it("C12 K10 gives up on a call after 10 s, and tries three more times after 150, 300 and 600 ms", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    node = await startNode({ silent: true });
    const send = vi.spyOn(globalThis, "fetch");
    const startedAt = Date.now();
    let failedAt: number | null = null;
    getBlockNumber(openClient(node.url, chainId)).catch(() => {
      failedAt = Date.now() - startedAt;
    });
    while (failedAt === null) {
      // Time moves only once all that was sent has arrived.
      await until(
        () => failedAt !== null || (node.arrivals.length === send.mock.calls.length && vi.getTimerCount() > 0),
      );
      await vi.advanceTimersToNextTimerAsync();
    }
    const [first = 0] = node.arrivals;
    expect(node.arrivals.map((at) => at - first)).toEqual([0, 10_150, 20_450, 31_050]);
    expect(failedAt).toBe(first + 41_050);
  });
});
