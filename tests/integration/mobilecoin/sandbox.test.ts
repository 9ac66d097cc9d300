import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseMobAddress } from "~/exchange.server/addresses/mob-address";
import { FullServiceError } from "~/exchange.server/chains/mobilecoin/full-service";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { eventually, mob, scanAll, startTestnet } from "./setup";

const running: SandboxMobilecoin[] = [];
const directories: string[] = [];
afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox.stop();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function start(options: Parameters<typeof startTestnet>[0] = {}) {
  const testnet = await startTestnet(options);
  running.push(testnet.sandbox);
  return testnet;
}

async function makeDataDir() {
  const dataDir = await mkdtemp(join(tmpdir(), "antelope-mob-"));
  directories.push(dataDir);
  return dataDir;
}

describe("the sandbox's MobileCoin", () => {
  it("starts with 1,000,000 MOB for the exchange and 100,000 for the tester", async () => {
    const { sandbox, gateway } = await start();
    expect((await gateway.readWallet()).spendable).toBe(mob(1_000_000));
    const wallet = sandbox.wallet();
    expect(wallet).toMatchObject({ balance: mob(100_000), received: [] });
    expect(parseMobAddress(wallet.address).fogReportUrl).toBe("");
    expect(await gateway.verify()).toEqual({ chainId: "sandbox", address: sandbox.mainAddress });
    expect(gateway.signer).toBe(sandbox.accountId);
  });

  it("makes a block with a delay after a transaction, and none without one", async () => {
    const { sandbox: idle } = await start({ blockDelayMs: 50 });
    const { sandbox } = await start({ blockDelayMs: 150 });
    const idleHeight = idle.controls.getHeight();
    const height = sandbox.controls.getHeight();
    const started = performance.now();
    await sandbox.pay({ address: sandbox.wallet().address, amount: 5n });
    expect(performance.now() - started).toBeGreaterThan(140);
    expect(sandbox.controls.getHeight()).toBe(height + 1);
    // In the meantime, a ledger with a shorter delay and no transactions has not made a block.
    expect(idle.controls.getHeight()).toBe(idleHeight);
  });

  it("lets the tester make many payments at once, waiting for change when necessary", async () => {
    const { sandbox, gateway } = await start();
    const { address } = await gateway.assignFundingAddress({ reference: "a", index: 1 });
    const payments = Array.from({ length: 40 }, () => sandbox.pay({ address, amount: mob(2_000) }));
    await Promise.all(payments);
    expect((await scanAll(gateway)).transfers).toHaveLength(40);
    await expect(sandbox.pay({ address, amount: mob(200_000) })).rejects.toThrow(/balance is too low/);
    await expect(sandbox.pay({ address, amount: 0n })).rejects.toThrow(/not a valid amount/);
    await expect(sandbox.pay({ address: "nobody", amount: 1n })).rejects.toThrow(/too short/);
  });

  it("T14 refills the tester's wallet when someone has spent its coins, but not without limit", async () => {
    const { sandbox, gateway } = await start();
    const { address } = await gateway.assignFundingAddress({ reference: "a", index: 1 });
    await sandbox.pay({ address, amount: mob(99_990) });
    expect(sandbox.wallet().balance).toBeLessThan(mob(10));
    await sandbox.pay({ address, amount: mob(50) });
    for (let i = 0; i < 3; i += 1) {
      await expect(sandbox.pay({ address, amount: mob(1_000_000) })).rejects.toThrow(/balance is too low/);
    }
    expect(sandbox.wallet().balance).toBeLessThan(mob(200_000));
  });

  it("refills the tester's wallet when its coins are in too many small outputs for one payment", async () => {
    const { sandbox, gateway } = await start();
    const { address } = await gateway.assignFundingAddress({ reference: "a", index: 1 });
    const own = sandbox.wallet().address;
    for (let i = 0; i < 40; i += 1) await sandbox.controls.mint({ address: own, amount: mob(3_000) });
    // The larger coins.
    await sandbox.pay({ address, amount: mob(99_990) });
    expect(sandbox.wallet().balance).toBeGreaterThan(mob(120_000));
    await sandbox.pay({ address, amount: mob(90_000) });
    expect((await scanAll(gateway)).transfers.map(({ amount }) => amount)).toEqual([mob(99_990), mob(90_000)]);
  });

  it("T14 lets visitors take turns, so that they do not have to wait for all payments of another visitor", async () => {
    const { sandbox, gateway } = await start();
    const { address } = await gateway.assignFundingAddress({ reference: "a", index: 1 });
    const paid: string[] = [];
    const pay = async (visitor: string, amount: number) => {
      await sandbox.pay({ address, amount: mob(amount) }, visitor);
      paid.push(visitor);
    };
    // Each of these needs all the coins, and new ones first.
    const flood = Array.from({ length: 5 }, () => pay("flood", 99_990));
    await Promise.all([...flood, pay("customer", 50)]);
    expect(paid.indexOf("customer")).toBeLessThanOrEqual(1);
    expect(paid).toHaveLength(6);
  });

  it("T14 lists the last 500 payments to the tester's wallet, newest first", async () => {
    const { sandbox } = await start();
    const { address } = sandbox.wallet();
    for (let amount = 1n; amount <= 503n; amount += 1n) await sandbox.controls.mint({ address, amount });
    const amounts = sandbox.wallet().received.map((payment) => payment.amount);
    expect([amounts.length, amounts[0], amounts.at(-1)]).toEqual([500, 503n, 4n]);
  });

  it("keeps its ledger, addresses and pending payments across a restart (T46)", async () => {
    const dataDir = await makeDataDir();
    const first = await start({ dataDir });
    const { address } = await first.gateway.assignFundingAddress({ reference: "a", index: 1 });
    await first.sandbox.pay({ address, amount: mob(12) });
    const before = await scanAll(first.gateway);
    first.sandbox.controls.holdBlocks(true);
    const to = first.sandbox.wallet().address;
    const payment = await first.gateway.preparePayment({ paymentId: "p", to, amount: mob(3), nonce: null });
    await first.gateway.broadcast(payment);
    await running.shift()?.stop();
    // The incomplete line of a process killed while writing.
    await appendFile(join(dataDir, "mobilecoin", "ledger.jsonl"), '{"kind":"block","at":"20');

    const second = await start({ dataDir });
    expect(second.sandbox.accountId).toBe(first.sandbox.accountId);
    expect((await scanAll(second.gateway)).transfers.slice(0, 1)).toMatchObject(
      before.transfers.map(({ confirmations, ...transfer }) => transfer),
    );
    await eventually(
      () => second.gateway.getPaymentState(payment),
      ({ kind }) => kind === "in_block",
    );
    await second.gateway.broadcast(payment);
    expect(second.sandbox.wallet().received.map((txo) => txo.amount)).toEqual([mob(3)]);
    expect((await second.gateway.assignFundingAddress({ reference: "a", index: 1 })).address).toBe(address);
    expect(await readFile(join(dataDir, "mobilecoin", "ledger.jsonl"), "utf8")).not.toContain('"at":"20{');
  });

  it("responds like full-service: errors as HTTP 200, numbers as strings, unknown methods rejected", async () => {
    const { sandbox, service } = await start();
    const post = async (body: unknown) => {
      const response = await fetch(sandbox.url, { method: "POST", body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    };
    expect(await post({ method: "nothing", jsonrpc: "2.0", id: 1 })).toMatchObject({
      status: 200,
      body: { error: { code: -32600 } },
    });
    expect(await post({ method: "get_txo_block_index", params: { public_key: "00".repeat(32) } })).toMatchObject({
      status: 200,
      body: { error: { code: -32603, message: "InternalError", data: { server_error: "LedgerDB(NotFound)" } } },
    });
    const amount = { value: 7, token_id: "0" };
    const params = { account_id: sandbox.accountId, recipient_public_address: sandbox.wallet().address, amount };
    expect(await post({ method: "build_transaction", params })).toMatchObject({ body: { error: { code: -32600 } } });

    const numbers = JSON.stringify((await post({ method: "get_wallet_status", jsonrpc: "2.0", id: 1 })).body.result);
    expect(numbers).not.toMatch(/:\d/);
    const { public_addresses } = await service.call(
      "get_addresses",
      { account_id: sandbox.accountId, offset: 0 },
      z.object({ public_addresses: z.array(z.string()) }),
    );
    // Without a limit, full-service ignores the offset.
    expect(public_addresses).toHaveLength(2);
    const health = await fetch(sandbox.url.replace("/wallet/v2", "/health"));
    expect(health.status).toBe(200);
  });
});

describe("the gateway with a wallet that does not match the configuration", () => {
  const log = pino({ level: "silent" });

  it("names the wrong network, account or API key, or an unreachable wallet, for the operator", async () => {
    const { sandbox } = await start({ apiKey: "right" });
    const options = {
      url: sandbox.url,
      accountId: sandbox.accountId,
      expectedChainId: "sandbox",
      fogServers: null,
      requiredConfirmations: 1,
      apiKey: "right",
      log,
      timeoutMs: 10_000,
    };
    const verify = (change: Partial<typeof options>) => createMobilecoinGateway({ ...options, ...change }).verify();
    expect(await verify({})).toMatchObject({ chainId: "sandbox" });
    await expect(verify({ expectedChainId: "main" })).rejects.toThrow(/on network "sandbox", but "main" is configured/);
    await expect(verify({ accountId: "none" })).rejects.toThrow(/AccountNotFound/);
    await expect(verify({ apiKey: "wrong" })).rejects.toThrow(/API key is wrong/);
    await expect(verify({ url: "http://127.0.0.1:9/wallet/v2" })).rejects.toThrow(/cannot be reached/);
  });

  it("recognises an error by the name of any layer that wraps it", () => {
    const error = new FullServiceError("m", 'TransactionBuilder(WalletDb(InsufficientFunds("a NotFound b")))', "");
    expect([error.is("InsufficientFunds"), error.is("WalletDb"), error.is("NotFound")]).toEqual([true, true, false]);
  });
});
