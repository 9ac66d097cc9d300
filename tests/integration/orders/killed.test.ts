import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Mail } from "~/exchange.server/context";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { newId } from "~/exchange.server/ids";
import type { AssetSymbol } from "~/lib/assets";
import type { DecisionChoice } from "~/lib/order-states";
import { createCrashingProcess } from "../../support/crashing-process";
import { forAllTests } from "../../support/for-tests";
import { type Actions, openOrders, type User } from "../../support/orders-harness";

/**
 * T39, T46, T47: kills each operation that moves money before its first side effect, its second, and
 * so on. The next process and the customer, who got no response, repeat it. In the end, the money has moved once, the
 * books balance, and the e-mail has been sent.
 */
describe("a process killed before and after every side effect", { timeout: 240_000 }, () => {
  const w = forAllTests(() =>
    openOrders("PostgreSQL", {
      mail: {
        async send(mail) {
          mails.push(mail);
        },
      },
    }),
  );
  const mails: Mail[] = [];

  const other = { USDT: "MOB", MOB: "USDT" } as const;
  const base = { USDT: 10n ** 6n, MOB: 10n ** 12n };
  const paid = (asset: AssetSymbol, to: string) => w.chains[asset].paid.filter((payment) => payment.to === to);

  /** The jobs that bring a deposit of `source` to its payments, and these into blocks. */
  const work = async (p: Actions, source: AssetSymbol) => {
    await p.scan(source);
    for (const asset of ["USDT", "MOB"] as const) {
      await p.pay(asset);
      w.chains[asset].mine(3);
      await p.pay(asset);
    }
    await p.sendMail();
  };

  /** Runs `act` in processes that live one effect longer each time, until one survives. */
  async function killEverywhere<T>(
    prepare: (user: User) => Promise<T>,
    act: (p: Actions, it: T, user: User) => Promise<unknown>,
    check: (it: T, user: User) => Promise<void>,
  ): Promise<void> {
    await w.tick();
    for (let lifetime = 0; ; lifetime += 1) {
      const user = await w.createUser();
      const it = await prepare(user);
      const process = createCrashingProcess(w.ctx, lifetime);
      await act(w.inProcess(process.ctx), it, user).catch((error: unknown) => {
        if (!process.isDead()) throw error;
      });
      await act(w, it, user);
      // A worker that has claimed an e-mail has one minute; after that, another worker sends it.
      w.wait(61_000);
      await w.sendMail();
      await w.tick();
      await check(it, user);
      if (!process.isDead()) {
        expect(lifetime, "it has effects").toBeGreaterThan(0);
        return;
      }
    }
  }

  const fund = async (user: User, source: AssetSymbol, amount: bigint): Promise<OrderRow> => {
    const order = await w.lock(user, source, "100");
    w.chains[source].deposit(order.fundingAddress, amount * base[source]);
    w.chains[source].mine(3);
    return order;
  };
  const expectMail = (user: User, subject: RegExp) =>
    expect(mails.some((mail) => mail.to.startsWith(user.accountId.toLowerCase()) && subject.test(mail.subject))).toBe(
      true,
    );

  it.each(["USDT", "MOB"] as const)("creates one order when locking a quote of %s", async (source) => {
    await killEverywhere(
      async (user) => ({ quote: await w.quote(user, source, "100"), key: newId() }),
      (p, { quote, key }, user) => p.lockQuote(user, quote.id, source, key),
      async ({ quote }) => {
        const made = await w.ctx.db.select().from(orders).where(eq(orders.quoteId, quote.id));
        expect(made).toHaveLength(1);
      },
    );
  });

  it.each(["USDT", "MOB"] as const)("credits a deposit of %s once and pays it out once", async (source) => {
    await killEverywhere(
      (user) => fund(user, source, 100n),
      (p) => work(p, source),
      async (order, user) => {
        expect(await w.see(user, order.id)).toMatchObject({
          status: "completed",
          incoming_txs: [{ status: "confirmed" }],
        });
        expect(paid(other[source], order.deliveryAddress)).toMatchObject([{ amount: order.targetAmount }]);
        expectMail(user, /is complete/);
      },
    );
  });

  it("sends one payout and one refund of the surplus when overpaid", async () => {
    await killEverywhere(
      (user) => fund(user, "MOB", 150n),
      (p) => work(p, "MOB"),
      async (order, user) => {
        expect((await w.see(user, order.id)).status).toBe("completed");
        expect(paid("USDT", order.deliveryAddress)).toMatchObject([{ amount: order.targetAmount }]);
        expect(paid("MOB", order.refundAddress)).toMatchObject([{ amount: 50n * base.MOB }]);
      },
    );
  });

  it.each([
    ["accept", "completed"],
    ["refund", "refunded"],
    ["requote", "completed"],
  ] as const)("carries out the decision to %s once", async (choice: DecisionChoice, end) => {
    await killEverywhere(
      async (user) => {
        const order = await fund(user, "USDT", 60n);
        if (choice === "requote") w.wait(40 * 60_000);
        await w.settle();
        const offer = choice === "requote" ? await w.offer(order.id) : null;
        return { order, request: choice === "requote" ? { choice, quote_id: offer?.id ?? 0 } : { choice } };
      },
      async (p, { order, request }, user) => {
        await p.decide(user, order.id, request);
        await work(p, "USDT");
      },
      async ({ order }, user) => {
        expect((await w.see(user, order.id)).status).toBe(end);
        expect(paid("MOB", order.deliveryAddress)).toHaveLength(end === "completed" ? 1 : 0);
        expect(paid("USDT", order.refundAddress)).toHaveLength(end === "completed" ? 0 : 1);
        expectMail(user, end === "completed" ? /is complete/ : /was refunded/);
      },
    );
  });

  it("releases the reserve once when cancelled, and refunds a later deposit", async () => {
    await killEverywhere(
      (user) => w.lock(user, "USDT", "100"),
      (p, order) => p.cancel(order.id),
      async (order, user) => {
        w.usdt.deposit(order.fundingAddress, 7n * base.USDT);
        await w.settle();
        expect((await w.see(user, order.id)).status).toBe("cancelled");
        expect(paid("USDT", order.refundAddress)).toMatchObject([{ amount: 7n * base.USDT }]);
      },
    );
  });
});
