import { afterEach, describe, expect, it, vi } from "vitest";
import { createWalletConfig } from "~/wallet/config";
import { connectionStates, connectionWords, toShortAddress } from "~/wallet/connection-words";

const options = { rpc: { mainnet: "https://main.invalid/", sepolia: "https://sepolia.invalid/" }, sandbox: false };
const open = (changes: Partial<Parameters<typeof createWalletConfig>[0]> = {}) =>
  createWalletConfig({ ...options, origin: "https://site.invalid", storage: null, ...changes });

afterEach(() => vi.restoreAllMocks());

/** Answers every call of a batch, and remembers where each went. */
function answerRpc() {
  const asked: { url: string; body: unknown }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const body: unknown = await request.json();
    asked.push({ url: request.url, body });
    const answer = ({ id }: { id: number }) => ({ jsonrpc: "2.0", id, result: "0x10" });
    return Response.json(Array.isArray(body) ? body.map(answer) : answer(body as { id: number }));
  });
  return asked;
}

describe("the wallet's configuration", () => {
  it("C12 K09 knows mainnet and Sepolia and no other chain", () => {
    expect(open().chains.map(({ id }) => id)).toEqual([1, 11_155_111]);
    expect(open({ sandbox: true }).chains.map(({ id }) => id)).toEqual([1, 11_155_111]);
  });

  it("C12 K10 waits 10 s, repeats three times from 150 ms on, and uses Multicall", () => {
    for (const chainId of [1, 11_155_111]) {
      const client = open().getClient({ chainId });
      expect(client.transport).toMatchObject({ type: "http", timeout: 10_000, retryCount: 3, retryDelay: 150 });
      expect(client.batch?.multicall).toBe(true);
    }
  });

  it("C12 K10 sends questions asked together as one batch, to the RPC that was configured", async () => {
    const asked = answerRpc();
    const client = open().getClient({ chainId: 1 });
    await Promise.all([1, 2, 3].map((n) => client.request({ method: "eth_getBalance", params: [`0x${n}`] as never })));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).toBe("https://main.invalid/");
    expect(asked[0]?.body).toHaveLength(3);
  });

  it("C12 the sandbox's chain answers on this site's own origin, without contracts that it has not", async () => {
    const asked = answerRpc();
    const client = open({ sandbox: true }).getClient({ chainId: 11_155_111 });
    await client.request({ method: "eth_blockNumber" });
    expect(asked[0]?.url).toBe("https://site.invalid/sandbox/ethereum");
    expect(client.chain).not.toHaveProperty("contracts.multicall3");
  });

  it("asks no node that was not configured: then the connected wallet's own has to do", async () => {
    const asked = answerRpc();
    const client = open({ rpc: { mainnet: null, sepolia: null } }).getClient({ chainId: 1 });
    await expect(client.request({ method: "eth_blockNumber" }, { retryCount: 0 })).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it("S10 has words for each of the four states", () => {
    expect(connectionStates).toEqual(["disconnected", "connecting", "reconnecting", "connected"]);
    expect(connectionStates.map((state) => connectionWords[state].badge)).toEqual([
      "Disconnected",
      "Connecting",
      "Reconnecting",
      "Connected",
    ]);
    expect(toShortAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")).toBe("0x7099…79C8");
  });
});
