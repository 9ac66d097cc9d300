import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { ChainGateway, PreparedPayment } from "~/exchange.server/chains/gateway";
import { checkHistory } from "~/exchange.server/payments/check-history";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";
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

  const merge = async () => {
    const built = await gateway.prepareConsolidation();
    if (!built) throw new Error("there is nothing to merge");
    await gateway.broadcast(built);
    await untilInBlock(built);
    return built;
  };

  it("say which of them only merged outputs of the wallet itself", async () => {
    const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
    const { hash, to, amount } = await merge();
    const { payments } = await gateway.listOutgoing({ from: through + 1, isThorough: true });
    expect(payments).toEqual([{ hash, to, amount: BigInt(amount), isMerge: true }]);
  });

  it("include a merge that a restored database has lost, which is not reported as paid to somebody", async () => {
    const database = await openTestDatabase("PostgreSQL");
    try {
      const { ctx } = await createOrdersWorld(database, { chains: { MOB: gateway } });
      await checkHistory(ctx, "MOB", { isThorough: true });
      const { hash } = await merge();
      await checkHistory(ctx, "MOB", { isThorough: true });
      const [alert] = await listAlerts(ctx.db);
      expect(alert?.subject).toBe(`unknown:${hash}`);
      expect(alert?.reason).toContain("It has paid nobody");
      expect(alert?.reason).not.toContain("mark-paid");
    } finally {
      await database.close();
    }
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
