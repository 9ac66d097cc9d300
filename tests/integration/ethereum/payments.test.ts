import { type Abi, custom, encodeFunctionData, http, parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  BroadcastRefusedError,
  type ChainGateway,
  PaymentRefusedError,
  PaymentsWaitError,
  type PreparedPayment,
} from "~/exchange.server/chains/gateway";
import { compileContract } from "~/sandbox.server/ethereum/compile";
import { tetherLikeAbi } from "~/sandbox.server/ethereum/token-owner";
import { deferred } from "../../support/deferred";
import { falseTokenSource } from "../../support/tokens";
import { startTestnet, type Testnet, usdt } from "./setup";

let testnet: Testnet;
let gateway: ChainGateway;
let to: string;
let index = 1_000;

async function prepare(amount = usdt(12.5), from: ChainGateway = gateway): Promise<PreparedPayment> {
  const prepared = await from.preparePayment({ paymentId: "p", to, amount, nonce: await from.getNextNonce() });
  // As it is stored in the database.
  return JSON.parse(JSON.stringify(prepared)) as PreparedPayment;
}

/** Adds the response to the ones that a test waits for. */
function keep(responses: Promise<unknown>[], response: Promise<unknown>): Promise<unknown> {
  responses.push(response);
  return response;
}

/** Sends a transaction from the payout wallet, like another program with the same key. */
async function sendFromPayoutWallet(nonce: number, receiver: string, amount: bigint): Promise<string> {
  const account = privateKeyToAccount(testnet.chain.payoutPrivateKey);
  const data = encodeFunctionData({
    abi: tetherLikeAbi,
    functionName: "transfer",
    args: [receiver as `0x${string}`, amount],
  });
  const serialized = await account.signTransaction({
    ...{ type: "eip1559", chainId: testnet.chain.chainId, nonce, to: testnet.chain.usdtAddress, data, gas: 100_000n },
    ...{ maxFeePerGas: 50n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 10n },
  });
  return (await testnet.rpc("eth_sendRawTransaction", serialized)) as string;
}

beforeAll(async () => {
  testnet = await startTestnet();
});
beforeEach(async () => {
  index += 1;
  gateway = testnet.gateway();
  to = (await gateway.assignFundingAddress({ reference: "receiver", index })).address;
});
afterAll(() => testnet.close());

describe("a USDT payment", () => {
  it("is signed as requested and not sent yet", async () => {
    const prepared = await prepare();
    expect(prepared).toMatchObject({ to, amount: "12500000", nonce: await gateway.getNextNonce(), networkFee: "0" });
    expect(await testnet.rpc("eth_getTransactionByHash", prepared.hash)).toBeNull();
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "unknown" });
  });

  it("is made once however often it is sent, before and after its block (T46)", async () => {
    const before = (await gateway.readWallet()).spendable;
    const prepared = await prepare();
    await gateway.broadcast(prepared);
    await gateway.broadcast(prepared);
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "unknown" });
    await testnet.mine();
    await gateway.broadcast(prepared);
    await testnet.mine();
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
    expect((await gateway.readWallet()).spendable).toBe(before - usdt(12.5));
    expect(await gateway.getPaymentState(prepared)).toMatchObject({ kind: "in_block", confirmations: 2 });
  });

  it("is not signed if earlier payments that are not in a block yet leave too little for it", async () => {
    const { spendable } = await gateway.readWallet();
    const request = { paymentId: "p", to, amount: spendable - usdt(3), nonce: (await gateway.getNextNonce()) ?? 0 };
    await expect(gateway.preparePayment({ ...request, outgoing: usdt(3) + 1n })).rejects.toThrow(
      "The balance does not cover this payment and the earlier ones",
    );
    expect(await gateway.preparePayment({ ...request, outgoing: usdt(3) })).toMatchObject({ nonce: request.nonce });
  });

  it("survives a crash between signing and sending: the next process sends the stored bytes", async () => {
    const prepared = await prepare();
    const nextProcess = testnet.gateway();
    expect(await nextProcess.getPaymentState(prepared)).toEqual({ kind: "unknown" });
    await nextProcess.broadcast(prepared);
    await testnet.mine();
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
  });

  it("is not sent when its bytes do not match its hash", async () => {
    const prepared = await prepare();
    const other = await prepare(usdt(900));
    await expect(gateway.broadcast({ ...prepared, raw: other.raw })).rejects.toThrow(/do not match its hash/);
  });

  it("cannot be sent when no node can be reached", async () => {
    const prepared = await prepare();
    const cutOff = testnet.gateway({ rpcUrls: ["http://127.0.0.1:9"] });
    await expect(cutOff.broadcast(prepared)).rejects.toThrow();
  });

  it("is sent even if one node never responds, and waits for that node only once (T60)", async () => {
    const { rpcUrl } = testnet.chain;
    const rpcUrls = [rpcUrl, "silent", rpcUrl];
    const toTransport = (url: string) =>
      url === "silent" ? custom({ request: () => new Promise(() => undefined) }) : http(url);
    const threeNodes = testnet.gateway({ rpcUrls, toTransport });
    await threeNodes.broadcast(await prepare());
    await testnet.mine(3);
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));

    // From now on, time stands still for those that wait.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      const next = await prepare(usdt(2), threeNodes);
      await threeNodes.broadcast(next);
      expect(await threeNodes.getPaymentState(next)).toEqual({ kind: "unknown" });
    } finally {
      vi.useRealTimers();
    }
    await testnet.mine(3);
    expect(await testnet.balanceOf(to)).toBe(usdt(14.5));
  });

  it("has the nonce that a majority reports, even if one node lies and another did not respond before (T55)", async () => {
    const { rpcUrl } = testnet.chain;
    type Call = { method: string; params?: unknown };
    const forward = ({ method, params }: Call) => testnet.rpc(method, ...((params ?? []) as unknown[]));
    const awake = deferred();
    const quickResponses: Promise<unknown>[] = [];
    const slowResponses: Promise<unknown>[] = [];
    const honest = (call: Call) => keep(quickResponses, forward(call));
    const liar = (call: Call) =>
      keep(quickResponses, call.method === "eth_getTransactionCount" ? Promise.resolve("0x0") : forward(call));
    // Responds after the two others.
    const slow = (call: Call) =>
      keep(
        slowResponses,
        awake.promise.then(() => Promise.all(quickResponses)).then(() => forward(call)),
      );
    const requests: Record<string, (call: Call) => Promise<unknown>> = { [rpcUrl]: honest, slow, liar };
    const toTransport = (url: string) => custom({ request: requests[url] ?? honest });
    const threeNodes = testnet.gateway({ rpcUrls: [rpcUrl, "slow", "liar"], toTransport });
    await threeNodes.readWallet();
    awake.resolve();
    await Promise.all(slowResponses);
    await threeNodes.readWallet();
    expect(await threeNodes.getNextNonce()).toBe(await gateway.getNextNonce());
  });

  it("is permanently refused if it goes to an invalid address, the zero address or the token", async () => {
    const nonce = await gateway.getNextNonce();
    for (const bad of ["0x1234", "", "0x0000000000000000000000000000000000000000", testnet.chain.usdtAddress]) {
      const refused = gateway.preparePayment({ paymentId: "p", to: bad, amount: 1n, nonce });
      await expect(refused).rejects.toBeInstanceOf(PaymentRefusedError);
    }
  });

  it("is not built above the balance or while the token is paused, and can be tried again (T56, T60)", async () => {
    const tooMuch = prepare(usdt(5_000_000));
    await expect(tooMuch).rejects.toThrow("The balance does not cover this payment.");
    await expect(tooMuch).rejects.not.toBeInstanceOf(PaymentRefusedError);
    await testnet.mineUntilDone(testnet.chain.setPaused(true));
    await expect(prepare()).rejects.not.toBeInstanceOf(PaymentRefusedError);
    await testnet.mineUntilDone(testnet.chain.setPaused(false));
    expect((await prepare()).amount).toBe("12500000");
  });

  it("waits while gas costs too much, even if it would also exceed the balance (T60)", async () => {
    const thrifty = testnet.gateway({ maxFeePerGas: 1n });
    await expect(prepare(usdt(5_000_000), thrifty)).rejects.toThrow(PaymentsWaitError);
  });

  it("is reported as reverted once that has enough confirmations", async () => {
    const prepared = await prepare();
    await testnet.mineUntilDone(testnet.chain.setPaused(true));
    await gateway.broadcast(prepared);
    await testnet.mine();
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "unknown" });
    await testnet.mine(2);
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "reverted" });
    await testnet.mineUntilDone(testnet.chain.setPaused(false));
    expect(await testnet.balanceOf(to)).toBe(0n);
  });

  it("is reported as reverted when the token returns false and moves nothing (T52)", async () => {
    const { abi, bytecode } = compileContract(falseTokenSource, "FalseToken");
    const hash = await testnet.customer.deployContract({ abi: abi as Abi, bytecode });
    const receipt = await testnet.receiptOf(hash);
    const falseGateway = testnet.gateway({ usdtAddress: receipt.contractAddress ?? "" });
    const prepared = await prepare(usdt(1), falseGateway);
    await falseGateway.broadcast(prepared);
    await testnet.mine(3);
    expect(await falseGateway.getPaymentState(prepared)).toEqual({ kind: "reverted" });
  });
});

describe("a payment whose nonce was used by another transaction", () => {
  it("is reported as impossible once that is certain and not before", async () => {
    const prepared = await prepare();
    await sendFromPayoutWallet(prepared.nonce ?? 0, testnet.customer.account.address, 1n);
    await testnet.mine(2);
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "unknown" });
    await testnet.mine();
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "impossible" });
    await gateway.broadcast(prepared);
    await testnet.mine(30);
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "impossible" });
    expect(await testnet.balanceOf(to)).toBe(0n);
  });

  it("is never reported as impossible when the other transaction is a version of itself (T46)", async () => {
    const prepared = await prepare();
    await sendFromPayoutWallet(prepared.nonce ?? 0, to, usdt(12.5));
    await testnet.mine(10);
    expect(await gateway.getPaymentState(prepared)).toEqual({ kind: "unknown" });
  });

  it("is found under the hash of another version, but not under any other hash (T48)", async () => {
    const prepared = await prepare();
    const nonce = prepared.nonce ?? 0;
    const version = await sendFromPayoutWallet(nonce, to, usdt(12.5));
    const others = [
      await sendFromPayoutWallet(nonce + 1, to, usdt(12.5)),
      await sendFromPayoutWallet(nonce + 2, to, usdt(12)),
      `0x${"1".repeat(64)}`,
    ];
    await testnet.mine(5);
    expect(await gateway.getPaymentState(prepared, version)).toMatchObject({ kind: "in_block", confirmations: 5 });
    for (const other of others) expect(await gateway.getPaymentState(prepared, other)).toEqual({ kind: "unknown" });
  });

  it("changes the next nonce, which reveals a restored backup (T48)", async () => {
    const next = (await gateway.getNextNonce()) ?? 0;
    await sendFromPayoutWallet(next, testnet.customer.account.address, 1n);
    expect(await gateway.getNextNonce()).toBe(next + 1);
    await testnet.mine();
    expect(await gateway.getNextNonce()).toBe(next + 1);
  });
});

describe("the cancellation of a payment", () => {
  it("replaces it in the pool, uses its nonce, and makes it impossible (T46)", async () => {
    const payment = await prepare();
    await gateway.broadcast(payment);
    const cancellation = await gateway.prepareCancellation(payment);
    if (!cancellation) throw new Error("a cancellation");
    expect(cancellation).toMatchObject({ nonce: payment.nonce, amount: "0" });
    await gateway.broadcast(JSON.parse(JSON.stringify(cancellation)));
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
    await testnet.mine(3);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "impossible" });
    expect(await testnet.balanceOf(to)).toBe(0n);
    expect(await gateway.getNextNonce()).toBe((payment.nonce ?? 0) + 1);
  });

  it("can be signed even though the highest fee was lowered since the payment was signed (T60)", async () => {
    const payment = await prepare();
    const { maxFeePerGas } = payment.raw as { maxFeePerGas: string };
    const frugal = testnet.gateway({ maxFeePerGas: BigInt(maxFeePerGas) / 4n });
    await gateway.broadcast(payment);
    await frugal.broadcast((await frugal.prepareCancellation(payment)) as PreparedPayment);
    await testnet.mine(3);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "impossible" });
  });

  it("has no effect once the payment is in a block", async () => {
    const payment = await prepare();
    await gateway.broadcast(payment);
    const cancellation = await gateway.prepareCancellation(payment);
    await testnet.mine(3);
    await gateway.broadcast(cancellation as PreparedPayment);
    await testnet.mine(3);
    expect(await gateway.getPaymentState(payment)).toMatchObject({ kind: "in_block" });
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
  });
});

describe("raising the fee (T60)", () => {
  it("keeps the nonce, receiver and amount, and only one version is included", async () => {
    const eager = testnet.gateway({ feeBumpAfterMs: 0 });
    const first = await prepare();
    await gateway.broadcast(first);
    expect(await gateway.bumpPayment(first)).toBeNull();
    const second = await eager.bumpPayment(first);
    if (!second) throw new Error("no bump");
    const [before, after] = [first, second].map(({ raw }) =>
      parseTransaction((raw as { serialized: `0x${string}` }).serialized),
    );
    expect(second).toMatchObject({ nonce: first.nonce, to: first.to, amount: first.amount });
    expect(after?.data).toBe(before?.data);
    expect((after?.maxFeePerGas ?? 0n) * 1000n).toBeGreaterThanOrEqual((before?.maxFeePerGas ?? 0n) * 1125n);
    expect((after?.maxPriorityFeePerGas ?? 0n) * 1000n).toBeGreaterThanOrEqual(
      (before?.maxPriorityFeePerGas ?? 0n) * 1125n,
    );
    await gateway.broadcast(second);
    await testnet.mine(4);
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
    expect(await gateway.getPaymentState(second)).toMatchObject({ kind: "in_block" });
    expect(await gateway.getPaymentState(first)).toEqual({ kind: "unknown" });
    expect(await eager.bumpPayment(second)).toBeNull();
  });

  it("does not wait for the time at which it was signed by a process whose clock was ahead (T61)", async () => {
    const ahead = testnet.gateway({ maxHeadAgeMs: 1e12, now: () => Date.now() + 86_400_000 });
    const first = await ahead.preparePayment({
      paymentId: "ahead",
      to,
      amount: usdt(1),
      nonce: await ahead.getNextNonce(),
    });
    const second = await gateway.bumpPayment(first);
    expect(second).toMatchObject({ nonce: first.nonce, to: first.to, amount: first.amount });
    expect(await gateway.bumpPayment(second as PreparedPayment)).toBeNull();
  });

  it("happens immediately when the base fee rises above the payment's maximum, up to the configured limit", async () => {
    const first = await prepare();
    await gateway.broadcast(first);
    await testnet.rpc("anvil_setNextBlockBaseFeePerGas", "0x1bf08eb000");
    await testnet.mine();
    expect(await gateway.getPaymentState(first)).toEqual({ kind: "unknown" });
    expect(await testnet.gateway({ maxFeePerGas: 10n ** 9n }).bumpPayment(first)).toBeNull();
    await expect(prepare(usdt(1), testnet.gateway({ maxFeePerGas: 10n ** 9n }))).rejects.toThrow(/Gas costs more/);
    const second = await gateway.bumpPayment(first);
    if (!second) throw new Error("no bump");
    await gateway.broadcast(second);
    await testnet.mine(2);
    expect(await gateway.getPaymentState(second)).toMatchObject({ kind: "in_block" });
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
  });

  const setBaseFee = async (gwei: bigint) => {
    await testnet.rpc("anvil_setNextBlockBaseFeePerGas", `0x${(gwei * 10n ** 9n).toString(16)}`);
    await testnet.mine();
  };
  const feeOf = (payment: PreparedPayment | null) => {
    if (!payment) throw new Error("no bump");
    return parseTransaction((payment.raw as { serialized: `0x${string}` }).serialized).maxFeePerGas ?? 0n;
  };

  it("happens up to the maximum, even if twice the base fee exceeds it", async () => {
    const limit = 100n * 10n ** 9n;
    const capped = testnet.gateway({ maxFeePerGas: limit, feeBumpAfterMs: 0 });
    await setBaseFee(1n);
    const first = await prepare(usdt(12.5), capped);
    await capped.broadcast(first);
    await setBaseFee(80n);
    const second = await capped.bumpPayment(first);
    expect(feeOf(second)).toBe(limit);
    await capped.broadcast(second as PreparedPayment);
    expect(await capped.bumpPayment(second as PreparedPayment)).toBeNull();
    await testnet.mine(3);
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
  });

  it("stops at four times the price of gas, and continues to the maximum only if the network refuses it for its fee", async () => {
    await setBaseFee(10n);
    const eager = testnet.gateway({ feeBumpAfterMs: 0 });
    const raiseAll = async (from: PreparedPayment, options: { refused?: boolean } = {}) => {
      const versions = [from];
      for (let next: PreparedPayment | null = from; next; next = await eager.bumpPayment(next, options))
        versions.push(next);
      return { last: versions.at(-1) ?? from, raised: versions.length - 2 };
    };
    const first = await prepare();
    const { baseFeePerGas } = (await testnet.rpc("eth_getBlockByNumber", "latest", false)) as { baseFeePerGas: string };
    const price = BigInt(baseFeePerGas) + BigInt((await testnet.rpc("eth_maxPriorityFeePerGas")) as string);
    const { last, raised } = await raiseAll(first);
    expect(raised).toBeGreaterThan(3);
    expect(feeOf(last)).toBeGreaterThan(price * 3n);
    expect(feeOf(last)).toBeLessThanOrEqual(price * 4n);
    const refused = await raiseAll(last, { refused: true });
    expect(feeOf(refused.last)).toBeGreaterThan(270n * 10n ** 9n);
    await setBaseFee(1n);
  });

  it("happens to a payment that the network refused for its fee before it was ever sent", async () => {
    await setBaseFee(1n);
    const first = await prepare();
    await setBaseFee(80n);
    const refusal = await gateway.broadcast(first).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BroadcastRefusedError);
    expect(refusal).toMatchObject({ reason: "fee" });
    const second = await gateway.bumpPayment(first, { refused: true });
    expect(second?.nonce).toBe(first.nonce);
    await gateway.broadcast(second as PreparedPayment);
    await testnet.mine(3);
    expect(await testnet.balanceOf(to)).toBe(usdt(12.5));
    await setBaseFee(1n);
  });

  it("does not happen while the payment waits for an earlier nonce", async () => {
    const next = (await gateway.getNextNonce()) ?? 0;
    const later = await gateway.preparePayment({ paymentId: "p", to, amount: 1n, nonce: next + 1 });
    expect(await testnet.gateway({ feeBumpAfterMs: 0 }).bumpPayment(later)).toBeNull();
  });
});

describe("what a payment costs (T67)", () => {
  const etherPrice = usdt(3_000);
  const setBaseFee = async (gwei: bigint) => {
    await testnet.rpc("anvil_setNextBlockBaseFeePerGas", `0x${(gwei * 10n ** 9n).toString(16)}`);
    await testnet.mine();
  };

  it.each([1n, 40n, 150n])("covers what a transfer costs at a base fee of %s gwei, with a margin", async (gwei) => {
    await setBaseFee(gwei);
    const cost = (await testnet.gateway({ etherPrice }).readWallet()).paymentCost;
    const payment = await prepare();
    await gateway.broadcast(payment);
    const { gasUsed, effectiveGasPrice } = await testnet.receiptOf(payment.hash as `0x${string}`);
    const paid = (gasUsed * effectiveGasPrice * etherPrice) / 10n ** 18n;
    expect(cost).toBeGreaterThan((paid * 12n) / 10n);
    expect(cost).toBeLessThan(paid * 3n + usdt(0.01));
    await setBaseFee(1n);
  });

  it("stays below the highest fee that we would offer, whatever a node says", async () => {
    await setBaseFee(5_000n);
    const cost = (await testnet.gateway({ etherPrice, maxFeePerGas: 50n * 10n ** 9n }).readWallet()).paymentCost;
    expect(cost).toBeLessThan(usdt(15));
    await setBaseFee(1n);
  });

  it("is zero if ether has no price", async () => {
    expect((await gateway.readWallet()).paymentCost).toBe(0n);
  });
});

describe("the reason why payments are blocked (T56, T60)", () => {
  it("names a paused token, a blacklisted wallet, a transfer fee or missing ether, and is null otherwise", async () => {
    const signer = gateway.signer;
    expect((await gateway.readWallet()).paymentBlockReason).toBeNull();
    await testnet.mineUntilDone(testnet.chain.setPaused(true));
    expect((await gateway.readWallet()).paymentBlockReason).toContain("paused");
    await testnet.mineUntilDone(testnet.chain.setPaused(false));

    await testnet.mineUntilDone(testnet.chain.setBlacklisted(signer, true));
    expect((await gateway.readWallet()).paymentBlockReason).toContain("Our payout wallet is on Tether's blacklist");
    await expect(prepare()).rejects.toThrow();
    await testnet.mineUntilDone(testnet.chain.setBlacklisted(signer, false));

    await testnet.mineUntilDone(testnet.chain.setFee(5, 10));
    expect((await gateway.readWallet()).paymentBlockReason).toContain("fee");
    await expect(prepare()).rejects.not.toBeInstanceOf(PaymentRefusedError);
    await testnet.mineUntilDone(testnet.chain.setFee(0, 0));

    const wei = await testnet.rpc("eth_getBalance", signer, "latest");
    const { ether } = await gateway.readWallet();
    expect(ether?.wei).toBe(BigInt(wei as string));
    expect(ether?.perPayment).toBeGreaterThan(0n);
    // A payment may use 65,000 gas, but nodes require the wallet to cover 100,000.
    const needed = ((ether?.perPayment ?? 0n) * 100n) / 65n;
    for (const [held, reason] of [
      [needed, null],
      [needed - 1n, "Our payout wallet does not have enough ether for gas."],
    ] as const) {
      await testnet.rpc("anvil_setBalance", signer, `0x${held.toString(16)}`);
      expect((await gateway.readWallet()).paymentBlockReason).toBe(reason);
    }
    await testnet.rpc("anvil_setBalance", signer, "0x0");
    expect(await gateway.readWallet()).toMatchObject({
      paymentBlockReason: expect.stringContaining("ether"),
      ether: { wei: 0n },
    });
    await testnet.rpc("anvil_setBalance", signer, wei);
    expect((await gateway.readWallet()).paymentBlockReason).toBeNull();
  });

  it("names a blacklisted receiver, because a transfer would succeed and be lost", async () => {
    expect(await gateway.getReceiverBlockReason(to)).toBeNull();
    await testnet.mineUntilDone(testnet.chain.setBlacklisted(to, true));
    expect((await gateway.readWallet()).paymentBlockReason).toBeNull();
    expect(await gateway.getReceiverBlockReason(to)).toContain("blacklist");
    await expect(prepare()).rejects.toBeInstanceOf(PaymentRefusedError);
    await testnet.mineUntilDone(testnet.chain.setBlacklisted(to, false));
    expect((await prepare()).to).toBe(to);
  });

  it("is null for a token without Tether's own functions", async () => {
    const { abi, bytecode } = compileContract(falseTokenSource, "FalseToken");
    const hash = await testnet.customer.deployContract({ abi: abi as Abi, bytecode });
    const receipt = await testnet.receiptOf(hash);
    const plain = testnet.gateway({ usdtAddress: receipt.contractAddress ?? "" });
    expect((await plain.readWallet()).paymentBlockReason).toBeNull();
    expect(await plain.getReceiverBlockReason(to)).toBeNull();
  });
});

describe("a confirmed payment", () => {
  it("T50 is followed for 96 blocks, or for as many as it needs to be confirmed, if more", () => {
    expect(gateway.settledConfirmations).toBe(96);
    expect(testnet.gateway({ requiredConfirmations: 120 }).settledConfirmations).toBe(120);
  });
});
