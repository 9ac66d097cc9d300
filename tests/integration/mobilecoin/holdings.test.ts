import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { eventually, mob, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
beforeEach(async () => {
  ({ sandbox, gateway } = await startTestnet());
});
afterEach(() => sandbox.stop());

describe("what the MOB wallet holds", () => {
  it("changes by exactly a payment and its fee, in the payment's block", async () => {
    const before = await gateway.readHoldings([]);
    const to = sandbox.wallet().address;
    const payment = await gateway.preparePayment({ paymentId: "p", to, amount: mob(7), nonce: null });
    await gateway.broadcast(payment);
    const state = await eventually(
      () => gateway.getPaymentState(payment),
      (found) => found.kind === "in_block",
    );
    if (!before || state.kind !== "in_block") throw new Error("the wallet is in sync");
    const after = await gateway.readHoldings([]);
    expect(before.height).toBeLessThan(state.blockNumber);
    expect(after?.height).toBeGreaterThanOrEqual(state.blockNumber);
    expect(before.wallet - (after?.wallet ?? 0n)).toBe(mob(7) + BigInt(payment.networkFee));
  });

  it("counts an output once that is also an input of a proposal that was not sent", async () => {
    const [before, spendable] = [await gateway.readHoldings([]), (await gateway.readWallet()).spendable];
    const prepare = (amount: bigint) =>
      gateway.preparePayment({ paymentId: "p", to: sandbox.wallet().address, amount, nonce: null });
    // As if two processes had prepared the same payment.
    await prepare(mob(7));
    const payment = await prepare(mob(7));
    sandbox.controls.holdBlocks(true);
    await gateway.broadcast(payment);
    expect((await gateway.readHoldings([]))?.wallet).toBe(before?.wallet);
    expect((await gateway.readWallet()).spendable).toBe(spendable);
  });

  it("is unknown while the wallet is not in sync", async () => {
    sandbox.controls.setSynced(false);
    expect(await gateway.readHoldings([])).toBeNull();
  });
});
