import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainGateway, PreparedPayment } from "~/exchange.server/chains/gateway";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { eventually, mob, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
beforeEach(async () => {
  ({ sandbox, gateway } = await startTestnet());
});
afterEach(() => sandbox.stop());

const prepare = (amount: number) =>
  gateway.preparePayment({ paymentId: "p", to: sandbox.wallet().address, amount: mob(amount), nonce: null });
const untilInBlock = (payment: PreparedPayment) =>
  eventually(
    () => gateway.getPaymentState(payment),
    ({ state }) => state === "in_block",
  );

describe("the payments that the wallet has made (T48)", () => {
  it.each([true, false])("are those in the ledger, not what was only built; thorough: %s", async (isThorough) => {
    const first = await prepare(1);
    await gateway.broadcast(first);
    await untilInBlock(first);
    const { through, payments } = await gateway.listOutgoing({ from: null, isThorough });
    expect(payments).toEqual([]);

    const second = await prepare(2);
    await gateway.broadcast(second);
    await untilInBlock(second);
    await prepare(3);
    const later = await gateway.listOutgoing({ from: through + 1, isThorough });
    expect(later.payments).toEqual([{ hash: second.hash, to: sandbox.wallet().address, amount: mob(2) }]);
    expect(later.through).toBeGreaterThan(through);
    expect(later.through).toBe(later.head);
  });

  it.each([
    [true, "include"],
    [false, "do not include"],
  ])(
    "when read thoroughly (%s) %s one that the wallet calls failed although it is in the ledger",
    async (isThorough) => {
      const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
      const payment = await prepare(5);
      sandbox.controls.faultSubmit("propose_then_error");
      await gateway.broadcast(payment).catch(() => undefined);
      await untilInBlock(payment);
      const { payments } = await gateway.listOutgoing({ from: through + 1, isThorough });
      expect(payments.map(({ hash }) => hash)).toEqual(isThorough ? [payment.hash] : []);
    },
  );
});
