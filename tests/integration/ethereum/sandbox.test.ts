import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCommandLine } from "~/exchange.server/sandbox/ethereum/processes";
import { type SandboxEthereum, startSandboxEthereum } from "~/exchange.server/sandbox/ethereum/start";
import { tetherLikeAddress } from "~/exchange.server/sandbox/ethereum/treasury";
import { openGateway, silent, usdt } from "./world";

let dataDir: string;
const running: SandboxEthereum[] = [];
const somebody = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

async function start(over: Partial<Parameters<typeof startSandboxEthereum>[0]> = {}): Promise<SandboxEthereum> {
  const chain = await startSandboxEthereum({ dataDir, log: silent, blockTimeMs: 50, ...over });
  running.push(chain);
  return chain;
}

/** Every anvil that runs on this data directory. */
function findAnvils(): number[] {
  const pids = execFileSync("ps", ["-eo", "pid="], { encoding: "utf8" }).split("\n").map(Number);
  return pids.filter((pid) => pid > 0 && (readCommandLine(pid) ?? "").includes(join(dataDir, "anvil-state.json")));
}

const readPid = () => (JSON.parse(readFileSync(join(dataDir, "anvil.json"), "utf8")) as { pid: number }).pid;
const heightOf = async (chain: SandboxEthereum) => Number((await call(chain, "eth_blockNumber")).result);
const call = (chain: SandboxEthereum, method: string, ...params: unknown[]) =>
  chain.request({ jsonrpc: "2.0", id: 1, method, params }) as Promise<{ result: string }>;

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("it did not come to pass");
}

/** A site of its own process: starts the chain, uses the faucet, waits until that is on the disk, and is killed. */
async function runSiteAndKillIt(): Promise<{ rpcUrl: string; given: string }> {
  const script = fileURLToPath(new URL("./site-process.ts", import.meta.url));
  const site = spawn(process.execPath, ["--import", "tsx", script, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    site.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    site.once("exit", () => reject(new Error("the site ended by itself")));
  });
  site.kill("SIGKILL");
  await once(site, "exit");
  return JSON.parse(line) as { rpcUrl: string; given: string };
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "antelope-anvil-"));
});
afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop();
  expect(findAnvils()).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});

describe("the sandbox's Ethereum", () => {
  it("has Sepolia's id, the token with six decimals, a filled payout wallet and blocks that come", async () => {
    const chain = await start();
    const gateway = openGateway(chain);
    expect(await gateway.verify()).toEqual({ chainId: 11_155_111 });
    expect(chain.usdtAddress).toBe(tetherLikeAddress);
    expect(await gateway.getSpendable()).toBe(usdt(1_000_000));
    expect(await gateway.getPaymentObstacle()).toBeNull();
    const height = await heightOf(chain);
    await until(async () => (await heightOf(chain)) > height + 2);
    expect(findAnvils()).toEqual([readPid()]);
  });

  it("gives ether and tokens to whoever asks, several at once, each with its transaction mined", async () => {
    const chain = await start();
    const given = await Promise.all([
      chain.faucet({ address: somebody, asset: "ETH", amount: 10n ** 18n }),
      chain.faucet({ address: somebody, asset: "USDT", amount: usdt(100) }),
      chain.faucet({ address: somebody, asset: "USDT", amount: usdt(50) }),
    ]);
    expect(new Set(given.map(({ hash }) => hash)).size).toBe(3);
    for (const { hash } of given) {
      expect(await call(chain, "eth_getTransactionReceipt", hash)).toMatchObject({ result: { status: "0x1" } });
    }
    expect(Number((await call(chain, "eth_getBalance", somebody, "latest")).result)).toBe(1e18);
    await expect(chain.faucet({ address: "0x12", asset: "ETH", amount: 1n })).rejects.toThrow(/address/);
  });

  it("passes single calls and batches through as they are", async () => {
    const chain = await start();
    expect(await call(chain, "eth_chainId")).toEqual({ jsonrpc: "2.0", id: 1, result: "0xaa36a7" });
    const batch = [7, 8].map((id) => ({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] }));
    expect(await chain.request(batch)).toMatchObject([{ id: 7, result: "0xaa36a7" }, { id: 8 }]);
    expect(await call(chain, "eth_accounts")).toMatchObject({ result: [] });
  });

  it("behaves as Tether does: an allowance is zeroed first, blacklisted funds stay and can be destroyed", async () => {
    const chain = await start();
    await chain.faucet({ address: somebody, asset: "USDT", amount: usdt(9) });
    await expect(chain.destroyBlackFunds(somebody)).rejects.toThrow(/not blacklisted/);
    await chain.setBlacklisted(somebody, true);
    await chain.destroyBlackFunds(somebody);
    const data = `0x70a08231${somebody.slice(2).toLowerCase().padStart(64, "0")}`;
    expect(Number((await call(chain, "eth_call", { to: chain.usdtAddress, data }, "latest")).result)).toBe(0);
    await chain.faucet({ address: somebody, asset: "ETH", amount: 10n ** 18n });
    await call(chain, "anvil_impersonateAccount", somebody);
    const approve = (amount: bigint) => ({
      from: somebody,
      to: chain.usdtAddress,
      data: `0x095ea7b3${"1".padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`,
    });
    const { result } = await call(chain, "eth_sendTransaction", approve(5n));
    await until(async () => (await call(chain, "eth_getTransactionReceipt", result)).result !== null);
    expect(await call(chain, "eth_call", approve(6n), "latest")).toHaveProperty("error");
    expect(await call(chain, "eth_call", approve(0n), "latest")).toMatchObject({ result: "0x" });
  });

  it("keeps its chain and balances over a stop and a start, and leaves no process behind", async () => {
    const first = await start();
    await first.faucet({ address: somebody, asset: "USDT", amount: usdt(123) });
    const height = await heightOf(first);
    await first.stop();
    expect(findAnvils()).toEqual([]);
    const second = await start();
    expect(second.usdtAddress).toBe(first.usdtAddress);
    expect(await heightOf(second)).toBeGreaterThanOrEqual(height);
    const data = `0x70a08231${somebody.slice(2).toLowerCase().padStart(64, "0")}`;
    const balance = await call(second, "eth_call", { to: second.usdtAddress, data }, "latest");
    expect(BigInt(balance.result)).toBe(usdt(123));
    expect(await openGateway(second).getSpendable()).toBe(usdt(1_000_000));
  });

  it("adopts the anvil that a site killed by -9 left behind: one process, one chain", async () => {
    const { rpcUrl, given } = await runSiteAndKillIt();
    const pid = readPid();
    expect(findAnvils()).toEqual([pid]);
    const next = await start();
    expect(readPid()).toBe(pid);
    expect(findAnvils()).toEqual([pid]);
    expect(next.rpcUrl).toBe(rpcUrl);
    expect(await call(next, "eth_getTransactionReceipt", given)).toMatchObject({ result: { status: "0x1" } });
    expect(await openGateway(next).getSpendable()).toBe(usdt(1_000_000));
  });

  it("ends one that no longer answers, and goes on from its state", async () => {
    const { given } = await runSiteAndKillIt();
    const pid = readPid();
    process.kill(pid, "SIGSTOP");
    const next = await start();
    expect(readPid()).not.toBe(pid);
    expect(findAnvils()).toEqual([readPid()]);
    expect(await call(next, "eth_getTransactionReceipt", given)).toMatchObject({ result: { status: "0x1" } });
  });

  it("leaves a process alone that only has the pid of an earlier anvil", async () => {
    writeFileSync(join(dataDir, "anvil.json"), JSON.stringify({ pid: process.pid, port: 8545, startedAt: "" }));
    await start();
    expect(readPid()).not.toBe(process.pid);
  });

  it("starts anvil again when it dies, from at most a second ago", async () => {
    const chain = await start();
    const pid = readPid();
    process.kill(pid, "SIGKILL");
    await until(() => readPid() !== pid);
    await until(async () => (await call(chain, "eth_chainId").catch(() => null)) !== null);
    expect(await openGateway(chain).getSpendable()).toBe(usdt(1_000_000));
  });

  it("goes on from the last good copy when its state was cut off, and says nothing is lost", async () => {
    const first = await start();
    await first.stop();
    await (await start()).stop();
    const file = join(dataDir, "anvil-state.json");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 5_000));
    expect(await openGateway(await start()).getSpendable()).toBe(usdt(1_000_000));
  });

  it("forgets old blocks when it is started afresh, keeps accounts, and a scanner reads on over it", async () => {
    const chain = await start();
    const gateway = openGateway(chain);
    await chain.request({ jsonrpc: "2.0", id: 1, method: "anvil_mine", params: ["0x258"] });
    const { address } = await gateway.assignFundingAddress({ orderId: "o", index: 3 });
    const isOurs = async (addresses: string[]) => new Set(addresses.filter((one) => one === address));
    let { cursor } = await gateway.scan(null, isOurs);
    for (let more = true; more; ) {
      const result = await gateway.scan(cursor, isOurs);
      cursor = result.cursor;
      more = !result.caughtUp;
    }
    await chain.restartChain();
    const state = JSON.parse(readFileSync(join(dataDir, "anvil-state.json.good"), "utf8")) as { blocks: unknown[] };
    expect(state.blocks.length).toBeLessThanOrEqual(300);
    const { hash } = await chain.faucet({ address, asset: "USDT", amount: usdt(8) });
    const result = await gateway.scan(cursor, isOurs);
    expect(result.transfers.map(({ txHash, amount }) => [txHash, amount])).toEqual([[hash, usdt(8)]]);
  });

  it("takes a payment that was signed before it was started afresh, without historical states to look into", async () => {
    const chain = await start();
    const gateway = openGateway(chain);
    const nonce = await gateway.getNextNonce();
    const payment = await gateway.preparePayment({ paymentId: "p", to: somebody, amount: usdt(3), nonce });
    const rival = await gateway.preparePayment({ paymentId: "q", to: somebody, amount: usdt(4), nonce });
    await chain.restartChain();
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "unknown" });
    await gateway.broadcast(payment);
    await until(async () => (await gateway.getPaymentState(payment)).state === "in_block");
    await chain.restartChain();
    expect(["unknown", "impossible"]).toContain((await gateway.getPaymentState(rival)).state);
  });

  it("says in one sentence when anvil cannot run here", async () => {
    await expect(start({ anvilPath: "/nowhere/anvil" })).rejects.toThrow(/cannot start: there is no file/);
    await expect(start({ anvilPath: "/etc/hostname" })).rejects.toThrow(/does not run here/);
  });

  it("stops by its signal", async () => {
    const stopping = new AbortController();
    await start({ signal: stopping.signal });
    stopping.abort();
    await until(() => findAnvils().length === 0);
  });
});
