import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { ChainGateway, PreparedPayment } from "~/exchange.server/chains/gateway";
import { createFullService, type FullService } from "~/exchange.server/chains/mobilecoin/full-service";
import { responses } from "~/exchange.server/chains/mobilecoin/full-service-responses";
import { listOutgoing } from "~/exchange.server/chains/mobilecoin/outgoing";
import { createMobilecoinWallet } from "~/exchange.server/chains/mobilecoin/wallet";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { acceptPayment } from "~/exchange.server/payments/history/possible-duplicates";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { eventually, mob, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
let service: FullService;
const log = pino({ level: "silent" });
beforeEach(async () => {
  ({ sandbox, gateway, service } = await startTestnet());
});
afterEach(() => sandbox.stop());

const prepare = (amount: number) =>
  gateway.preparePayment({ paymentId: "p", to: sandbox.wallet().address, amount: mob(amount), nonce: null });
const untilInBlock = (payment: PreparedPayment) =>
  eventually(
    () => gateway.getPaymentState(payment),
    ({ kind }) => kind === "in_block",
  );

describe("the payments that the wallet has made (T48)", () => {
  it.each([true, false])(
    "are the ones in the ledger, without any that were only built; thorough: %s",
    async (isThorough) => {
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
    },
  );

  it("include one that was submitted and is not in a block yet", async () => {
    const slow = await startTestnet({ blockDelayMs: 600_000 });
    try {
      const { through } = await slow.gateway.listOutgoing({ from: null, isThorough: true });
      const request = { paymentId: "p", to: slow.sandbox.wallet().address, amount: mob(1), nonce: null };
      const payment = await slow.gateway.preparePayment(request);
      await slow.gateway.broadcast(payment);
      const { payments } = await slow.gateway.listOutgoing({ from: through + 1, isThorough: true });
      expect(payments.map(({ hash }) => hash)).toEqual([payment.hash]);
    } finally {
      await slow.sandbox.stop();
    }
  });

  const consolidate = async () => {
    const built = await gateway.prepareConsolidation();
    if (!built) throw new Error("there is nothing to merge");
    await gateway.broadcast(built);
    await untilInBlock(built);
    return built;
  };

  it("say which of them only merged outputs of the wallet itself", async () => {
    const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
    const { hash, to, amount } = await consolidate();
    const { payments } = await gateway.listOutgoing({ from: through + 1, isThorough: true });
    expect(payments).toEqual([{ hash, to, amount: BigInt(amount), isConsolidation: true }]);
  });

  it("include a consolidation that a restored database has lost, without reporting it as paid to someone", async () => {
    const database = await openTestDatabase("PostgreSQL");
    try {
      const { ctx } = await createOrdersHarness(database, { chains: { MOB: gateway } });
      await checkHistory(ctx, "MOB", { isThorough: true });
      const { hash } = await consolidate();
      await checkHistory(ctx, "MOB", { isThorough: true });
      const [alert] = await listAlerts(ctx.db);
      expect(alert?.subject).toBe(`unknown:${hash}`);
      expect(alert?.reason).toContain("It did not pay anyone");
      expect(alert?.reason).not.toContain("mark-paid");
    } finally {
      await database.close();
    }
  });

  /** Pays several receivers with one transaction, as an operator could from the wallet itself. */
  const payAll = async (...outlays: [to: string, amount: number][]) => {
    const addresses_and_amounts = outlays.map(([to, amount]) => [to, { value: String(mob(amount)), token_id: "0" }]);
    const params = { account_id: sandbox.accountId, addresses_and_amounts };
    await service.call("build_and_submit_transaction", params, responses.submitted);
    await sandbox.controls.makeBlocks(1);
  };
  const receiver = async () => (await gateway.assignFundingAddress({ reference: "receiver", index: 1 })).address;

  it.each([true, false])("are one for each receiver of a transaction; thorough: %s", async (isThorough) => {
    const { through } = await gateway.listOutgoing({ from: null, isThorough });
    const [first, second] = [sandbox.wallet().address, await receiver()];
    await payAll([first, 3], [sandbox.mainAddress, 5], [second, 4]);
    const { payments, unrecorded } = await gateway.listOutgoing({ from: through + 1, isThorough });
    const [hash = ""] = payments.map((payment) => payment.hash);
    // What it paid to our own main address never left the wallet.
    expect(payments).toEqual([
      { hash: sandbox.wallet().received[0]?.hash, to: first, amount: mob(3) },
      { hash: expect.stringMatching(/^[0-9a-f]{64}$/), to: second, amount: mob(4), feeWith: hash },
    ]);
    expect(new Set(payments.map((payment) => payment.hash)).size).toBe(2);
    expect(unrecorded).toEqual([]);
  });

  it("are one consolidation if a transaction paid only our own main address, however often", async () => {
    const { through } = await gateway.listOutgoing({ from: null, isThorough: false });
    await payAll([sandbox.mainAddress, 3], [sandbox.mainAddress, 4]);
    const { payments } = await gateway.listOutgoing({ from: through + 1, isThorough: false });
    expect(payments).toMatchObject([{ to: sandbox.mainAddress, amount: mob(7), isConsolidation: true }]);
  });

  it("are one consolidation if a restored wallet has paid only its own main address", async () => {
    const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
    const { amount } = await consolidate();
    await sandbox.controls.restoreWallet();
    const { unrecorded } = await gateway.listOutgoing({ from: through + 1, isThorough: true });
    expect(unrecorded).toMatchObject([{ amount: BigInt(amount), isConsolidation: true }]);
  });

  it("leave out the receiver if a restored wallet has paid several, and don't count as a consolidation", async () => {
    // What it paid before the first block to read is not listed.
    await payAll([sandbox.wallet().address, 2]);
    const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
    await payAll([sandbox.wallet().address, 3], [sandbox.mainAddress, 4]);
    await sandbox.controls.restoreWallet();
    const { payments, unrecorded } = await gateway.listOutgoing({ from: through + 1, isThorough: true });
    expect(payments).toEqual([]);
    expect(unrecorded).toMatchObject([{ receiverHash: null, amount: mob(7), isConsolidation: false }]);
  });

  it("raise an alert for each receiver, and each is accepted on its own; the fee is booked once", async () => {
    const database = await openTestDatabase("PostgreSQL");
    try {
      const { ctx } = await createOrdersHarness(database, { chains: { MOB: gateway } });
      await checkHistory(ctx, "MOB", { isThorough: true });
      await payAll([sandbox.wallet().address, 3], [await receiver(), 4]);
      await checkHistory(ctx, "MOB", { isThorough: false });
      const raised = await listAlerts(ctx.db);
      expect(raised.map(({ reason }) => /paid (\d+) MOB/.exec(reason)?.[1]).sort()).toEqual(["3", "4"]);
      const [withFee, ...others] = raised.filter(({ action }) => action.includes("operate float MOB -FEE"));
      expect(others).toEqual([]);
      const hash = withFee?.subject.slice("unknown:".length) ?? "";
      const other = raised.find(({ subject }) => subject !== withFee?.subject);
      expect(other?.action).toContain(
        `Its transaction also made the payment ${hash}: book their network fee only once.`,
      );

      await acceptPayment(ctx.db, hash, new Date());
      await checkHistory(ctx, "MOB", { isThorough: true });
      expect((await listAlerts(ctx.db)).map(({ subject }) => subject)).toEqual([other?.subject]);
    } finally {
      await database.close();
    }
  });

  it("are only payments of MOB, without a receiver or amount if their change has no memo", async () => {
    const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
    await payAll([sandbox.wallet().address, 3], [await receiver(), 4]);
    const listChanged = async (change: (body: string) => string) => {
      const changedFetch: typeof fetch = async (...request) => {
        const response = await fetch(...request);
        return new Response(change(await response.text()), response);
      };
      const changed = createFullService({ url: sandbox.url, log, timeoutMs: 10_000, fetch: changedFetch });
      const wallet = createMobilecoinWallet(changed, { accountId: sandbox.accountId, fogServers: null });
      return listOutgoing(wallet, { from: through + 1, isThorough: true });
    };
    const { payments } = await listChanged((body) =>
      body.replace(`"amount":{"value":"${mob(4)}","token_id":"0"}`, `"amount":{"value":"${mob(4)}","token_id":"1"}`),
    );
    expect(payments).toMatchObject([{ amount: mob(3) }]);
    await sandbox.controls.restoreWallet();
    const { unrecorded } = await listChanged((body) =>
      body.replace(/"Destination"/g, '"Unused"').replace(/"address_hash":"\w+"/, '"address_hash":null'),
    );
    expect(unrecorded).toMatchObject([{ receiverHash: null, amount: null, isConsolidation: false }]);
  });

  it.each([
    [true, "include"],
    [false, "do not include"],
  ])(
    "when read thoroughly (%s) %s one that the wallet calls failed even though it is in the ledger",
    async (isThorough) => {
      const { through } = await gateway.listOutgoing({ from: null, isThorough: true });
      const payment = await prepare(5);
      sandbox.controls.faultSubmit("propose_then_error");
      await gateway.broadcast(payment).catch(() => undefined);
      await untilInBlock(payment);
      const list = async (from: number) => gateway.listOutgoing({ from, isThorough });
      const { payments, unrecorded, through: next } = await list(through + 1);
      expect(payments.map(({ hash }) => hash)).toEqual(isThorough ? [payment.hash] : []);
      expect(unrecorded, "its change has a log").toEqual([]);
      expect(await list(next + 1), "it is in an earlier block").toMatchObject({ payments: [], unrecorded: [] });
    },
  );
});
