import { erc20Abi } from "viem";
import { readContract } from "viem/actions";
import { mainnet } from "viem/chains";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createWalletConfig } from "~/wallet/config";
import { connectionLabels, connectionStates } from "~/wallet/connection-labels";

const options = { rpc: { mainnet: "https://main.invalid/", sepolia: "https://sepolia.invalid/" }, hasSandbox: false };
const open = (changes: Partial<Parameters<typeof createWalletConfig>[0]> = {}) =>
  createWalletConfig({ ...options, origin: "https://site.invalid", storage: null, ...changes });

afterEach(() => vi.restoreAllMocks());

/** Responds to every JSON-RPC request, including batches, and records the requests. */
function stubRpc() {
  const requests: { url: string; body: unknown }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const body: unknown = await request.json();
    requests.push({ url: request.url, body });
    const toResponse = ({ id }: { id: number }) => ({ jsonrpc: "2.0", id, result: "0x10" });
    return Response.json(Array.isArray(body) ? body.map(toResponse) : toResponse(body as { id: number }));
  });
  return requests;
}

describe("the wallet configuration", () => {
  it("C12 K09 supports only mainnet and Sepolia", () => {
    expect(open().chains.map(({ id }) => id)).toEqual([1, 11_155_111]);
    expect(open({ hasSandbox: true }).chains.map(({ id }) => id)).toEqual([1, 11_155_111]);
  });

  it("C12 K10 has a timeout of 10 s, three retries from 150 ms, and uses Multicall", () => {
    for (const chainId of [1, 11_155_111]) {
      const client = open().getClient({ chainId });
      expect(client.transport).toMatchObject({ type: "http", timeout: 10_000, retryCount: 3, retryDelay: 150 });
      expect(client.batch?.multicall).toBe(true);
    }
  });

  it("C12 K10 has the same retries through the connected wallet, if no RPC is configured", () => {
    const client = open({ rpc: { mainnet: null, sepolia: null } }).getClient({ chainId: 1 });
    expect(client.transport).toMatchObject({ type: "connector", retryCount: 3, retryDelay: 150 });
  });

  it("C12 K10 batches simultaneous requests to the configured RPC", async () => {
    const requests = stubRpc();
    const client = open().getClient({ chainId: 1 });
    await Promise.all([1, 2, 3].map((n) => client.request({ method: "eth_getBalance", params: [`0x${n}`] as never })));
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url).toBe("https://main.invalid/");
    expect(requests[0]?.body).toHaveLength(3);
  });

  it("C12 K10 reads several contracts with one call, through Multicall", async () => {
    const requests = stubRpc();
    const client = open().getClient({ chainId: 1 });
    const read = (address: `0x${string}`) =>
      readContract(client, { address, abi: erc20Abi, functionName: "decimals" }).catch(() => null);
    await Promise.all([read(`0x${"1".repeat(40)}`), read(`0x${"2".repeat(40)}`)]);
    expect(requests.flatMap(({ body }) => body)).toMatchObject([
      { method: "eth_call", params: [{ to: mainnet.contracts.multicall3.address }, "latest"] },
    ]);
  });

  it("C12 reaches the sandbox chain on the site's own origin, without Multicall", async () => {
    const requests = stubRpc();
    const client = open({ hasSandbox: true }).getClient({ chainId: 11_155_111 });
    await client.request({ method: "eth_blockNumber" });
    expect(requests[0]?.url).toBe("https://site.invalid/sandbox/ethereum");
    expect(client.chain).not.toHaveProperty("contracts.multicall3");
  });

  it("contacts only nodes that are configured", async () => {
    const requests = stubRpc();
    const client = open({ rpc: { mainnet: null, sepolia: null } }).getClient({ chainId: 1 });
    await expect(client.request({ method: "eth_blockNumber" }, { retryCount: 0 })).rejects.toThrow();
    expect(requests).toEqual([]);
  });

  it("S10 has a label for each of the four states", () => {
    expect(connectionStates).toEqual(["disconnected", "connecting", "reconnecting", "connected"]);
    expect(connectionStates.map((state) => connectionLabels[state].badge)).toEqual([
      "Disconnected",
      "Connecting",
      "Reconnecting",
      "Connected",
    ]);
  });
});
