import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DbNotifications } from "~/exchange.server/db/notifications";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { priceAlerts } from "~/exchange.server/db/schema/price-alerts";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { createWorkers } from "~/exchange.server/jobs/workers";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { sendPriceAlerts } from "~/exchange.server/price-alerts/price-alerts";
import { refreshRate } from "~/exchange.server/pricing/rates";
import { endCauses } from "~/exchange.server/switches/switches";
import { minuteMs } from "~/lib/durations";
import { createTestExchange, type SignedUp, type TestExchange } from "../../support/exchange";

const path = "/api/users/me/price-alerts";
const fail = (message: string): never => {
  throw new Error(message);
};
const cents = (value: bigint) => value * 10_000_000_000n;

describe("price alerts", () => {
  let exchange: TestExchange;
  let customer: SignedUp;
  let rate = cents(35n);
  beforeAll(async () => {
    const rateSource = { getRate: async () => ({ rate, at: new Date() }) };
    exchange = await createTestExchange({ context: { rateSource } });
    await refreshRate(exchange.ctx);
    customer = await exchange.signUp();
  });
  afterAll(() => exchange.close());

  const add = (direction: string, price: string, token = customer.token) =>
    exchange.api("POST", path, { token, body: { direction, rate: price } });
  const list = async (token = customer.token) => (await exchange.api("GET", path, { token })).body.items;
  const changeRate = async (next: bigint) => {
    rate = next;
    await refreshRate(exchange.ctx);
    // Two processes may run the job at the same time.
    await Promise.all([sendPriceAlerts(exchange.ctx), sendPriceAlerts(exchange.ctx)]);
    await sendOutbox(exchange.ctx);
  };
  const readAlerts = async (email = customer.email) =>
    (await exchange.inbox.list(email)).filter(({ subject }) => subject.startsWith("1 MOB costs"));

  it("are listed, stored once, and removed by their owner only", async () => {
    const added = await add("above", "0.4");
    expect(added).toMatchObject({ status: 201, body: { direction: "above", rate: "0.4" } });
    expect(await add("above", "0.40")).toMatchObject({ status: 200, body: { id: added.body.id } });
    expect(await list()).toHaveLength(1);
    const other = await exchange.signUp();
    expect(await list(other.token)).toEqual([]);
    expect((await exchange.api("DELETE", `${path}/${added.body.id}`, { token: other.token })).status).toBe(404);
    expect((await exchange.api("DELETE", `${path}/${added.body.id}`, { token: customer.token })).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  it("refuse a price that has already been reached, and text that is not a price", async () => {
    const refused = await add("above", "0.3");
    expect(refused.status).toBe(422);
    expect(refused.body.detail.fields.rate).toBe("1 MOB already costs more than this.");
    for (const price of ["0", "-1", "1e3", "ten", "0.1234567890123"])
      expect((await add("below", price)).status).toBe(422);
    expect((await add("sideways", "1")).status).toBe(422);
  });

  it("T83 wait while swaps are stopped because the rate has jumped, and may be wrong", async () => {
    const { token, email } = await exchange.signUp();
    await add("above", "0.5", token);
    exchange.ctx.config.rateMaxMoveBps = 2_000;
    await changeRate(cents(70n));
    expect(await readAlerts(email)).toEqual([]);
    expect(await list(token)).toHaveLength(1);
    await endCauses(exchange.ctx.db, "swaps", ["rate"]);
    exchange.ctx.config.rateMaxMoveBps = null;
    await changeRate(cents(71n));
    expect(await readAlerts(email)).toHaveLength(1);
    await changeRate(cents(35n));
  });

  it("T83 e-mail the account's owner exactly once when the price is reached", async () => {
    await add("above", "0.4");
    await add("below", "0.3");
    await changeRate(cents(40n));
    // The price is not more than 0.4.
    expect(await readAlerts()).toEqual([]);
    await changeRate(cents(41n));
    const [mail, ...others] = await readAlerts();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("1 MOB costs more than 0.4 USDT");
    expect(mail?.text).toMatch(/^On \d+ \w+ \d{4} at \d\d:\d\d UTC, 1 MOB cost 0\.41 USDT\./m);
    expect(await list()).toMatchObject([{ direction: "below", rate: "0.3" }]);
    await changeRate(cents(35n));
    await changeRate(cents(41n));
    expect(await readAlerts()).toHaveLength(1);
    await changeRate(cents(29n));
    expect((await readAlerts()).map(({ subject }) => subject)).toContain("1 MOB costs less than 0.3 USDT");
    expect(await list()).toEqual([]);
  });

  it("are sent in short runs by a separate job, which each new rate starts, so that many alerts do not delay rates", async () => {
    await changeRate(cents(35n));
    const { id: accountId } = (await exchange.signUp(undefined, { kyc: false })).user;
    // Its alerts are deleted without e-mails, which would take a long time for so many.
    await exchange.ctx.db.update(accounts).set({ blockedAt: new Date() }).where(eq(accounts.id, accountId));
    const newAlert = (_: unknown, at: number) => ({
      id: `many-${at}`,
      accountId,
      direction: "above" as const,
      rate: cents(50n) + BigInt(at),
      createdAt: new Date(),
    });
    await exchange.ctx.db.insert(priceAlerts).values(Array.from({ length: 650 }, newAlert));
    const countLeft = () => exchange.ctx.db.$count(priceAlerts);
    const jobs = createJobs(exchange.ctx);
    const find = (name: string) => jobs.find((job) => job.name === name) ?? fail(`there is no job ${name}`);
    const [refresh, send] = [find("refresh-rate"), find("send-price-alerts")];
    expect(await send.hasWork?.()).toBe(false);
    rate = cents(60n);
    await refresh.run();
    expect(await countLeft()).toBe(650);
    expect(await send.hasWork?.()).toBe(true);
    await send.run();
    expect(await countLeft()).toBe(150);
    rate = cents(35n);
    await refresh.run();
    await send.run();
    // The rate no longer reaches them.
    expect(await countLeft()).toBe(150);
    let checks = 0;
    const hasWork = () => send.hasWork?.().finally(() => (checks += 1)) ?? fail("it always has work");
    const workers = createWorkers(exchange.database, [{ ...send, hasWork }], exchange.ctx.log, new DbNotifications());
    await workers.start();
    await expect.poll(() => checks).toBe(1);
    rate = cents(60n);
    await refresh.run();
    await expect.poll(countLeft, { timeout: 20_000 }).toBe(0);
    await workers.stop();
  });

  it("T83 need a confirmed address, and are limited to ten per account, even in parallel", async () => {
    await changeRate(cents(35n));
    const unconfirmed = (await exchange.register("unconfirmed@example.org")).body.access_token;
    expect((await add("above", "2", unconfirmed)).body.detail.code).toBe("email_unproven");
    const prices = Array.from({ length: 14 }, (_, at) => `${at + 1}.5`);
    const responses = await Promise.all(prices.map((price) => add("above", price)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(responses.filter(({ body }) => body.detail?.code === "too_many_alerts")).toHaveLength(4);
    expect(await list()).toHaveLength(10);
  });

  it("T83 can be set 50 times a day, so that alerts that are set again and again cannot flood a mailbox", async () => {
    const { token } = await exchange.signUp();
    for (let set = 0; set < 50; set += 1) {
      const { status, body } = await add("above", "2", token);
      expect(status).toBe(201);
      if (set === 0) {
        // The same alert again, and one that is refused, do not count.
        expect((await add("above", "2", token)).status).toBe(200);
        expect((await add("above", "0.1", token)).status).toBe(422);
        exchange.advance(10 * minuteMs);
      }
      await exchange.api("DELETE", `${path}/${body.id}`, { token });
    }
    const refused = await add("above", "2", token);
    expect(refused.status).toBe(429);
    // The first of the 50 leaves the day before the others.
    const wait = Number(refused.headers.get("Retry-After"));
    expect([wait > 86_400 - 660, wait <= 86_400 - 600]).toEqual([true, true]);
    expect(refused.body.detail).toEqual({
      code: "rate_limited",
      message: "You have set 50 price alerts in a day. Try again tomorrow.",
    });
    expect((await add("above", "2", (await exchange.signUp()).token)).status).toBe(201);
  });
});
