import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createPublicClient, encodeFunctionData, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxEthereum, startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { createWalletCalls } from "~/sandbox.server/ethereum/wallet-calls";
import { createTestWallet } from "~/wallet/test-wallet/provider";
import { tokenAbi, transferAbi } from "~/wallet/token";

let dataDir: string;
let ethereum: SandboxEthereum;
let site: Server;
let rpcUrl: string;
const to = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "antelope-wallet-"));
  ethereum = await startSandboxEthereum({ dataDir, log: pino({ level: "silent" }), blockTimeMs: 100 });
  const callChain = createWalletCalls((calls) => ethereum.request(calls));
  // Proxies JSON-RPC to the chain, like /sandbox/ethereum.
  site = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      callChain(JSON.parse(Buffer.concat(chunks).toString("utf8")), "127.0.0.1")
        .then((result) => response.setHeader("content-type", "application/json").end(result))
        .catch(() => response.writeHead(502).end());
    });
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  rpcUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => site.close(resolve));
  await ethereum.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function openWallet() {
  const stored = new Map<string, string>();
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = createTestWallet({
    account,
    rpcUrl,
    store: {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    },
    async fund(address) {
      await ethereum.faucet({ address, asset: "ETH", amount: 10n ** 17n });
    },
  });
  return { account, wallet };
}

describe("the test wallet", () => {
  it("pays an exact amount of USDT on the sandbox's chain, signed with its own key", async () => {
    const { account, wallet } = openWallet();
    expect(await wallet.request({ method: "eth_requestAccounts" })).toEqual([account.address]);
    await ethereum.faucet({ address: account.address, asset: "USDT", amount: 30_000_000n });
    const data = encodeFunctionData({ abi: transferAbi, args: [to, 25_500_000n] });
    const hash = (await wallet.request({
      method: "eth_sendTransaction",
      params: [{ from: account.address, to: ethereum.usdtAddress, data }],
    })) as `0x${string}`;
    const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: 100 });
    expect((await chain.waitForTransactionReceipt({ hash, timeout: 15_000 })).status).toBe("success");
    const balanceOf = (owner: `0x${string}`) =>
      chain.readContract({ abi: tokenAbi, address: ethereum.usdtAddress, functionName: "balanceOf", args: [owner] });
    expect(await balanceOf(to)).toBe(25_500_000n);
    expect(await balanceOf(account.address)).toBe(4_500_000n);
  });

  it("shares its account only while it is connected", async () => {
    const { account, wallet } = openWallet();
    const events: unknown[] = [];
    wallet.on("accountsChanged", (accounts) => events.push(accounts));
    const payment = { method: "eth_sendTransaction", params: [{ from: account.address, to, value: "0x1" }] };
    expect(await wallet.request({ method: "eth_accounts" })).toEqual([]);
    await expect(wallet.request(payment)).rejects.toMatchObject({ code: 4100 });
    await wallet.request({ method: "wallet_requestPermissions", params: [{ eth_accounts: {} }] });
    expect(await wallet.request({ method: "eth_accounts" })).toEqual([account.address]);
    await wallet.request({ method: "wallet_revokePermissions", params: [{ eth_accounts: {} }] });
    expect(await wallet.request({ method: "eth_accounts" })).toEqual([]);
    expect(events).toEqual([[account.address], []]);
  });

  it("refuses unsupported and unauthorised requests with the codes of EIP-1193", async () => {
    const { wallet } = openWallet();
    expect(await wallet.request({ method: "eth_chainId" })).toBe("0xaa36a7");
    await wallet.request({ method: "eth_requestAccounts" });
    const expectError = (method: string, params: unknown[], code: number) =>
      expect(wallet.request({ method, params }), method).rejects.toMatchObject({ code });
    await expectError("wallet_switchEthereumChain", [{ chainId: "0x1" }], 4902);
    await expectError("wallet_addEthereumChain", [{ chainId: "0x1" }], 4200);
    await expectError("eth_signTypedData_v4", [], 4200);
    await expectError("eth_sendTransaction", [], -32602);
    await expectError("eth_sendTransaction", [{ from: to, to, value: "0x1" }], 4100);
    expect(
      await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId: "0xaa36a7" }] }),
    ).toBeNull();
  });
});
