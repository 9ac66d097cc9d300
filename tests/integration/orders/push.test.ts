import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findCaller } from "~/exchange.server/accounts/find-caller";
import { DbNotifications } from "~/exchange.server/db/notifications";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { pushMessages, pushSubscriptions } from "~/exchange.server/db/schema/push";
import { newId } from "~/exchange.server/ids";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { createWorkers } from "~/exchange.server/jobs/workers";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { sendPriceAlerts } from "~/exchange.server/price-alerts/price-alerts";
import { queuePush, toPriceMessage } from "~/exchange.server/push/queue-push";
import { sendPushes, stopPushes } from "~/exchange.server/push/send-pushes";
import { addPushSubscription } from "~/exchange.server/push/subscriptions";
import { toOrderNumber } from "~/lib/order-number";
import { swapMails } from "~/lib/swap-mails";
import { deferred } from "../../support/deferred";
import { createTestExchange, type SignedUp, type TestExchange } from "../../support/exchange";
import { openTestSession } from "../../support/open-test-session";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { PushBrowser, readVapid, startPushService } from "../../support/push-service";
import { openTestDatabase } from "../../support/test-database";

const path = "/api/users/me/push-subscriptions";

describe("notifications in browsers", () => {
  let database: OpenDatabase;
  let service: Awaited<ReturnType<typeof startPushService>>;
  let exchange: TestExchange;
  let w: OrdersHarness;
  let customer: SignedUp;
  beforeAll(async () => {
    service = await startPushService();
    database = await openTestDatabase("PostgreSQL");
    const config = { pushServices: [service.origin, "https://push.example", "https://*.windows.example"] };
    w = await createOrdersHarness(database, { config });
    exchange = await createTestExchange({ database, config });
  });
  beforeEach(async () => {
    customer = await exchange.signUp();
    service.received.length = 0;
    service.status = 201;
    await w.ctx.db.delete(pushSubscriptions);
  });
  afterAll(async () => {
    await exchange?.close();
    await service?.stop();
  });

  const subscribe = (body: unknown, token = customer.token) => exchange.api("POST", path, { token, body });
  const newBrowser = async (token = customer.token) => {
    const browser = new PushBrowser(service.origin);
    expect((await subscribe(browser.subscription, token)).status).toBe(204);
    return browser;
  };
  const listEndpoints = async () => (await w.ctx.db.select().from(pushSubscriptions)).map(({ endpoint }) => endpoint);
  /** What a browser was sent, after two processes have run the job at once. */
  const received = async (browser: PushBrowser) => {
    await Promise.all([sendPushes(w.ctx), sendPushes({ ...w.ctx })]);
    return service.received
      .filter((message) => browser.endpoint.endsWith(message.path))
      .map(({ body }) => browser.decrypt(body) as { title: string; body: string; path: string });
  };
  const asUser = async ({ user }: SignedUp): Promise<User> => {
    const createdAt = await w.ctx.clock.now(w.ctx.db);
    const add = async (type: "MOB" | "ETH") => {
      const [id, address] = [newId(), `${type.toLowerCase()}-of-${user.id}`];
      const common = { accountId: user.id, type, label: "", createdAt };
      await w.ctx.db.insert(deliveryAddresses).values({ id, address, canonical: address, ...common });
      return { id, address };
    };
    const sessionId = await openTestSession(w.ctx.db, user.id, createdAt);
    return { accountId: user.id, sessionId, own: { MOB: await add("MOB"), ETH: await add("ETH") } };
  };
  const pay = async (paid: bigint, payer?: User) => {
    const user = payer ?? (await asUser(customer));
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, paid);
    await w.tick();
    return { user, order };
  };
  const swap = async (paid: bigint) => {
    const paying = await pay(paid);
    await w.settle();
    return paying;
  };
  const toTitles = (messages: { title: string }[]) => messages.map(({ title }) => title.split(":")[0]);

  it("T84 are not turned on by a session that has ended in the meantime", async () => {
    const caller = await findCaller(exchange.ctx, customer.token);
    if (!caller) throw new Error("no caller");
    expect((await exchange.api("POST", "/api/auth/logout", { token: customer.token })).status).toBe(204);
    const { subscription } = new PushBrowser(service.origin);
    await expect(addPushSubscription(exchange.ctx, caller, subscription)).rejects.toMatchObject({
      code: "token_expired",
    });
    expect(await listEndpoints()).toEqual([]);
  });

  it("say that a payment was seen and that the swap is complete, and open the swap's page", async () => {
    const [one, two] = [await newBrowser(), await newBrowser()];
    const { order } = await pay(100_000_000n);
    await received(one);
    await w.settle();
    const messages = await received(one);
    expect(messages).toEqual([
      {
        title: expect.stringMatching(/^We've seen your payment: /),
        body: "The network is confirming it. There is nothing you need to do now.",
        path: `/swap/quote/${order.quoteId}`,
      },
      expect.objectContaining({
        title: expect.stringMatching(/^Your swap is complete: /),
        body: "The payout is final.",
      }),
    ]);
    expect(await received(two)).toEqual(messages);
    expect(service.received).toHaveLength(4);
    expect(await w.ctx.db.select().from(pushMessages)).toEqual([]);
  });

  it("arrive in the order of their events, even if the push service is slow or fails", async () => {
    const browser = await newBrowser();
    const { user } = await swap(100_000_000n);
    await pay(100_000_000n, user);
    service.status = 503;
    service.delaysMs.push(50);
    await received(browser);
    expect(service.received).toHaveLength(1);
    service.status = 201;
    service.received.length = 0;
    service.delaysMs.push(50);
    // The retry is due after five seconds. A later reading of the clock may be up to 50 ms behind an earlier one.
    w.wait(5_100);
    expect(toTitles(await received(browser))).toEqual(["Your swap is complete", "We've seen your payment"]);
  });

  it("announce money that a finished swap sends back, in addition to its completion", async () => {
    const browser = await newBrowser();
    const { order } = await pay(100_000_000n);
    await w.settle();
    w.usdt.deposit(order.fundingAddress, 30_000_000n);
    await w.settle();
    const path = `/swap/quote/${order.quoteId}`;
    const messages = await received(browser);
    expect(toTitles(messages)).toEqual(["Your swap is complete", "We sent money back to you"]);
    expect(messages.map((message) => message.path)).toEqual([path, `${path}#returned`]);
  });

  it("replace earlier ones about the same swap that could not be sent", async () => {
    const browser = await newBrowser();
    await pay(100_000_000n);
    service.status = 503;
    await received(browser);
    await w.settle();
    service.status = 201;
    service.received.length = 0;
    w.wait(10_000);
    expect(toTitles(await received(browser))).toEqual(["Your swap is complete"]);
  });

  it("T84 are encrypted for the browser and signed with the exchange's key", async () => {
    const { body } = await exchange.api("GET", "/api/users/me/push-key", { token: customer.token });
    const browser = await newBrowser();
    await swap(100_000_000n);
    expect(await received(browser)).not.toHaveLength(0);
    for (const message of service.received) {
      expect(readVapid(message, body.public_key)).toMatchObject({
        aud: service.origin,
        sub: "mailto:no-reply@localhost",
      });
      expect(message.headers).toMatchObject({ "content-encoding": "aes128gcm" });
      expect(Number(message.headers.ttl)).toBeGreaterThan(86_000);
      expect(Number(message.headers.ttl)).toBeLessThanOrEqual(86_400);
      expect(message.body.toString("latin1")).not.toContain("swap");
      expect(() => new PushBrowser(service.origin).decrypt(message.body)).toThrow();
    }
  });

  it("ask for a decision and announce the refund, even if e-mails are turned off", async () => {
    await w.ctx.db
      .update(accounts)
      .set({ mutedMails: [...swapMails] })
      .where(eq(accounts.id, customer.user.id));
    const browser = await newBrowser();
    const { user, order } = await swap(50_000_000n);
    expect(toTitles(await received(browser))).toEqual(["Your swap needs your decision"]);
    const subjects: string[] = [];
    w.ctx.mail = {
      send: async ({ to, subject }) => {
        if (to === customer.email) subjects.push(subject);
      },
    };
    while ((await sendOutbox(w.ctx)) > 0);
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(toTitles(await received(browser))).toEqual(["Your swap needs your decision", "Your refund is complete"]);
    while ((await sendOutbox(w.ctx)) > 0);
    expect(subjects.filter((subject) => /swap|payment|refund/i.test(subject))).toEqual([
      `Your swap needs a decision: ${toOrderNumber(order.quoteId)}`,
    ]);
  });

  it("don't ask the owner of a blocked account to open a swap, which is impossible", async () => {
    const browser = await newBrowser();
    const { order, user } = await pay(50_000_000n);
    await received(browser);
    service.received.length = 0;
    const blockedAt = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.update(accounts).set({ blockedAt }).where(eq(accounts.id, customer.user.id));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    expect(await received(browser)).toEqual([]);
  });

  it.each([401, 403])(
    "are sent again later when the push service refuses the exchange's key with %i",
    async (status) => {
      const browser = await newBrowser();
      service.status = status;
      await swap(100_000_000n);
      await received(browser);
      expect(service.received).toHaveLength(1);
      expect(await listEndpoints()).toEqual([browser.endpoint]);
      service.status = 201;
      service.received.length = 0;
      w.wait(6_000);
      expect(toTitles(await received(browser))).toEqual(["Your swap is complete"]);
    },
  );

  it("are deleted when the push service refuses only the message", async () => {
    const browser = await newBrowser();
    service.status = 413;
    await swap(100_000_000n);
    await received(browser);
    expect(await w.ctx.db.select().from(pushMessages)).toEqual([]);
    expect(await listEndpoints()).toEqual([browser.endpoint]);
  });

  it("wait for as long as the push service asks", async () => {
    const browser = await newBrowser();
    service.status = 429;
    service.retryAfter = "300";
    await swap(100_000_000n);
    await received(browser);
    service.status = 201;
    service.retryAfter = "";
    service.received.length = 0;
    w.wait(200_000);
    expect(await received(browser)).toEqual([]);
    w.wait(120_000);
    expect(toTitles(await received(browser))).toEqual(["Your swap is complete"]);
    await w.setRate(350_000_000_000n);
    await w.tick();
  });

  it("announce that a price alert was reached", async () => {
    const browser = await newBrowser();
    const body = { direction: "above", rate: "0.4" };
    expect((await exchange.api("POST", "/api/users/me/price-alerts", { token: customer.token, body })).status).toBe(
      201,
    );
    await w.setRate(410_000_000_000n);
    await sendPriceAlerts(w.ctx);
    await w.setRate(350_000_000_000n);
    expect(await received(browser)).toEqual([
      { title: "1 MOB costs more than 0.4 USDT", body: "See today's rates.", path: "/vegas#above-0.4" },
    ]);
  });

  it("are not delayed by a push service that hangs, however many browsers use it", async () => {
    const hung = await startPushService();
    const released = deferred();
    hung.hold = released.promise;
    const ctx = { ...w.ctx, config: { ...w.ctx.config, pushServices: [service.origin, hung.origin] } };
    const workers = createWorkers(
      database,
      createJobs(ctx).filter(({ name }) => name === "send-pushes"),
      ctx.log,
      new DbNotifications(),
    );
    try {
      const now = () => ctx.clock.now(ctx.db);
      const sessionId = await openTestSession(ctx.db, customer.user.id, await now());
      const addBrowser = async (origin: string) => {
        const { endpoint, subscription } = new PushBrowser(origin);
        const { user } = customer;
        const row = { accountId: user.id, sessionId, endpoint, ...subscription.keys, createdAt: await now() };
        await ctx.db.insert(pushSubscriptions).values(row);
      };
      const queue = async (rate: string) =>
        queuePush(ctx.db, customer.user.id, toPriceMessage("above", rate), await now());
      for (let i = 0; i < 25; i += 1) await addBrowser(hung.origin);
      await queue("1");
      await workers.start();
      const listClaimed = async () =>
        (await ctx.db.select().from(pushMessages)).filter(({ attempts }) => attempts > 0).map(({ path }) => path);
      // The others are claimed only when they can be sent, so that no claim expires first.
      await expect.poll(listClaimed).toEqual(Array.from({ length: 10 }, () => "/vegas#above-1"));
      await addBrowser(service.origin);
      await queue("2");
      await expect.poll(() => service.received.length, { timeout: 5_000 }).toBe(1);
      expect(await listClaimed()).toHaveLength(10);
      released.resolve();
      await expect.poll(() => ctx.db.select().from(pushMessages), { timeout: 20_000 }).toEqual([]);
      expect(hung.received).toHaveLength(50);
    } finally {
      released.resolve();
      await workers.stop();
      await stopPushes(ctx);
      await hung.stop();
    }
  });

  it("are sent again when the push service fails, and deleted if the browser no longer exists", async () => {
    const browser = await newBrowser();
    service.status = 503;
    await swap(100_000_000n);
    await received(browser);
    expect(service.received).toHaveLength(1);
    // A redirect could lead into our own network (T84).
    service.status = 307;
    w.wait(10_000);
    await received(browser);
    expect(service.received.map((message) => message.path)).not.toContain("/elsewhere");
    service.status = 410;
    w.wait(60_000);
    await received(browser);
    expect(await listEndpoints()).toEqual([]);
    expect(await w.ctx.db.select().from(pushMessages)).toEqual([]);
  });

  it("T84 end with the session of the browser", async () => {
    await newBrowser();
    expect((await exchange.api("POST", "/api/auth/logout", { token: customer.token })).status).toBeLessThan(300);
    expect(await listEndpoints()).toEqual([]);
  });

  it("stay on in a browser whose session is replaced by another one of the customer, until that one ends", async () => {
    const logOut = (token: string) => exchange.api("POST", "/api/auth/logout", { token });
    const { endpoint } = await newBrowser();
    const { authenticator, email } = customer;
    let { token } = customer;
    for (const signIn of [
      () => exchange.signInByPasskey(authenticator, token),
      () => exchange.signInByCode(email, token),
      () => exchange.register(email, { token }),
    ]) {
      const replacing = (await signIn()).body.access_token;
      await logOut(token);
      token = replacing;
      expect(await listEndpoints()).toEqual([endpoint]);
    }
    const other = await exchange.signUp();
    await exchange.signInByPasskey(other.authenticator, token);
    await logOut(token);
    expect(await listEndpoints()).toEqual([]);
  });

  it("T84 cannot be taken over by another account without the browser's secret", async () => {
    const browser = await newBrowser();
    const other = await exchange.signUp();
    const { keys } = new PushBrowser(service.origin).subscription;
    expect((await subscribe({ endpoint: browser.endpoint, keys }, other.token)).status).toBe(422);
    // The same browser, after someone else has signed in there.
    await w.setRate(350_000_000_000n);
    await w.tick();
    await swap(100_000_000n);
    expect(await w.ctx.db.select().from(pushMessages)).not.toEqual([]);
    expect((await subscribe(browser.subscription, other.token)).status).toBe(204);
    expect(await w.ctx.db.select().from(pushMessages)).toEqual([]);
    const [row] = await w.ctx.db.select().from(pushSubscriptions);
    expect(row?.accountId).toBe(other.user.id);
  });

  it("go to a browser whose endpoint was stored in another spelling, before these were refused", async () => {
    const browser = await newBrowser();
    const endpoint = browser.endpoint.replace("http://", "HTTP://");
    await w.ctx.db.update(pushSubscriptions).set({ endpoint });
    await swap(100_000_000n);
    expect(toTitles(await received(browser))).toEqual(["Your swap is complete"]);
    expect(await listEndpoints()).toEqual([endpoint]);
  });

  it("go to the ten newest browsers", async () => {
    const browsers: PushBrowser[] = [];
    for (let i = 0; i < 11; i += 1) browsers.push(await newBrowser());
    expect(new Set(await listEndpoints())).toEqual(new Set(browsers.slice(1).map(({ endpoint }) => endpoint)));
  });

  it.each([
    "http://127.0.0.1:1/send/x",
    "http://169.254.169.254/latest/meta-data",
    "https://push.example.evil.example/x",
    "https://evil.example/?https://push.example",
    "https://user:password@push.example/x",
    "https://push.example:8443/x",
    "https://windows.example/x",
    "https://evilwindows.example/x",
    "http://a.windows.example/x",
    // Other spellings of the same endpoints, which would count as other browsers.
    "HTTPS://push.example/x",
    "https://PUSH.example/x",
    "https:\\\\push.example/x",
    "https://push.example/y/../x",
    "https://push.example/x\n",
    "https://push.example/x#1",
    // As bytes, this would be too long for the database's index.
    `https://push.example/${Array.from({ length: 970 }, (_, i) => String.fromCharCode(0x4e00 + i * 7)).join("")}`,
    "no URL",
    "",
  ])("T84 are refused for the endpoint %j", async (endpoint) => {
    const { keys } = new PushBrowser(service.origin).subscription;
    const response = await subscribe({ endpoint, keys });
    expect([response.status, await listEndpoints()]).toEqual([422, []]);
  });

  it("T84 are refused for a key that is not a point of the curve", async () => {
    const { endpoint, keys } = new PushBrowser(service.origin).subscription;
    const off = Buffer.alloc(65, 7).fill(4, 0, 1).toString("base64url");
    expect((await subscribe({ endpoint, keys: { ...keys, p256dh: off } })).status).toBe(422);
    expect((await subscribe({ endpoint, keys: { ...keys, p256dh: "x" } })).status).toBe(422);
  });
});
