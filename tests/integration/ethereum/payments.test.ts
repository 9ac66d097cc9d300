import { type Abi, encodeFunctionData, parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChainGateway, PaymentRefusedError, type PreparedPayment } from "~/exchange.server/chains/gateway";
import { compileContract } from "~/exchange.server/sandbox/ethereum/compile";
import { tetherLikeAbi } from "~/exchange.server/sandbox/ethereum/treasury";
import { falseTokenSource } from "../../support/tokens";
import { openWorld, usdt, type World } from "./world";

let world: World;
let gateway: ChainGateway;
let to: string;
let index = 1_000;

async function prepare(amount = usdt(12.5), from: ChainGateway = gateway): Promise<PreparedPayment> {
  const prepared = await from.preparePayment({ paymentId: "p", to, amount, nonce: await from.getNextNonce() });
  // As the database keeps it.
  return JSON.parse(JSON.stringify(prepared)) as PreparedPayment;
}

/** Another transaction of the payout wallet, as another program with the same key would send it. */
async function sendFromPayoutWallet(nonce: number, receiver: string, amount: bigint): Promise<void> {
  const account = privateKeyToAccount(world.chain.payoutPrivateKey);
  const data = encodeFunctionData({
    abi: tetherLikeAbi,
    functionName: "transfer",
    args: [receiver as `0x${string}`, amount],
  });
  const serialized = await account.signTransaction({
    ...{ type: "eip1559", chainId: world.chain.chainId, nonce, to: world.chain.usdtAddress, data, gas: 100_000n },
    ...{ maxFeePerGas: 50n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 10n },
  });
  await world.rpc("eth_sendRawTransaction", serialized);
}

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  index += 1;
  gateway = world.gateway();
  to = (await gateway.assignFundingAddress({ orderId: "receiver", index })).address;
});
afterAll(() => world.close());

describe("a payment of USDT", () => {
  it("is what was asked, signed and not sent", async () => {
    const prepared = await prepare();
    expect(prepared).toMatchObject({ to, amount: "12500000", nonce: await gateway.getNextNonce(), networkFee: "0" });
    expect(await world.rpc("eth_getTransactionByHash", prepared.hash)).toBeNull();
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "unknown" });
  });

  it("sent any number of times, before and after its block, is on the chain once (T46)", async () => {
    const before = await gateway.getSpendable();
    const prepared = await prepare();
    await gateway.broadcast(prepared);
    await gateway.broadcast(prepared);
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "unknown" });
    await world.mine();
    await gateway.broadcast(prepared);
    await world.mine();
    expect(await world.balanceOf(to)).toBe(usdt(12.5));
    expect(await gateway.getSpendable()).toBe(before - usdt(12.5));
    expect(await gateway.getPaymentState(prepared)).toMatchObject({ state: "in_block", confirmations: 2 });
  });

  it("survives a crash between signing and sending: the stored bytes are sent by the next process", async () => {
    const prepared = await prepare();
    const nextProcess = world.gateway();
    expect(await nextProcess.getPaymentState(prepared)).toEqual({ state: "unknown" });
    await nextProcess.broadcast(prepared);
    await world.mine();
    expect(await world.balanceOf(to)).toBe(usdt(12.5));
  });

  it("whose bytes are not those of its hash is not sent", async () => {
    const prepared = await prepare();
    const other = await prepare(usdt(900));
    await expect(gateway.broadcast({ ...prepared, raw: other.raw })).rejects.toThrow(/own bytes/);
  });

  it("that no node takes rejects, and its result stays unknown", async () => {
    const prepared = await prepare();
    const cutOff = world.gateway({ rpcUrls: ["http://127.0.0.1:9"] });
    await expect(cutOff.broadcast(prepared)).rejects.toThrow();
  });

  it("to an address that is none, the zero address or the token is refused for certain", async () => {
    const nonce = await gateway.getNextNonce();
    for (const bad of ["0x1234", "", "0x0000000000000000000000000000000000000000", world.chain.usdtAddress]) {
      const refused = gateway.preparePayment({ paymentId: "p", to: bad, amount: 1n, nonce });
      await expect(refused).rejects.toBeInstanceOf(PaymentRefusedError);
    }
  });

  it("of more than there is, or while the token is paused, is not built and may be tried again (T56, T60)", async () => {
    const tooMuch = prepare(usdt(5_000_000));
    await expect(tooMuch).rejects.toThrow();
    await expect(tooMuch).rejects.not.toBeInstanceOf(PaymentRefusedError);
    await world.mined(world.chain.setPaused(true));
    await expect(prepare()).rejects.not.toBeInstanceOf(PaymentRefusedError);
    await world.mined(world.chain.setPaused(false));
    expect((await prepare()).amount).toBe("12500000");
  });

  it("that reverted counts as that once it is as deep as a deposit must be", async () => {
    const prepared = await prepare();
    await world.mined(world.chain.setPaused(true));
    await gateway.broadcast(prepared);
    await world.mine();
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "unknown" });
    await world.mine(2);
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "reverted" });
    await world.mined(world.chain.setPaused(false));
    expect(await world.balanceOf(to)).toBe(0n);
  });

  it("of a token that answers false moved nothing: it is reverted too (T52)", async () => {
    const { abi, bytecode } = compileContract(falseTokenSource, "FalseToken");
    const hash = await world.customer.deployContract({ abi: abi as Abi, bytecode });
    const receipt = await world.receiptOf(hash);
    const strange = world.gateway({ usdtAddress: receipt.contractAddress ?? "" });
    const prepared = await prepare(usdt(1), strange);
    await strange.broadcast(prepared);
    await world.mine(3);
    expect(await strange.getPaymentState(prepared)).toEqual({ state: "reverted" });
  });
});

describe("a payment whose nonce another transaction took", () => {
  it("is impossible, once that is certain and not before", async () => {
    const prepared = await prepare();
    await sendFromPayoutWallet(prepared.nonce ?? 0, world.customer.account.address, 1n);
    await world.mine(2);
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "unknown" });
    await world.mine();
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "impossible" });
    await gateway.broadcast(prepared);
    await world.mine(30);
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "impossible" });
    expect(await world.balanceOf(to)).toBe(0n);
  });

  it("is never called so when a version of itself took it (T46)", async () => {
    const prepared = await prepare();
    await sendFromPayoutWallet(prepared.nonce ?? 0, to, usdt(12.5));
    await world.mine(10);
    expect(await gateway.getPaymentState(prepared)).toEqual({ state: "unknown" });
  });

  it("shows in the next nonce, so that a restored backup is noticed (T48)", async () => {
    const next = (await gateway.getNextNonce()) ?? 0;
    await sendFromPayoutWallet(next, world.customer.account.address, 1n);
    expect(await gateway.getNextNonce()).toBe(next + 1);
    await world.mine();
    expect(await gateway.getNextNonce()).toBe(next + 1);
  });
});

describe("raising the fee (T60)", () => {
  it("keeps the nonce, the receiver and the amount, and only one version lands", async () => {
    const impatient = world.gateway({ feeBumpAfterMs: 0 });
    const first = await prepare();
    await gateway.broadcast(first);
    expect(await gateway.bumpPayment(first)).toBeNull();
    const second = await impatient.bumpPayment(first);
    if (!second) throw new Error("no bump");
    const [was, is] = [first, second].map((one) =>
      parseTransaction((one.raw as { serialized: `0x${string}` }).serialized),
    );
    expect(second).toMatchObject({ nonce: first.nonce, to: first.to, amount: first.amount });
    expect(is?.data).toBe(was?.data);
    expect((is?.maxFeePerGas ?? 0n) * 1000n).toBeGreaterThanOrEqual((was?.maxFeePerGas ?? 0n) * 1125n);
    expect((is?.maxPriorityFeePerGas ?? 0n) * 1000n).toBeGreaterThanOrEqual((was?.maxPriorityFeePerGas ?? 0n) * 1125n);
    await gateway.broadcast(second);
    await world.mine(4);
    expect(await world.balanceOf(to)).toBe(usdt(12.5));
    expect(await gateway.getPaymentState(second)).toMatchObject({ state: "in_block" });
    expect(await gateway.getPaymentState(first)).toEqual({ state: "unknown" });
    expect(await impatient.bumpPayment(second)).toBeNull();
  });

  it("follows a base fee that left it behind at once, and stops at the most we may offer", async () => {
    const first = await prepare();
    await gateway.broadcast(first);
    await world.rpc("anvil_setNextBlockBaseFeePerGas", "0x1bf08eb000");
    await world.mine();
    expect(await gateway.getPaymentState(first)).toEqual({ state: "unknown" });
    expect(await world.gateway({ maxFeePerGas: 10n ** 9n }).bumpPayment(first)).toBeNull();
    await expect(prepare(usdt(1), world.gateway({ maxFeePerGas: 10n ** 9n }))).rejects.toThrow(/Gas costs more/);
    const second = await gateway.bumpPayment(first);
    if (!second) throw new Error("no bump");
    await gateway.broadcast(second);
    await world.mine(2);
    expect(await gateway.getPaymentState(second)).toMatchObject({ state: "in_block" });
    expect(await world.balanceOf(to)).toBe(usdt(12.5));
  });

  it("is not tried for a payment that waits for an earlier nonce", async () => {
    const next = (await gateway.getNextNonce()) ?? 0;
    const later = await gateway.preparePayment({ paymentId: "p", to, amount: 1n, nonce: next + 1 });
    expect(await world.gateway({ feeBumpAfterMs: 0 }).bumpPayment(later)).toBeNull();
  });
});

describe("what keeps payments from being made (T56)", () => {
  it("is named: paused, blacklisted, a fee, no ether; and nothing when all is well", async () => {
    const signer = gateway.signer;
    expect(await gateway.getPaymentObstacle()).toBeNull();
    await world.mined(world.chain.setPaused(true));
    expect(await gateway.getPaymentObstacle()).toContain("paused");
    await world.mined(world.chain.setPaused(false));

    await world.mined(world.chain.setBlacklisted(signer, true));
    expect(await gateway.getPaymentObstacle()).toContain("Our payout wallet is on Tether's blacklist");
    await expect(prepare()).rejects.toThrow();
    await world.mined(world.chain.setBlacklisted(signer, false));

    await world.mined(world.chain.setFee(5, 10));
    expect(await gateway.getPaymentObstacle()).toContain("fee");
    await expect(prepare()).rejects.not.toBeInstanceOf(PaymentRefusedError);
    await world.mined(world.chain.setFee(0, 0));

    const wei = await world.rpc("eth_getBalance", signer, "latest");
    await world.rpc("anvil_setBalance", signer, "0x0");
    expect(await gateway.getPaymentObstacle()).toContain("ether");
    await world.rpc("anvil_setBalance", signer, wei);
    expect(await gateway.getPaymentObstacle()).toBeNull();
  });

  it("is named for a receiver on the blacklist, whom the transfer would reach and be lost", async () => {
    expect(await gateway.getReceiverObstacle(to)).toBeNull();
    await world.mined(world.chain.setBlacklisted(to, true));
    expect(await gateway.getPaymentObstacle()).toBeNull();
    expect(await gateway.getReceiverObstacle(to)).toContain("blacklist");
    await expect(prepare()).rejects.toBeInstanceOf(PaymentRefusedError);
    await world.mined(world.chain.setBlacklisted(to, false));
    expect((await prepare()).to).toBe(to);
  });

  it("is nothing for a token without Tether's own functions", async () => {
    const { abi, bytecode } = compileContract(falseTokenSource, "FalseToken");
    const hash = await world.customer.deployContract({ abi: abi as Abi, bytecode });
    const receipt = await world.receiptOf(hash);
    const plain = world.gateway({ usdtAddress: receipt.contractAddress ?? "" });
    expect(await plain.getPaymentObstacle()).toBeNull();
    expect(await plain.getReceiverObstacle(to)).toBeNull();
  });
});
