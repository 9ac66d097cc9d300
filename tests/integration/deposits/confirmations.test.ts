import { describe, expect, it } from "vitest";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";

describe("the confirmations that a deposit needs after the setting has changed (T50)", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));

  /** An order with a deposit that is seen when it needs `before`, and then read again when others need `after`. */
  async function deposit({ before, after }: { before: number; after: number }) {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    Object.assign(w.usdt, { requiredConfirmations: before });
    const txHash = w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    await w.tick();
    Object.assign(w.usdt, { requiredConfirmations: after });
    const see = async () => {
      const { status, incoming_txs } = await w.see(user, order.id);
      const [{ confirmations, required_confirmations } = {}] = incoming_txs;
      return { status, confirmations, required: required_confirmations };
    };
    const mine = async (blocks: number) => {
      w.usdt.mine(blocks);
      await w.tick();
    };
    return { order, txHash, see, mine };
  }

  it("are more if the setting was raised, because the chain is less safe than it seemed", async () => {
    const { see, mine } = await deposit({ before: 3, after: 6 });
    await mine(0);
    expect(await see()).toEqual({ status: "confirming", confirmations: 1, required: 6 });
    await mine(4);
    expect(await see()).toEqual({ status: "confirming", confirmations: 5, required: 6 });
    await mine(1);
    expect(await see()).toEqual({ status: "paying_out", confirmations: 6, required: 6 });
  });

  it("are also more after the deposit has moved to another block", async () => {
    const { order, txHash, see, mine } = await deposit({ before: 3, after: 6 });
    w.usdt.reorgAway(txHash);
    w.usdt.deposit(order.fundingAddress, order.sourceAmount, { txHash });
    await mine(4);
    expect(await see()).toEqual({ status: "confirming", confirmations: 5, required: 6 });
    await mine(1);
    expect(await see()).toMatchObject({ status: "paying_out" });
  });

  it("are also more after a credited deposit has moved to another block", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    Object.assign(w.usdt, { requiredConfirmations: 3 });
    // Too little, so nothing is paid.
    const amount = order.sourceAmount / 2n;
    const txHash = w.usdt.deposit(order.fundingAddress, amount);
    w.usdt.mine(2);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    Object.assign(w.usdt, { requiredConfirmations: 6 });
    w.usdt.reorgAway(txHash);
    w.usdt.deposit(order.fundingAddress, amount, { txHash });
    w.usdt.mine(4);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    w.usdt.mine();
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
  });

  it("stay the same if the setting was lowered", async () => {
    const { see, mine } = await deposit({ before: 6, after: 3 });
    await mine(4);
    expect(await see()).toEqual({ status: "confirming", confirmations: 5, required: 6 });
    await mine(1);
    expect(await see()).toMatchObject({ status: "paying_out" });
  });
});
