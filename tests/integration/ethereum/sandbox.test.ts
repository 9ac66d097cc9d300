import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getContractAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCommandLine } from "~/sandbox.server/ethereum/processes";
import { type SandboxEthereum, startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { tetherLikeAddress } from "~/sandbox.server/ethereum/token-owner";
import { createWalletCalls } from "~/sandbox.server/ethereum/wallet-calls";
import { type Bundle, bundle } from "../../support/bundle";
import { until } from "../../support/until";
import { openGateway, silent, usdt } from "./setup";

let script: Bundle;
let dataDir: string;
const running: SandboxEthereum[] = [];
const receiver = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

async function start(over: Partial<Parameters<typeof startSandboxEthereum>[0]> = {}): Promise<SandboxEthereum> {
  const chain = await startSandboxEthereum({ dataDir, log: silent, blockTimeMs: 50, ...over });
  running.push(chain);
  return chain;
}

function findProcesses(command: string): number[] {
  const pids = execFileSync("ps", ["-eo", "pid="], { encoding: "utf8" }).split("\n").map(Number);
  return pids.filter((pid) => pid > 0 && (readCommandLine(pid) ?? "").includes(command));
}

/** Process ids of all anvils on this data directory. */
const findAnvils = () => findProcesses(join(dataDir, "anvil-state.json"));

const readPid = () => (JSON.parse(readFileSync(join(dataDir, "anvil.json"), "utf8")) as { pid: number }).pid;
const heightOf = async (chain: SandboxEthereum) => Number((await call(chain, "eth_blockNumber")).result);
const rpc = (method: string) => ({ jsonrpc: "2.0", id: 1, method });
const call = async (chain: SandboxEthereum, method: string, ...params: unknown[]) =>
  JSON.parse(await chain.request({ jsonrpc: "2.0", id: 1, method, params })) as { result: string };

/** The receiver's micro-USDT. */
async function readBalance(chain: SandboxEthereum): Promise<bigint> {
  const data = `0x70a08231${receiver.slice(2).toLowerCase().padStart(64, "0")}`;
  return BigInt((await call(chain, "eth_call", { to: chain.usdtAddress, data }, "latest")).result);
}

/** Starts the chain in a process of its own, uses the faucet, and waits until the transaction is in the state file. */
async function startSite(): Promise<{ given: string; kill(): Promise<void> }> {
  const site = spawn(process.execPath, [script.path, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    site.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    site.once("exit", () => reject(new Error("the site process exited")));
  });
  return {
    given: (JSON.parse(line) as { given: string }).given,
    async kill() {
      site.kill("SIGKILL");
      await once(site, "exit");
    },
  };
}

const findWatchdogs = (anvilPid: number) => findProcesses(`antelope-watchdog ${anvilPid}`);

beforeAll(async () => {
  script = await bundle(fileURLToPath(new URL("./site-process.ts", import.meta.url)));
});
afterAll(() => script?.remove());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "antelope-anvil-"));
});
afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop();
  expect(findAnvils()).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});

describe("the sandbox's Ethereum", () => {
  it("has Sepolia's chain id, a token with six decimals, a funded payout wallet, and mines blocks", async () => {
    const chain = await start();
    const gateway = openGateway(chain);
    expect(await gateway.verify()).toEqual({ chainId: 11_155_111, address: gateway.signer });
    expect(chain.usdtAddress).toBe(tetherLikeAddress);
    const { ether, ...wallet } = await gateway.readWallet();
    expect(wallet).toMatchObject({ spendable: usdt(1_000_000), paymentBlockReason: null });
    // Enough that no alert asks for more (T60).
    expect(ether?.wei).toBeGreaterThan((ether?.perPayment ?? 0n) * 1_000n);
    const height = await heightOf(chain);
    await until("two more blocks", async () => (await heightOf(chain)) > height + 2);
    expect(findAnvils()).toEqual([readPid()]);
  });

  it("gives ether and tokens from its faucet, several at once, each in a mined transaction", async () => {
    const chain = await start();
    const given = await Promise.all([
      chain.faucet({ address: receiver, asset: "ETH", amount: 10n ** 18n }),
      chain.faucet({ address: receiver, asset: "USDT", amount: usdt(100) }),
      chain.faucet({ address: receiver, asset: "USDT", amount: usdt(50) }),
    ]);
    expect(new Set(given.map(({ hash }) => hash)).size).toBe(3);
    for (const { hash } of given) {
      expect(await call(chain, "eth_getTransactionReceipt", hash)).toMatchObject({ result: { status: "0x1" } });
    }
    expect(Number((await call(chain, "eth_getBalance", receiver, "latest")).result)).toBe(1e18);
    await expect(chain.faucet({ address: "0x12", asset: "ETH", amount: 1n })).rejects.toThrow(/address/);
  });

  it("issues more tokens if transfers that are not in a block yet need the rest", async () => {
    // Its reserve leaves the token's owner 10 of the first million.
    const chain = await start({ reserveUsdt: usdt(999_990), blockTimeMs: 60_000 });
    const give = (network: string) => chain.faucet({ address: receiver, asset: "USDT", amount: usdt(6) }, network);
    const given = Promise.all([give("192.0.2.1"), give("198.51.100.1"), give("203.0.113.1")]);
    const countPending = async () => {
      const { result } = await call(chain, "txpool_status");
      return Number((result as unknown as { pending: string }).pending);
    };
    // Three transfers, and new tokens.
    await Promise.race([given, until("four pending transactions", async () => (await countPending()) === 4)]);
    await call(chain, "evm_mine");
    await given;
    expect(await readBalance(chain)).toBe(usdt(18));
  });

  it("T14 lets networks take turns at its faucet", async () => {
    const chain = await start();
    const gift = { address: receiver, asset: "ETH", amount: 1n } as const;
    const flood = Array.from({ length: 20 }, () => chain.faucet(gift, "192.0.2.1"));
    const { hash } = await chain.faucet(gift, "198.51.100.1");
    const readNonce = async (hash: string) => {
      const { result } = await call(chain, "eth_getTransactionByHash", hash);
      return Number((result as unknown as { nonce: string }).nonce);
    };
    const own = await readNonce(hash);
    const others = await Promise.all((await Promise.all(flood)).map((given) => readNonce(given.hash)));
    expect(others.filter((nonce) => nonce < own).length).toBeLessThanOrEqual(2);
  });

  it("T14 limits the code that receiving faucet ether can run, and reports receivers that refuse it", async () => {
    const chain = await start();
    const deploy = async (code: string) => {
      const account = privateKeyToAccount(generatePrivateKey());
      await call(chain, "anvil_setBalance", account.address, "0xde0b6b3a7640000");
      const length = (code.length / 2).toString(16).padStart(2, "0");
      // Copies what follows these nine bytes and returns it as the contract's code.
      const data = `0x60${length}8060095f395ff3${code}` as const;
      const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
      const transaction = { chainId: chain.chainId, type: "eip1559", nonce: 0, gas: 200_000n, data, ...fees } as const;
      await call(chain, "eth_sendRawTransaction", await account.signTransaction(transaction));
      const address = getContractAddress({ from: account.address, nonce: 0n });
      await until("the contract", async () => (await call(chain, "eth_getCode", address, "latest")).result !== "0x");
      return address;
    };
    const give = async (address: string) => chain.faucet({ address, asset: "ETH", amount: 1n });
    // Runs until 10,000 gas are left.
    const { hash } = await give(await deploy("5b5a612710105f57"));
    const { result } = await call(chain, "eth_getTransactionReceipt", hash);
    expect(Number((result as unknown as { gasUsed: string }).gasUsed)).toBeLessThanOrEqual(60_000);
    await expect(give(await deploy("5b5f56"))).rejects.toMatchObject({ code: "address_invalid" });
    await expect(give(chain.usdtAddress)).rejects.toMatchObject({ code: "address_invalid" });
  });

  it("forwards single calls and batches unchanged", async () => {
    const chain = await start();
    expect(await call(chain, "eth_chainId")).toEqual({ jsonrpc: "2.0", id: 1, result: "0xaa36a7" });
    const batch = [7, 8].map((id) => ({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] }));
    expect(JSON.parse(await chain.request(batch))).toMatchObject([{ id: 7, result: "0xaa36a7" }, { id: 8 }]);
    expect(await call(chain, "eth_accounts")).toMatchObject({ result: [] });
  });

  it("T14 keeps working whatever code a call runs, and does not read huge responses", async () => {
    const chain = await start();
    const callChain = createWalletCalls((body) => chain.request(body));
    const run = async (method: string) => {
      const params = [{ data: "0x5b600056", gas: "0xffffffffffffffff" }];
      return JSON.parse(await callChain({ ...rpc(method), params }, "192.0.2.1"));
    };
    for (const method of ["eth_call", "eth_estimateGas", "eth_createAccessList"]) {
      expect(await run(method)).toMatchObject({ error: { message: expect.stringMatching(/out ?of ?gas/i) } });
    }
    const code = { ...rpc("eth_getCode"), params: [tetherLikeAddress, "latest"] };
    const batch = Array.from({ length: 50 }, () => code);
    await expect(callChain(batch, "192.0.2.1")).rejects.toThrow("The response would be too large.");
    expect(await heightOf(chain)).toBeGreaterThan(0);
  });

  it("T14 does not let any account or network fill its blocks", async () => {
    const chain = await start({ blockTimeMs: 60_000 });
    const callChain = createWalletCalls((body) => chain.request(body));
    const account = privateKeyToAccount(generatePrivateKey());
    await call(chain, "anvil_setBalance", account.address, "0xde0b6b3a7640000");
    const send = async (nonce: number, gas: bigint) => {
      const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
      const transaction = { chainId: chain.chainId, type: "eip1559", nonce, gas, data: "0x5b600056", ...fees } as const;
      const params = [await account.signTransaction(transaction)];
      const response = await callChain({ ...rpc("eth_sendRawTransaction"), params }, "192.0.2.1");
      return JSON.parse(response) as { result?: string };
    };
    expect(await send(0, 30_000_000n)).toMatchObject({ error: { message: expect.stringContaining("gas") } });
    for (let nonce = 0; nonce < 16; nonce += 1) expect((await send(nonce, 150_000n)).result).toMatch(/^0x/);
    expect(await send(16, 100_000n)).toMatchObject({ error: { message: expect.stringContaining("waiting") } });
    await call(chain, "evm_mine");
    expect(Number((await call(chain, "eth_getTransactionCount", account.address, "latest")).result)).toBe(16);
    expect((await send(16, 100_000n)).result).toMatch(/^0x/);
  });

  it("behaves like Tether: allowances must be reset to 0 first, blacklisted funds are frozen and can be destroyed", async () => {
    const chain = await start();
    await chain.faucet({ address: receiver, asset: "USDT", amount: usdt(9) });
    await expect(chain.destroyBlackFunds(receiver)).rejects.toThrow(/not blacklisted/);
    await chain.setBlacklisted(receiver, true);
    await chain.destroyBlackFunds(receiver);
    expect(await readBalance(chain)).toBe(0n);
    await chain.faucet({ address: receiver, asset: "ETH", amount: 10n ** 18n });
    await call(chain, "anvil_impersonateAccount", receiver);
    const approve = (amount: bigint) => ({
      from: receiver,
      to: chain.usdtAddress,
      data: `0x095ea7b3${"1".padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`,
    });
    const { result } = await call(chain, "eth_sendTransaction", approve(5n));
    await until("the receipt", async () => (await call(chain, "eth_getTransactionReceipt", result)).result !== null);
    expect(await call(chain, "eth_call", approve(6n), "latest")).toHaveProperty("error");
    expect(await call(chain, "eth_call", approve(0n), "latest")).toMatchObject({ result: "0x" });
  });

  it("keeps its chain and balances across a restart and leaves no process behind", async () => {
    const first = await start();
    await first.faucet({ address: receiver, asset: "USDT", amount: usdt(123) });
    const height = await heightOf(first);
    await first.stop();
    expect(findAnvils()).toEqual([]);
    const second = await start();
    expect(second.usdtAddress).toBe(first.usdtAddress);
    expect(await heightOf(second)).toBeGreaterThanOrEqual(height);
    expect(await readBalance(second)).toBe(usdt(123));
    expect((await openGateway(second).readWallet()).spendable).toBe(usdt(1_000_000));
  });

  it("stops anvil when its site is killed by -9, and the next start continues the chain", async () => {
    const site = await startSite();
    const pid = readPid();
    expect(findAnvils()).toEqual([pid]);
    expect(findWatchdogs(pid)).toHaveLength(1);
    await site.kill();
    await until(
      "the end of anvil and its watchdog",
      () => findAnvils().length === 0 && findWatchdogs(pid).length === 0,
    );
    const next = await start();
    expect(findAnvils()).toEqual([readPid()]);
    expect(await call(next, "eth_getTransactionReceipt", site.given)).toMatchObject({ result: { status: "0x1" } });
    expect((await openGateway(next).readWallet()).spendable).toBe(usdt(1_000_000));
  });

  it("starts right after a kill -9: one anvil, one chain", async () => {
    const site = await startSite();
    await site.kill();
    const next = await start();
    expect(findAnvils()).toEqual([readPid()]);
    expect(await call(next, "eth_getTransactionReceipt", site.given)).toMatchObject({ result: { status: "0x1" } });
  });

  it("stops an anvil that outlived its watchdog and no longer responds, and continues from its state", async () => {
    const site = await startSite();
    const pid = readPid();
    for (const watchdog of findWatchdogs(pid)) process.kill(watchdog, "SIGKILL");
    await site.kill();
    process.kill(pid, "SIGSTOP");
    const next = await start();
    expect(readPid()).not.toBe(pid);
    expect(findAnvils()).toEqual([readPid()]);
    expect(await call(next, "eth_getTransactionReceipt", site.given)).toMatchObject({ result: { status: "0x1" } });
  });

  it("leaves no watchdog behind when the site stops or restarts anvil", async () => {
    const chain = await start();
    const first = readPid();
    await chain.restartChain();
    const second = readPid();
    await until("the end of the first watchdog", () => findWatchdogs(first).length === 0);
    expect(findWatchdogs(second)).toHaveLength(1);
    await chain.stop();
    await until("the end of the second watchdog", () => findWatchdogs(second).length === 0);
  });

  it("does not touch another process that has the pid of an earlier anvil", async () => {
    writeFileSync(join(dataDir, "anvil.json"), JSON.stringify({ pid: process.pid, port: 8545, startedAt: "" }));
    await start();
    expect(readPid()).not.toBe(process.pid);
  });

  it("restarts anvil when it dies, losing at most a second", async () => {
    const chain = await start();
    const pid = readPid();
    process.kill(pid, "SIGKILL");
    await until("another anvil", () => readPid() !== pid);
    await until("its first response", async () => (await call(chain, "eth_chainId").catch(() => null)) !== null);
    expect((await openGateway(chain).readWallet()).spendable).toBe(usdt(1_000_000));
  });

  it("continues from the last good copy when its state file was truncated", async () => {
    const first = await start();
    await first.stop();
    await (await start()).stop();
    const file = join(dataDir, "anvil-state.json");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 5_000));
    expect((await openGateway(await start()).readWallet()).spendable).toBe(usdt(1_000_000));
  });

  it("drops old blocks and keeps accounts when its chain is restarted, and a scanner continues", async () => {
    const chain = await start();
    const gateway = openGateway(chain);
    await chain.request({ jsonrpc: "2.0", id: 1, method: "anvil_mine", params: ["0x258"] });
    const { address } = await gateway.assignFundingAddress({ reference: "o", index: 3 });
    const matchAddresses = async (addresses: string[]) =>
      new Set(addresses.filter((candidate) => candidate === address));
    let { cursor } = await gateway.scan(null, matchAddresses);
    for (let more = true; more; ) {
      const result = await gateway.scan(cursor, matchAddresses);
      cursor = result.cursor;
      more = !result.caughtUp;
    }
    await chain.restartChain();
    const state = JSON.parse(readFileSync(join(dataDir, "anvil-state.json.good"), "utf8")) as { blocks: unknown[] };
    expect(state.blocks.length).toBeLessThanOrEqual(300);
    const { hash } = await chain.faucet({ address, asset: "USDT", amount: usdt(8) });
    const result = await gateway.scan(cursor, matchAddresses);
    expect(result.transfers.map(({ txHash, amount }) => [txHash, amount])).toEqual([[hash, usdt(8)]]);
  });

  it("accepts a payment signed before its chain was restarted, without historical states", async () => {
    const chain = await start();
    const gateway = openGateway(chain);
    const nonce = await gateway.getNextNonce();
    const payment = await gateway.preparePayment({ paymentId: "p", to: receiver, amount: usdt(3), nonce });
    const rival = await gateway.preparePayment({ paymentId: "q", to: receiver, amount: usdt(4), nonce });
    await chain.restartChain();
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
    await gateway.broadcast(payment);
    await until("the block of the payment", async () => (await gateway.getPaymentState(payment)).kind === "in_block");
    await chain.restartChain();
    expect(["unknown", "impossible"]).toContain((await gateway.getPaymentState(rival)).kind);
  });

  it("explains in one sentence why anvil cannot run", async () => {
    await expect(start({ anvilPath: "/nowhere/anvil" })).rejects.toThrow(
      /cannot start: ANVIL_PATH names a file that does not exist/,
    );
    await expect(start({ anvilPath: "/etc/hostname" })).rejects.toThrow(/does not run here/);
  });
});
