import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodePaymentRequest, parseMobAddress } from "~/exchange.server/addresses/mob-address";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { recheckOne } from "../../support/recheck-one";
import { mob, scanAll, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
beforeEach(async () => {
  ({ sandbox, gateway } = await startTestnet());
});
afterEach(() => sandbox.stop());

const assign = async (reference: string) => (await gateway.assignFundingAddress({ reference, index: 1 })).address;

describe("MobileCoin funding addresses", () => {
  it("are valid, one per order, and the same again when the first response was lost (T46)", async () => {
    const first = await assign("order-a");
    const second = await assign("order-b");
    expect(parseMobAddress(first).address).toBe(first);
    expect(second).not.toBe(first);
    expect(await assign("order-a")).toBe(first);
    expect(await assign("order-b")).toBe(second);
    expect(gateway.toPaymentUri(first, mob(1))).toBe(`mob:///b58/${first}`);
    expect(gateway.toWalletLink(first, mob(1))).toBe(`mob:///b58/${encodePaymentRequest(first, mob(1))}`);
  });
});

describe("MobileCoin's newest addresses (T48)", () => {
  it("show the highest funding index that the wallet knows", async () => {
    expect(await gateway.getNewestFundingIndex()).toBe(0);
    for (const index of [7, 12, 9]) await gateway.assignFundingAddress({ reference: `order-${index}`, index });
    expect(await gateway.getNewestFundingIndex()).toBe(12);
    await sandbox.controls.restoreWallet();
    expect(await gateway.getNewestFundingIndex()).toBe(0);
  });
});

describe("MobileCoin deposits", () => {
  it("are credited to the receiving address, once per transfer (T51, T53)", async () => {
    const address = await assign("order-a");
    const paid = await sandbox.pay({ address, amount: mob(12) });
    await sandbox.pay({ address, amount: 1n });

    const result = await scanAll(gateway);
    expect(result.caughtUp).toBe(true);
    expect(result.transfers.map((transfer) => transfer.amount)).toEqual([mob(12), 1n]);
    expect(result.transfers[0]).toMatchObject({
      address,
      ordinal: 0,
      displayHash: paid.hash,
      blockNumber: paid.blockIndex,
      blockTime: null,
    });
    expect(result.transfers[0]?.confirmations).toBeGreaterThanOrEqual(gateway.requiredConfirmations);
    expect(new Set(result.transfers.map((transfer) => transfer.txHash)).size).toBe(2);

    const [transfer] = result.transfers;
    if (!transfer) throw new Error("no deposit found");
    expect(await recheckOne(gateway, transfer)).toEqual(transfer);
    expect(await recheckOne(gateway, { ...transfer, txHash: "00".repeat(32) })).toBeNull();
  });

  it("are read from the cursor with an overlap and never missed in between (T51)", async () => {
    const address = await assign("order-a");
    await sandbox.pay({ address, amount: 1n });
    const { cursor } = await scanAll(gateway);
    await sandbox.controls.makeBlocks(30);
    await sandbox.pay({ address, amount: 2n });
    const next = await scanAll(gateway, cursor);
    expect(next.transfers.map((transfer) => transfer.amount)).toEqual([1n, 2n]);
    const later = await scanAll(gateway, next.cursor);
    expect(later.transfers.map((transfer) => transfer.amount)).toEqual([2n]);
    expect(later.cursor.height).toBe(sandbox.controls.getHeight());
  });

  it("are read completely over several pages", { timeout: 30_000 }, async () => {
    const address = await assign("order-a");
    const outputs = Array.from({ length: 1_050 }, () => sandbox.controls.mint({ address, amount: 7n }));
    await Promise.all(outputs);
    const { transfers } = await scanAll(gateway);
    expect(new Set(transfers.map((transfer) => transfer.txHash)).size).toBe(1_050);
    const heights = transfers.map((transfer) => transfer.blockNumber);
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
  });

  it("do not include our own change, transfers to our main address, or other tokens", async () => {
    const address = await assign("order-a");
    const tester = sandbox.wallet();
    const payment = await gateway.preparePayment({ paymentId: "p", to: tester.address, amount: mob(5), nonce: null });
    await gateway.broadcast(payment);
    await sandbox.controls.makeBlocks(1);
    await sandbox.controls.mint({ address, amount: 500_000_000n, tokenId: "1" });
    expect((await scanAll(gateway)).transfers).toEqual([]);
  });

  it("count even if they were spent before they were first seen", async () => {
    const address = await assign("order-a");
    await sandbox.pay({ address, amount: mob(3) });
    // The wallet selects the smallest coin first, so this payment spends the deposit.
    const to = sandbox.wallet().address;
    const payment = await gateway.preparePayment({ paymentId: "p", to, amount: mob(1), nonce: null });
    await gateway.broadcast(payment);
    await sandbox.controls.makeBlocks(1);
    expect((await scanAll(gateway)).transfers.map((transfer) => transfer.amount)).toEqual([mob(3)]);
  });

  it("are exact beyond 2^53 (T42)", async () => {
    const address = await assign("order-a");
    const amounts = [2n ** 53n + 1n, 2n ** 63n + 1n, 2n ** 64n - 1n];
    for (const amount of amounts) await sandbox.controls.mint({ address, amount });
    expect((await scanAll(gateway)).transfers.map((transfer) => transfer.amount)).toEqual(amounts);
  });

  it("stay final, and are not reported as gone, after the wallet was restored from its seed (T48)", async () => {
    const address = await assign("order-a");
    await sandbox.pay({ address, amount: mob(12) });
    const { cursor, finalizedHeight, transfers } = await scanAll(gateway);
    const [transfer] = transfers;
    if (!transfer) throw new Error("no deposit found");
    await sandbox.controls.restoreWallet();
    for (const scanned of [1, null]) {
      sandbox.controls.setScanned(scanned);
      expect(await scanAll(gateway, cursor)).toMatchObject({ cursor, finalizedHeight, transfers: [] });
      await expect(recheckOne(gateway, transfer)).rejects.toThrow();
    }
    // The wallet assigns the same address again.
    expect(await assign("order-a")).toBe(address);
    expect(await recheckOne(gateway, transfer)).toEqual(transfer);
  });

  it("are matched with one query for addresses", async () => {
    const [mine, foreign] = [await assign("order-a"), await assign("order-b")];
    await sandbox.pay({ address: mine, amount: 1n });
    await sandbox.pay({ address: foreign, amount: 2n });
    const queries: string[][] = [];
    const { transfers } = await gateway.scan(null, async (addresses) => {
      queries.push(addresses);
      return new Set([mine]);
    });
    expect(transfers.map((transfer) => transfer.amount)).toEqual([1n]);
    expect(queries.map((addresses) => [...addresses].sort())).toEqual([[mine, foreign].sort()]);
  });

  it("do not let deadlines pass, and are not gone, while the wallet and its peers are behind what was read (T48)", async () => {
    const address = await assign("order-a");
    await sandbox.pay({ address, amount: mob(12) });
    const { cursor, transfers } = await scanAll(gateway);
    const [transfer] = transfers;
    if (!transfer) throw new Error("no deposit found");
    expect((await scanAll(gateway, cursor)).scannedThrough).toEqual(expect.any(Date));
    const later = { height: cursor.height + 2 };
    expect(await scanAll(gateway, later)).toMatchObject({ cursor: later, scannedThrough: null });
    const missing = { ...transfer, txHash: "00".repeat(32) };
    expect(await recheckOne(gateway, missing), "of a block that the wallet has").toBeNull();
    await expect(recheckOne(gateway, { ...missing, blockNumber: cursor.height })).rejects.toThrow();
  });

  it("do not let deadlines pass while the wallet is not synced", async () => {
    const before = Date.now();
    const { scannedThrough } = await scanAll(gateway);
    expect(scannedThrough?.getTime()).toBeGreaterThanOrEqual(before);
    sandbox.controls.setSynced(false);
    expect((await scanAll(gateway)).scannedThrough).toBeNull();
    expect((await gateway.readWallet()).paymentBlockReason).toMatch(/syncing/);
    sandbox.controls.setSynced(true);
    expect((await gateway.readWallet()).paymentBlockReason).toBeNull();
    sandbox.controls.setResyncing(true);
    expect((await gateway.readWallet()).paymentBlockReason).toMatch(/syncing/);
    await expect(scanAll(gateway)).rejects.toThrow(/Resync in progress/);
  });
});
