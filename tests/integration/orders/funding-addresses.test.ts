import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import { getFundingAddress } from "~/exchange.server/orders/views/funding-address";
import { expireQuotes } from "~/exchange.server/pricing/quotes";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

type Assign = ChainGateway["assignFundingAddress"];

const w = forAllTests(() => openOrders("PostgreSQL"));
let user: User;
let assign: Assign;
beforeAll(async () => {
  assign = w.mob.assignFundingAddress;
});
beforeEach(async () => {
  await w.tick();
  user = await w.createUser();
});
afterEach(() => {
  w.mob.assignFundingAddress = assign;
});

describe("the funding address of a quote", () => {
  const whereToPay = (quoteId: number) => getFundingAddress(w.ctx, user.accountId, quoteId);

  it("is returned with the chain that it is on", async () => {
    const onEthereum = await w.lock(user, "USDT", "100");
    expect(await whereToPay(onEthereum.quoteId)).toMatchObject({
      network: "ethereum",
      chain_id: 11155111,
      address: onEthereum.fundingAddress,
    });
    const onMobilecoin = await w.lock(user, "MOB", "100");
    expect(await whereToPay(onMobilecoin.quoteId)).toMatchObject({
      network: "mobilecoin",
      chain_id: "test",
      address: onMobilecoin.fundingAddress,
    });
  });

  it("is not known before the quote is locked, and never if it expired", async () => {
    const { id } = await w.quote(user, "USDT", "100");
    await expect(whereToPay(id)).rejects.toMatchObject({
      code: "conflict",
      status: 409,
      message: "Lock the quote first to get its funding address.",
    });
    w.wait(w.ctx.config.quoteTtlMs + 1);
    await expect(whereToPay(id)).rejects.toMatchObject({ code: "quote_expired", status: 409 });
    await expireQuotes(w.ctx);
    await expect(whereToPay(id)).rejects.toMatchObject({ code: "quote_expired", status: 409 });
    await expect(whereToPay(id + 1)).rejects.toMatchObject({ code: "not_found", status: 404 });
  });
});

describe("what the funding address of an order asks for", () => {
  const whereToPay = ({ quoteId }: { quoteId: number }) => getFundingAddress(w.ctx, user.accountId, quoteId);
  const closed = (message: RegExp) => ({ code: "order_closed", message: expect.stringMatching(message) });
  const isPaid = /^This swap has already been paid\. Don't send anything more to its address\.$/;
  const lateness = 33 * 60_000;

  it("is what is missing, while it is confirmed or decided about, and nothing once that has been seen", async () => {
    const order = await w.lock(user, "USDT", "100");
    const pay = async (amount: bigint) => {
      const hash = w.usdt.deposit(order.fundingAddress, amount);
      await w.tick();
      return hash;
    };
    const lost = await pay(30_000_000n);
    await pay(60_000_000n);
    expect(await w.see(user, order.id)).toMatchObject({ status: "confirming" });
    expect(await whereToPay(order)).toMatchObject({ amount: "10" });
    w.usdt.reorgAway(lost);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ decision: { reason: "underpaid" } });
    expect(await whereToPay(order)).toMatchObject({
      amount: "40",
      uri: w.usdt.toPaymentUri(order.fundingAddress, 40_000_000n),
      wallet_link: w.usdt.toWalletLink(order.fundingAddress, 40_000_000n),
    });
    await pay(39_999_999n);
    expect(await whereToPay(order)).toMatchObject({ amount: "0.000001" });
    await pay(1n);
    expect(await w.see(user, order.id)).toMatchObject({ status: "confirming" });
    await expect(whereToPay(order)).rejects.toMatchObject(closed(isPaid));
  });

  it("is nothing when the time to pay is over", async () => {
    const [unpaid, underpaid, late] = [
      await w.lock(user, "USDT", "100"),
      await w.lock(user, "USDT", "100"),
      await w.lock(user, "MOB", "100"),
    ];
    w.usdt.deposit(underpaid.fundingAddress, 50_000_000n);
    await w.settle();
    w.wait(w.ctx.config.lockTtlMs);
    expect(await whereToPay(unpaid)).toMatchObject({ amount: "100" });
    expect(await whereToPay(underpaid)).toMatchObject({ amount: "50" });
    w.wait(lateness - w.ctx.config.lockTtlMs);
    await expect(whereToPay(unpaid)).rejects.toMatchObject(closed(/has ended\. Don't send anything to/));
    w.mob.deposit(late.fundingAddress, 50_000_000_000_000n);
    await w.settle();
    for (const order of [underpaid, late]) {
      expect((await w.see(user, order.id)).status).toBe("needs_decision");
      await expect(whereToPay(order)).rejects.toMatchObject(
        closed(/Choose what to do with the money that has arrived/),
      );
    }
  });

  it("is nothing, and not a second payment, while what has arrived is being confirmed after the time to pay", async () => {
    const [paid, underpaid] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    const seen = async (order: { id: string; fundingAddress: string }, amount: bigint) => {
      w.usdt.deposit(order.fundingAddress, amount);
      await w.scan("USDT");
      expect((await w.see(user, order.id)).status).toBe("confirming");
    };
    const waits = closed(
      /has ended\. Don't send anything more to its address\. Wait until the money that has arrived is confirmed\.$/,
    );
    await seen(paid, 100_000_000n);
    await seen(underpaid, 50_000_000n);
    w.wait(lateness);
    await expect(whereToPay(paid)).rejects.toMatchObject(closed(isPaid));
    await expect(whereToPay(underpaid)).rejects.toMatchObject(waits);
    await seen(underpaid, 50_000_000n);
    await expect(whereToPay(underpaid)).rejects.toMatchObject(waits);
    await w.settle();
    expect((await w.see(user, paid.id)).status).toBe("completed");
    await expect(whereToPay(paid)).rejects.toMatchObject(closed(/^This swap is complete\. Don't send anything more/));
  });
});

describe("a lock's request to the wallet for a funding address", () => {
  /** Makes MobileCoin's wallet return these addresses. Returns the references for which it is called. */
  const respondWith = (toAddress: (count: number, order: Parameters<Assign>[0]) => ReturnType<Assign>) => {
    const references: string[] = [];
    w.mob.assignFundingAddress = async (order) => {
      references.push(order.reference);
      return toAddress(references.length, order);
    };
    return references;
  };
  const outOfReach = {
    code: "swaps_stopped",
    status: 503,
    retryAfterSeconds: 30,
    extra: { reason: "mobilecoin_out_of_reach" },
  };

  it("is repeated under another reference while the wallet returns addresses that were used or belong to another order", async () => {
    const earlier = await w.lock(user, "MOB", "100");
    const { id } = await w.quote(user, "MOB", "100");
    const references = respondWith(async (count, order) => {
      if (count === 1) return { ...order, address: "seen-on-the-chain", isUsed: true };
      if (count === 2) return { ...order, address: earlier.fundingAddress, isUsed: false };
      return assign(order);
    });
    const order = await w.lockQuote(user, id, "MOB", "key");
    expect(references).toEqual([`quote ${id}`, `quote ${id} try 2`, `quote ${id} try 3`]);
    expect(order.fundingAddress).toBe(`MOB-funding-${order.fundingIndex}`);
    expect(order.fundingIndex).toBe(earlier.fundingIndex + 3);
  });

  it("is made at most 20 times, and again when the customer repeats the lock", async () => {
    const { id } = await w.quote(user, "MOB", "100");
    const references = respondWith(async (count, order) => {
      if (count > 30) throw new Error("called too often");
      return { ...(await assign(order)), isUsed: count <= 20 };
    });
    await expect(w.lockQuote(user, id, "MOB", "key")).rejects.toMatchObject(outOfReach);
    expect(references).toHaveLength(20);
    expect((await w.lockQuote(user, id, "MOB", "key")).status).toBe("awaiting_deposit");
  });

  it("is repeated under the same reference after a response was lost", async () => {
    const { id } = await w.quote(user, "MOB", "100");
    const references = respondWith(async (count, order) => {
      if (count === 1) throw new Error("the wallet does not respond");
      return assign(order);
    });
    await expect(w.lockQuote(user, id, "MOB", "key")).rejects.toMatchObject(outOfReach);
    await w.lockQuote(user, id, "MOB", "key");
    expect(references).toEqual([`quote ${id}`, `quote ${id}`]);
  });
});
