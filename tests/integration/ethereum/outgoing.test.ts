import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestnet, type Testnet, usdt } from "./setup";

let testnet: Testnet;
beforeAll(async () => {
  testnet = await startTestnet();
});
afterAll(() => testnet?.close());

describe("the payments from our Ethereum address (T48)", () => {
  it("are all of its token transfers after a block, and no others", async () => {
    const gateway = testnet.gateway();
    const { address: to } = await gateway.assignFundingAddress({ orderId: "receiver", index: 9 });
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
      through: await testnet.height(),
      isComplete: true,
    });
  });
});
