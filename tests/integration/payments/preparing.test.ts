import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAlerts, raiseAlert } from "~/exchange.server/alerts/alerts";
import { FragmentedFundsError, PaymentRefusedError, PaymentsWaitError } from "~/exchange.server/chains/gateway";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { type PaymentRow, payments } from "~/exchange.server/db/schema/payments";
import { external, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { findPaymentBlock } from "~/exchange.server/operator-advice";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { parkPayment } from "~/exchange.server/payments/parked/park";
import { endIdleWaits } from "~/exchange.server/payments/preparing/preparation-failure";
import { prepareNext } from "~/exchange.server/payments/preparing/prepare";
import { sumOutgoing } from "~/exchange.server/payments/unsent";
import { getOffReason, switchOff } from "~/exchange.server/switches/switches";
import type { AssetSymbol } from "~/lib/assets";
import { forEachTest } from "../../support/for-tests";
import type { User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { createPaymentsHarness } from "./payments-harness";

const w = forEachTest(createPaymentsHarness);
let user: User;
beforeEach(async () => {
  user = await w.createUser();
});
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

const units = { USDT: 100_000_000n, MOB: 100_000_000_000_000n } as const;
/** An order whose payment is planned, and the hash of its deposit. */
const plan = async (source: AssetSymbol, percent = 100n) => {
  const order = await w.lock(user, source, "100");
  const hash = w.chains[source].deposit(order.fundingAddress, (units[source] * percent) / 100n);
  w.chains[source].mine(3);
  await w.scan(source);
  return { order, hash };
};
/** An order in USDT that paid too little, and whose customer wants the money back. */
const planRefund = async () => {
  const planned = await plan("USDT", 60n);
  await w.decide(user, planned.order.id, { choice: "refund" });
  return planned;
};
const now = () => w.ctx.clock.now(w.ctx.db);

describe("what was built for a payment", () => {
  /** Runs `during` inside the node's call, once. */
  const duringPreparation = (asset: AssetSymbol, during: () => Promise<unknown>) => {
    const chain = w.chains[asset];
    const { preparePayment } = chain;
    chain.preparePayment = async (request) => {
      chain.preparePayment = preparePayment;
      const prepared = await preparePayment(request);
      await during();
      return prepared;
    };
  };
  const expectDropped = async (order: OrderRow, asset: AssetSymbol) => {
    expect(await prepareNext(w.ctx, asset)).toBe("none");
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned", hash: null, prepared: null }]);
  };

  it("is dropped unsent if payments are switched off in the meantime", async () => {
    const { order } = await plan("USDT");
    duringPreparation("MOB", async () => switchOff(w.ctx.db, "payments", { reason: "A check.", at: await now() }));
    await expectDropped(order, "MOB");
    await switchOn(w.ctx.db, "payments");
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it.each<[what: string, change: (order: OrderRow) => Promise<unknown>]>([
    [
      "its order is on hold",
      (order) => w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." })),
    ],
    ["its owner is no longer approved", () => w.setKyc(user, "rejected")],
    [
      "it is parked",
      async (order) => {
        for (const payment of await w.queryRows(order))
          await parkPayment(w.ctx, payment, { reason: "A check.", action: "Wait." });
      },
    ],
  ])("is dropped unsent if %s in the meantime, even if another payment is due", async (_, change) => {
    const { order } = await plan("USDT");
    const owner = user;
    user = await w.createUser();
    const other = await plan("USDT");
    user = owner;
    duringPreparation("MOB", () => change(order));
    await expectDropped(order, "MOB");
    await w.pay("MOB");
    expect(w.paidTo(other.order.deliveryAddress)).toHaveLength(1);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(0);
  });

  it("is dropped unsent if another deposit is added to the refund in the meantime", async () => {
    const { order } = await planRefund();
    duringPreparation("USDT", async () => {
      w.usdt.deposit(order.fundingAddress, 20_000_000n);
      w.usdt.mine(3);
      await w.scan("USDT");
    });
    await expectDropped(order, "USDT");
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    expect(w.paidTo(order.refundAddress)).toMatchObject([{ amount: 80_000_000n }]);
  });

  it("is dropped unsent if another payment has used its nonce in the meantime (T59)", async () => {
    const { order } = await plan("MOB");
    const other = await plan("MOB");
    duringPreparation("USDT", async () => {
      await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
      await w.pay("USDT");
      await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
    });
    await expectDropped(order, "USDT");
    expect(w.paidTo(other.order.deliveryAddress)).toHaveLength(1);
    await w.settle();
    expect(await w.queryRows(order)).toMatchObject([{ status: "confirmed", nonce: 1 }]);
  });

  it.each([
    { status: "sent", rounds: 1 },
    { status: "confirmed", rounds: 2 },
  ])(
    "is dropped unsent if another payment, which may have spent the same outputs, was $status in the meantime",
    async ({ status, rounds }) => {
      const { order } = await plan("USDT");
      const other = await plan("USDT");
      duringPreparation("MOB", async () => {
        await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
        for (let round = 0; round < rounds; round += 1) await w.pay("MOB");
        await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
      });
      await expectDropped(order, "MOB");
      expect(await w.queryRows(other.order)).toMatchObject([{ status }]);
      await w.settle();
      expect(await w.queryRows(order)).toMatchObject([{ status: "confirmed" }]);
    },
  );
});

it("T50 what was built is dropped if the process was paused, and the deposit has left the chain since", async () => {
  const { order, hash } = await plan("USDT");
  const { preparePayment } = w.mob;
  w.mob.preparePayment = async (request) => {
    w.mob.preparePayment = preparePayment;
    w.usdt.reorgAway(hash);
    w.wait(61 * 60_000);
    return preparePayment(request);
  };
  await w.pay("MOB");
  expect(w.paidTo(order.deliveryAddress)).toEqual([]);
  w.wait(2_000);
  await w.tick();
  expect(await w.queryRows(order)).toMatchObject([{ status: "failed", hash: null }]);
  expect(w.paidTo(order.deliveryAddress)).toEqual([]);
});

it("T60 an operator is alerted if payments always take too long to prepare", async () => {
  const { order } = await plan("USDT");
  const { preparePayment } = w.mob;
  w.mob.preparePayment = async (request) => {
    w.wait(121_000);
    return preparePayment(request);
  };
  await w.payEvery(60_000, "MOB", 10);
  expect(await listAlerts(w.ctx.db)).toMatchObject([
    { subject: "unpayable:MOB", reason: expect.stringContaining("more than two minutes before") },
  ]);
  w.mob.preparePayment = async (request) => {
    w.wait(110_000);
    return preparePayment(request);
  };
  await w.pay("MOB");
  expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
});

describe("a payment that must not be built", () => {
  it.each<[when: string, given: () => Promise<unknown>]>([
    ["payments are switched off", async () => switchOff(w.ctx.db, "payments", { reason: "A check.", at: await now() })],
    [
      "another one was not sent yet",
      async () => {
        expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
        await plan("USDT");
      },
    ],
  ])("waits, and no node is called, while %s", async (_, given) => {
    await plan("USDT");
    await given();
    let calls = 0;
    w.mob.faults.prepare = () => {
      calls += 1;
    };
    w.usdt.recheck = async () => {
      calls += 1;
      return [];
    };
    expect(await prepareNext(w.ctx, "MOB")).toBe("none");
    expect(calls).toBe(0);
  });

  it("waits while the deposits of its order cannot be looked up (T50)", async () => {
    const { order } = await plan("USDT");
    const { recheck } = w.usdt;
    w.usdt.recheck = async () => {
      throw new Error("No node responds.");
    };
    expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
    const lastError = "The deposits of the order cannot be looked up; the payment waits.";
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: null, attempts: 1, lastError }]);
    w.usdt.recheck = recheck;
    w.wait(2_000);
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("is withdrawn after a reorg has removed the deposit of its order (T50)", async () => {
    const { order, hash } = await plan("USDT");
    w.usdt.reorgAway(hash);
    expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
    expect(await w.queryRows(order)).toMatchObject([{ status: "failed", parkedAt: null, hash: null }]);
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(0);
  });

  it("is withdrawn after a reorg has removed the deposit that it refunds, from which the payout was made (T50)", async () => {
    w.usdt.faults.prepare = () => {
      throw new Error("not now");
    };
    const { order, hash } = await plan("USDT", 150n);
    await w.pay("MOB");
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
    w.usdt.faults.prepare = null;
    w.usdt.reorgAway(hash);
    expect(await prepareNext(w.ctx, "USDT")).toBe("failed");
    expect((await w.queryRows(order)).find(({ purpose }) => purpose === "refund")).toMatchObject({
      ...{ status: "failed", parkedAt: null, hash: null },
      lastError: "a reorg removed the deposit",
    });
    await w.settle();
    expect(w.paidTo(order.refundAddress)).toHaveLength(0);
  });

  it("waits while the deposit of its order is in another block and not deep enough there (T50)", async () => {
    w.usdt.faults.prepare = () => {
      throw new Error("not now");
    };
    const { order, hash } = await plan("USDT", 150n);
    await w.pay("MOB");
    w.usdt.faults.prepare = null;
    w.wait(2_000);
    w.usdt.reorgAway(hash);
    w.usdt.deposit(order.fundingAddress, 150_000_000n, { txHash: hash });
    expect(await prepareNext(w.ctx, "USDT")).toBe("failed");
    const lastError = "A deposit of the order is in another block now.";
    expect((await w.queryRows(order)).find(({ purpose }) => purpose === "refund")).toMatchObject({
      ...{ status: "planned", parkedAt: null, lastError },
    });
    w.wait(2_000);
    await w.settle();
    expect(w.paidTo(order.refundAddress)).toHaveLength(1);
  });

  it("waits while transactions of the signer that are not ours have not been compared (T48)", async () => {
    Object.assign(w.usdt, { getNextNonce: async () => 5 });
    const { getMinedNonce, listOutgoing } = w.usdt;
    const { order } = await plan("MOB");
    w.usdt.getMinedNonce = async () => 4;
    expect(await prepareNext(w.ctx, "USDT"), "one is not in a block").toBe("none");
    w.usdt.getMinedNonce = async () => 5;
    w.usdt.listOutgoing = async (range) => {
      const read = await listOutgoing(range);
      return { ...read, through: read.head - 1 };
    };
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await prepareNext(w.ctx, "USDT"), "not all blocks are compared").toBe("none");
      w.wait(6 * 60_000);
    }
    w.usdt.listOutgoing = listOutgoing;
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.usdt.getMinedNonce = async () => 4;
    expect(await prepareNext(w.ctx, "USDT"), "it is out of its block again").toBe("none");
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.wait(6 * 60_000);
    expect(await prepareNext(w.ctx, "USDT"), "it lasts").toBe("none");
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.wait(6 * 60_000);
    expect(await prepareNext(w.ctx, "USDT"), "an operator is alerted after ten minutes").toBe("none");
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      { subject: "nonce:USDT", reason: expect.stringContaining("wait for the transaction with nonce 4 of") },
    ]);
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned", hash: null, attempts: 0 }]);
    w.usdt.getMinedNonce = async () => 5;
    w.usdt.faults.prepare = () => {
      throw new Error("not now");
    };
    expect(await prepareNext(w.ctx, "USDT"), "it waits for something else").toBe("failed");
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.usdt.faults.prepare = null;
    w.wait(61_000);
    expect(await prepareNext(w.ctx, "USDT")).toBe("prepared");
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared", nonce: 5 }]);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.usdt.getMinedNonce = getMinedNonce;
  });

  it("is parked if it refunds a deposit at a blocked funding address, because that could never be collected", async () => {
    const { order } = await planRefund();
    w.usdt.faults.blocked.add(order.fundingAddress);
    expect(await prepareNext(w.ctx, "USDT")).toBe("failed");
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: expect.any(Date), hash: null }]);
    expect(await w.alertsOf(order)).toMatchObject([
      { reason: expect.stringContaining(`The deposit at ${order.fundingAddress} cannot be collected. This address`) },
    ]);
    await w.settle();
    expect(w.paidTo(order.refundAddress)).toHaveLength(0);
  });
});

it("T65 a payout is parked if its deposit can't be collected because the funding address is blocked", async () => {
  const { order } = await plan("USDT");
  w.usdt.faults.blocked.add(order.fundingAddress);
  expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
  expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: expect.any(Date) }]);
  expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("cannot be collected") }]);
});

it("an alert about a refund to a refused address also says what to do if its owner can't save another one", async () => {
  const { order } = await planRefund();
  w.usdt.faults.prepare = () => {
    throw new PaymentRefusedError("The token refuses this address.");
  };
  expect(await prepareNext(w.ctx, "USDT")).toBe("failed");
  const [refund] = await w.queryRows(order);
  expect(await w.alertsOf(order)).toMatchObject([
    {
      action: `Ask its owner to save another address. Then run "operate readdress ${refund?.id} ADDRESS". Its owner can't do that if the account is blocked or deleted. If you pay it from another wallet, run "operate mark-paid ${refund?.id} HASH" and book the amount with "operate float USDT AMOUNT".`,
    },
  ]);
});

it("a payment waits while it is not known whether its deposit can be collected", async () => {
  const { order } = await plan("USDT");
  w.usdt.getReceiverBlockReason = () => Promise.reject(new Error("The nodes do not agree."));
  expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
  expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: null, attempts: 1 }]);
});

it("a payment from a wallet without nonces does not wait for nonces to agree", async () => {
  await plan("USDT");
  w.mob.getMinedNonce = async () => 7;
  expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
});

it("keeps the first line of why a payment could not be prepared, without the node's URL in the other lines", async () => {
  const { order } = await plan("USDT");
  w.mob.faults.prepare = () => {
    throw new Error(`${"x".repeat(300)}\nURL: https://node.example/v3/key`);
  };
  expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
  expect(await w.queryRows(order)).toMatchObject([{ lastError: "x".repeat(200) }]);
});

it("a payment merges our funds only if they are too fragmented for it", async () => {
  await plan("USDT");
  let consolidations = 0;
  w.mob.prepareConsolidation = async () => {
    consolidations += 1;
    return null;
  };
  const expectConsolidations = async (error: Error, expected: number) => {
    w.mob.faults.prepare = () => {
      throw error;
    };
    expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
    expect(consolidations).toBe(expected);
    w.wait(61_000);
  };
  await expectConsolidations(new Error("not now"), 0);
  await expectConsolidations(new FragmentedFundsError("too many outputs"), 1);
});

it("a payment that cannot be prepared is tried again after one second, two, four and so on up to a minute", async () => {
  const { order } = await plan("USDT");
  w.mob.faults.prepare = () => {
    throw new Error("not now");
  };
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
    expect(await prepareNext(w.ctx, "MOB"), "it waits").toBe("none");
    const [row] = await w.queryRows(order);
    expect(row).toMatchObject({ status: "planned", parkedAt: null, attempts: attempt, lastError: "not now" });
    waits.push(((row?.notBefore?.getTime() ?? 0) - (row?.updatedAt.getTime() ?? 0)) / 1_000);
    w.wait(61_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  w.mob.faults.prepare = null;
  expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
  expect(await w.queryRows(order)).toMatchObject([{ attempts: 9, lastError: null, notBefore: null }]);
});

it("T60 a payment that has failed is tried again after those that have not, so that slow failures cannot hold them up", async () => {
  const failing = [await plan("USDT"), await plan("USDT")];
  w.mob.faults.prepare = () => {
    throw new Error("not now");
  };
  for (const _ of failing) expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
  const { order: newer } = await plan("USDT");
  w.wait(61_000);
  w.mob.faults.prepare = null;
  expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
  expect(await w.queryRows(newer)).toMatchObject([{ status: "prepared" }]);
  for (const { order } of failing) expect(await w.queryRows(order)).toMatchObject([{ status: "planned", attempts: 1 }]);
});

it.each<[what: string, error: Error, blockReason: string | null, isParked: boolean]>([
  ["parked", new Error("estimation failed\nhttps://node.example/key"), null, true],
  ["tried again if our wallet cannot pay", new Error("estimation failed"), "The token is paused.", false],
  [
    "tried again if no payment can be made",
    new PaymentsWaitError("estimation failed", { action: "Wait." }),
    null,
    false,
  ],
  ["tried again if our funds are in many outputs", new FragmentedFundsError("estimation failed"), null, false],
])(
  "T60 a payment that could not be prepared ten times is reported, and %s",
  async (_, error, blockReason, isParked) => {
    const { order } = await plan("USDT");
    w.mob.faults.paymentBlockReason = blockReason;
    w.mob.faults.prepare = () => {
      throw error;
    };
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await w.alertsOf(order)).toEqual([]);
      expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
      w.wait(61_000);
    }
    const [alert, ...others] = await listAlerts(w.ctx.db);
    expect(others).toEqual([]);
    const [row] = await w.queryRows(order);
    if (isParked) {
      expect(alert).toMatchObject({ subject: `payment:${row?.id}`, orderId: order.id });
      expect(alert?.reason).toMatch(/: it cannot be prepared \(estimation failed\)\.$/);
      expect(alert?.action).toMatch(/^Is there too little MOB in the wallet\? Add funds/);
      expect(alert?.action).toContain(`"operate retry ${row?.id}"`);
    } else {
      const reason = "Payments of MOB cannot be prepared (estimation failed). All of them wait, and we keep trying.";
      expect(alert).toMatchObject({ subject: "unpayable:MOB", orderId: null, reason });
    }
    if (error instanceof PaymentsWaitError) expect(alert?.action).toBe(error.action);
    if (blockReason !== null) expect(alert?.action).toBe(findPaymentBlock("MOB"));
    if (error instanceof FragmentedFundsError)
      expect(alert?.action).toBe("Wait until the wallet's outputs are merged.");
    expect(row).toMatchObject({ status: "planned", attempts: 10, parkedAt: isParked ? expect.any(Date) : null });
  },
);

it("a payment is prepared with the total of the earlier ones that are not in a block yet", async () => {
  w.usdt.faults.broadcast = "drop";
  const outgoing: unknown[] = [];
  const { preparePayment } = w.usdt;
  w.usdt.preparePayment = (request) => {
    outgoing.push(request.outgoing);
    return preparePayment(request);
  };
  const orders = [await w.planPayout("USDT"), await w.planPayout("USDT"), await w.planPayout("USDT")];
  await w.pay("USDT");
  const amounts = (await Promise.all(orders.map(w.queryRows))).map(([row]) => row?.amount ?? 0n);
  const [first = 0n, second = 0n] = amounts;
  expect(outgoing).toEqual([0n, first, first + second]);
  // One of them is in a block, another one is parked.
  const set = async (order: OrderRow | undefined, values: Partial<PaymentRow>) =>
    w.ctx.db
      .update(payments)
      .set(values)
      .where(eq(payments.orderId, order?.id ?? ""));
  await set(orders[0], { confirmations: 1 });
  await set(orders[1], { parkedAt: await w.ctx.clock.now(w.ctx.db) });
  expect(await sumOutgoing(w.ctx.db, w.usdt.signer)).toBe(amounts[2]);
  await set(orders[1], { parkedAt: null });
});

it("a payment that a reorg removed from its block counts as outgoing again", async () => {
  const order = await w.planPayout("USDT");
  await w.pay("USDT");
  w.usdt.mine(1);
  await w.pay("USDT");
  const [sent] = await w.queryRows(order);
  expect(sent).toMatchObject({ status: "sent", confirmations: 2 });
  expect(await sumOutgoing(w.ctx.db, w.usdt.signer)).toBe(0n);
  w.usdt.loseFromChain(sent?.hash ?? "");
  w.usdt.faults.broadcast = "drop";
  await w.pay("USDT");
  expect(await w.queryRows(order)).toMatchObject([{ status: "sent", confirmations: 0 }]);
  expect(await sumOutgoing(w.ctx.db, w.usdt.signer)).toBe(sent?.amount);
  w.usdt.faults.broadcast = "ok";
  await w.settle();
  expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
});

describe("T60 a payment that had to wait for a long time", () => {
  const timedOut = new Error("timed out");
  const failWith = async (error: Error, times: number) => {
    w.mob.faults.prepare = () => {
      throw error;
    };
    for (let i = 0; i < times; i += 1) {
      expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
      w.wait(61_000);
    }
  };
  const expectTenAttempts = async (order: OrderRow) => {
    await failWith(timedOut, 9);
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: null, failures: 9 }]);
    // Waiting in between makes no difference.
    await failWith(new PaymentsWaitError("gas", { action: "Wait." }), 1);
    expect(await w.queryRows(order)).toMatchObject([{ parkedAt: null }]);
    await failWith(timedOut, 1);
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: expect.any(Date) }]);
  };

  it.each<[what: string, error: Error, blockReason: string | null]>([
    ["no payment could be made", new PaymentsWaitError("gas", { action: "Wait." }), null],
    ["our funds were in many outputs", new FragmentedFundsError("outputs"), null],
    ["our wallet could not pay", timedOut, "The wallet is syncing."],
  ])("is parked only after ten attempts of its own if it waited because %s", async (_, error, blockReason) => {
    const { order } = await plan("USDT");
    w.mob.faults.paymentBlockReason = blockReason;
    await failWith(error, 11);
    w.mob.faults.paymentBlockReason = null;
    await expectTenAttempts(order);
  });

  it("is parked only after ten attempts of its own if it waited because of its order", async () => {
    const { order } = await plan("USDT");
    const { recheck } = w.usdt;
    w.usdt.recheck = () => Promise.reject(new Error("no response"));
    await failWith(timedOut, 11);
    w.usdt.recheck = recheck;
    await expectTenAttempts(order);
  });
});

it("T60 a payment of USDT that could not be prepared ten times may wait for deposits to be collected", async () => {
  const { order } = await planRefund();
  w.usdt.faults.prepare = () => {
    throw new Error("The balance is too low.");
  };
  await w.payEvery(61_000, "USDT", 11);
  expect(await w.alertsOf(order)).toMatchObject([
    { action: expect.stringMatching(/^Is there too little USDT in the wallet\? Collect the deposits/) },
  ]);
});

describe("T60 one alert for all payments of an asset that wait for the same reason", () => {
  const gas = new PaymentsWaitError("gas costs too much", { action: "Wait." });
  const planAll = async (count: number) => {
    const all = [];
    for (let i = 0; i < count; i += 1) {
      user = await w.createUser();
      all.push((await plan("USDT")).order);
    }
    return all;
  };
  const subjects = async () => (await listAlerts(w.ctx.db)).map(({ subject }) => subject);
  const failFor = async (minutes: number) => {
    w.mob.faults.prepare = () => {
      throw gas;
    };
    await w.payEvery(61_000, "MOB", minutes);
  };

  it("is raised once, and ends when one of them is prepared", async () => {
    await planAll(3);
    await failFor(11);
    expect(await subjects()).toEqual(["unpayable:MOB"]);
    w.mob.faults.prepare = null;
    expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
    expect(await subjects()).toEqual([]);
  });

  it("lasts while one is waiting, and ends when none is, because of a hold", async () => {
    const [first, second] = await planAll(2);
    await failFor(11);
    const hold = (order: OrderRow | undefined) =>
      w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order?.id ?? "", { reason: "A check." }));
    await hold(first);
    await endIdleWaits(w.ctx.db);
    expect(await subjects()).toEqual(["unpayable:MOB"]);
    await hold(second);
    await endIdleWaits(w.ctx.db);
    expect(await subjects()).toEqual([]);
  });

  it("ends together with the alert about a nonce gap", async () => {
    const [order] = await planAll(1);
    const at = await w.ctx.clock.now(w.ctx.db);
    await raiseAlert(w.ctx.db, w.ctx, { subject: "nonce:MOB", reason: "A gap.", action: "Wait.", at });
    await endIdleWaits(w.ctx.db);
    expect(await subjects()).toEqual(["nonce:MOB"]);
    await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order?.id ?? "", { reason: "A check." }));
    await endIdleWaits(w.ctx.db);
    expect(await subjects()).toEqual([]);
  });

  it("ends even if one is parked, and one of the other asset is waiting", async () => {
    const { order: refund } = await planRefund();
    const [order] = await planAll(1);
    await failFor(11);
    const [row] = order ? await w.queryRows(order) : [];
    if (row) await parkPayment(w.ctx, row, { reason: "A check.", action: "Wait." });
    await endIdleWaits(w.ctx.db);
    expect(await subjects()).toEqual([`payment:${row?.id}`]);
    expect(await w.queryRows(refund)).toMatchObject([{ status: "planned", parkedAt: null }]);
  });

  it("is not raised for a reason specific to one order, which has its own alert", async () => {
    const { order } = await planRefund();
    w.usdt.recheck = () => Promise.reject(new Error("no response"));
    await w.payEvery(61_000, "USDT", 11);
    const [row] = await w.queryRows(order);
    const action = "Check the nodes in ETH_RPC_URLS.";
    const reason = expect.stringMatching(/We keep trying\.$/);
    expect(await listAlerts(w.ctx.db)).toMatchObject([{ subject: `payment:${row?.id}`, reason, action }]);
    expect(row).toMatchObject({ status: "planned", parkedAt: null });
  });
});

it("T60 a payout that the chain certainly refuses asks its customer for a decision at once", async () => {
  const { order } = await plan("USDT");
  w.mob.faults.blocked.add(order.deliveryAddress);
  expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
  expect(await w.see(user, order.id)).toMatchObject({
    status: "needs_decision",
    decision: { reason: "payout_failed" },
  });
  expect(await w.queryRows(order)).toMatchObject([
    { status: "failed", parkedAt: null, lastError: "This address is blocked." },
  ]);
  expect(await w.alertsOf(order)).toEqual([]);
});

it("T60 parks a payout that the chain certainly refuses, if its deposit was spent and the swap cannot be undone", async () => {
  const { order } = await plan("USDT");
  const balance = await getBalance(w.ctx.db, "USDT", treasury);
  const spent = { asset: "USDT", from: treasury, to: external, amount: balance, kind: "float" } as const;
  await post(w.ctx.db, { transfers: [spent], orderId: null, at: await now() });
  w.mob.faults.blocked.add(order.deliveryAddress);
  expect(await prepareNext(w.ctx, "MOB")).toBe("failed");
  const lastError =
    "This address is blocked. It cannot be undone either: The USDT account treasury has insufficient balance.";
  expect(await w.queryRows(order)).toMatchObject([{ status: "planned", parkedAt: expect.any(Date), lastError }]);
  expect(await w.see(user, order.id)).toMatchObject({ status: "paying_out" });
  expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining(lastError) }]);
});

describe("T48 a payment that was signed, and that a failover of the database has lost", () => {
  /** As in a standby that lacks the newest commits. */
  const forget = (order: OrderRow) =>
    w.ctx.db
      .update(payments)
      .set({ status: "planned", signer: null, nonce: null, hash: null, prepared: null })
      .where(eq(payments.orderId, order.id));

  it("keeps the same process from preparing others with its nonce: payments and new swaps stop", async () => {
    const lost = await planRefund();
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    const [signed] = await w.queryRows(lost.order);
    expect(signed).toMatchObject({ status: "sent", nonce: expect.any(Number) });
    // The nodes have dropped it, so nothing shows that its nonce was used. A payout comes before a refund.
    await forget(lost.order);
    user = await w.createUser();
    const { order } = await plan("MOB");
    w.usdt.faults.broadcast = "ok";
    await w.pay("USDT");
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(0);
    for (const name of ["payments", "swaps"] as const) {
      const reason = await getOffReason(w.ctx.db, name);
      expect(reason).toContain("The database has lost a payment of");
      expect(reason).toContain(`(${signed?.id}, ${signed?.hash}, nonce ${signed?.nonce})`);
      await switchOn(w.ctx.db, name);
    }
    await w.settle();
    expect(w.paidTo(order.deliveryAddress), "once an operator has dealt with it").toHaveLength(1);
  });

  it("is noticed even if the database's version of it was withdrawn since", async () => {
    const { order } = await plan("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    await forget(order);
    const at = await now();
    await w.ctx.db.transaction(async (tx) => {
      await holdOrder(tx, w.ctx, order.id, { reason: "A check." });
      await refundOrder(tx, w.ctx, await lockOrderRow(tx, order.id), { by: "operator", at });
    });
    w.usdt.faults.broadcast = "ok";
    await w.pay("MOB");
    expect(w.paidTo(order.refundAddress)).toHaveLength(0);
    expect(await getOffReason(w.ctx.db, "payments")).toContain("The database has lost a payment of");
  });

  it("is noticed even if another process has signed it again since, with another nonce", async () => {
    const lost = await planRefund();
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    const [signed] = await w.queryRows(lost.order);
    await forget(lost.order);
    user = await w.createUser();
    await plan("MOB");
    await w.inProcess({ ...w.ctx }).pay("USDT");
    const [again] = await w.queryRows(lost.order);
    expect(again?.nonce).toBe((signed?.nonce ?? 0) + 1);
    const { order } = await plan("MOB");
    await w.pay("USDT");
    expect(await getOffReason(w.ctx.db, "payments")).toContain(`(${signed?.id}, ${signed?.hash}, nonce `);
    expect(await w.queryRows(order)).toMatchObject([{ status: "planned" }]);
  });

  it("is not mistaken for one that has failed, or was replaced", async () => {
    const { order } = await plan("USDT");
    await w.pay("MOB");
    w.mob.faults.state = "impossible";
    w.mob.loseFromChain(w.mob.paid[0]?.hash ?? "");
    await w.pay("MOB");
    w.mob.faults.state = "ok";
    w.wait(60_000);
    await w.settle();
    expect((await w.queryRows(order)).map(({ status }) => status)).toEqual(["failed", "confirmed"]);
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
  });
});
