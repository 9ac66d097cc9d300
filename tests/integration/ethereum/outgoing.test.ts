import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFaultyNode } from "./faulty-node";
import { startTestnet, type Testnet, usdt } from "./setup";

let testnet: Testnet;
beforeAll(async () => {
  testnet = await startTestnet();
});
afterAll(() => testnet?.close());

describe("the payments from our Ethereum address (T48)", () => {
  it("are all of its token transfers after a block, and no others", async () => {
    const gateway = testnet.gateway();
    const { address: to } = await gateway.assignFundingAddress({ reference: "receiver", index: 9 });
    const pay = async (amount: bigint) => {
      const nonce = await gateway.getNextNonce();
      const payment = await gateway.preparePayment({ paymentId: "p", to, amount, nonce });
      await gateway.broadcast(payment);
      await testnet.mine();
      return payment;
    };
    await pay(usdt(1));
    const { through, payments } = await gateway.listOutgoing({ from: null, isThorough: true });
    expect(payments).toEqual([]);
    const { hash } = await pay(usdt(2));
    await testnet.send(to, usdt(3));
    await testnet.mine();
    const later = await gateway.listOutgoing({ from: through + 1, isThorough: true });
    expect(later).toEqual({
      payments: [{ hash, to, amount: usdt(2) }],
      unrecorded: [],
      through: await testnet.height(),
      head: await testnet.height(),
    });
  });

  it.each([
    ["one of two nodes hides them", ["hides", "honest"]],
    ["one of three nodes hides them, and one is down", ["down", "hides", "honest"]],
  ] as const)("count as read only up to the last block that enough nodes agree on: %s", async (_, kinds) => {
    const gateway = testnet.gateway();
    const { address: to } = await gateway.assignFundingAddress({ reference: "receiver", index: 9 });
    const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
    const nonce = await gateway.getNextNonce();
    const payment = await gateway.preparePayment({ paymentId: "p", to, amount: usdt(2), nonce });
    await testnet.mine();
    await gateway.broadcast(payment);
    await testnet.mine(3);
    const hides = await startFaultyNode(testnet, ({ method }) =>
      method === "eth_getLogs" ? { result: [] } : undefined,
    );
    const urls = { hides: hides.url, honest: testnet.chain.rpcUrl, down: "http://127.0.0.1:9" };
    const list = (rpcUrls: string[]) =>
      testnet.gateway({ rpcUrls }).listOutgoing({ from: through + 1, isThorough: true });
    const head = await testnet.height();
    expect(await list(kinds.map((kind) => urls[kind]))).toEqual({
      payments: [],
      unrecorded: [],
      through: through + 1,
      head,
    });
    const known = { payments: [{ hash: payment.hash, to, amount: usdt(2) }], unrecorded: [], through: head, head };
    expect(await list([urls.hides, urls.honest, urls.honest])).toEqual(known);
    hides.close();
  });
});
