import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { KycApplication } from "~/api/contract";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { KycDecision, KycProvider } from "~/exchange.server/context";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { kycApplications, kycWebhookEvents } from "~/exchange.server/db/schema/kyc";
import { orders } from "~/exchange.server/db/schema/orders";
import { newId } from "~/exchange.server/ids";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { applyKycDecision } from "~/exchange.server/kyc/apply-decision";
import { followApplications, hasKycWork } from "~/exchange.server/kyc/follow-applications";
import { KycRefusedError } from "~/exchange.server/kyc/refused-error";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { addMs, dayMs, minuteMs } from "~/lib/durations";
import { createSandboxReviewer } from "~/sandbox.server/reviewer";
import { application, createTestExchange, type SignedUp } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";
import { signWebhook } from "../../support/sign-webhook";
import { testDatabases } from "../../support/test-database";

const webhookSecret = "webhook secret of the tests";

describe.each(testDatabases)("identity verification, on %s", (database) => {
  const exchange = forAllTests(() => createTestExchange({ database }));
  let customer: SignedUp;
  beforeEach(async () => {
    customer = await exchange.signUp(undefined, { kyc: false });
  });

  const send = (details: Partial<KycApplication> = {}) =>
    exchange.api("POST", "/api/kyc", { token: customer.token, body: { ...application, ...details } });
  const read = async () => (await exchange.api("GET", "/api/kyc", { token: customer.token })).body;
  const applications = () =>
    exchange.ctx.db.select().from(kycApplications).where(eq(kycApplications.accountId, customer.user.id));
  const newestReference = async () =>
    (await applications()).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]?.id ?? "";

  /** An order of the customer whose deposit is being confirmed. */
  const openFundedOrder = async () => {
    await prepareForSwaps(exchange);
    const { id } = await openOrder(exchange, customer);
    await exchange.ctx.db.update(orders).set({ status: "confirming" }).where(eq(orders.id, id));
    return id;
  };
  const readStatus = async (orderId: string) =>
    (await exchange.ctx.db.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId)))[0]?.status;

  it("accepts an application (202), keeps it pending, then approves it and sends an e-mail", async () => {
    expect(await read()).toEqual({ status: "not_started", reasons: [], updated_at: null });
    const response = await send();
    expect(response.status).toBe(202);
    expect(response.body).toMatchObject({ status: "pending", reasons: [] });
    expect((await read()).status).toBe("pending");
    await followApplications(exchange.ctx);
    expect((await read()).status).toBe("approved");
    await sendOutbox(exchange.ctx);
    expect((await exchange.inbox.list(customer.email))[0]?.subject).toBe("Your identity is verified");
  });

  it("does not tell a blocked customer that they can swap now", async () => {
    await send();
    const { db } = exchange.ctx;
    const ofCustomer = eq(accounts.id, customer.user.id);
    await db
      .update(accounts)
      .set({ blockedAt: await exchange.ctx.clock.now(db) })
      .where(ofCustomer);
    await followApplications(exchange.ctx);
    expect(await db.select({ status: accounts.kycStatus }).from(accounts).where(ofCustomer)).toEqual([
      { status: "approved" },
    ]);
    await sendOutbox(exchange.ctx);
    const subjects = (await exchange.inbox.list(customer.email)).map(({ subject }) => subject);
    expect(subjects).not.toContain("Your identity is verified");
  });

  it("rejects a customer with the last name Reject, with a reason, and lets them apply again", async () => {
    await send({ last_name: "Reject" });
    await followApplications(exchange.ctx);
    const refused = await read();
    expect(refused.status).toBe("rejected");
    expect(refused.reasons).toHaveLength(1);
    expect((await send()).status).toBe(202);
    await followApplications(exchange.ctx);
    expect(await read()).toMatchObject({ status: "approved", reasons: [] });
  });

  it("asks a customer with the last name Action for more, and approves a corrected application", async () => {
    await send({ last_name: "Action" });
    await followApplications(exchange.ctx);
    expect(await read()).toMatchObject({ status: "action_required" });
    expect((await send({ last_name: "Lovelace" })).status).toBe(202);
    await followApplications(exchange.ctx);
    expect((await read()).status).toBe("approved");
  });

  it("leaves the last name Pending undecided, and does not accept another application while one is pending or approved", async () => {
    await send({ last_name: "Pending" });
    exchange.advance(60_000);
    await followApplications(exchange.ctx);
    expect((await read()).status).toBe("pending");
    const twice = await send();
    expect(twice.status).toBe(409);
    expect(twice.body.detail.code).toBe("kyc_state");
    const approved = await exchange.signUp();
    const again = await exchange.api("POST", "/api/kyc", { token: approved.token, body: application });
    expect(again.status).toBe(409);
  });

  it("needs a passkey session and a verified address", async () => {
    const { body } = await exchange.register("unproven@example.org");
    for (const method of ["GET", "POST"]) {
      const call = method === "POST" ? { body: application } : {};
      const unverified = await exchange.api(method, "/api/kyc", { token: body.access_token, ...call });
      expect(unverified.status).toBe(403);
      expect(unverified.body.detail.code).toBe("email_unproven");
      expect((await exchange.api(method, "/api/kyc", call)).status).toBe(401);
    }
    const byMail = await exchange.signInByCode(customer.email);
    const response = await exchange.api("GET", "/api/kyc", { token: byMail.body.access_token });
    expect(response.body.detail.code).toBe("passkey_required");
  });

  it.each<[string, () => Partial<KycApplication>, string]>([
    ["a date that does not exist", () => ({ date_of_birth: "1990-02-30" }), "date_of_birth"],
    ["a date in the future", () => ({ date_of_birth: "2199-01-01" }), "date_of_birth"],
    ["an applicant under 18", () => ({ date_of_birth: `${new Date().getUTCFullYear() - 16}-01-01` }), "date_of_birth"],
    ["a birth date two centuries ago", () => ({ date_of_birth: "1815-12-10" }), "date_of_birth"],
    ["an unknown country", () => ({ country: "ZZ" }), "country"],
    ["a country in lower case", () => ({ country: "gb" }), "country"],
    ["a name without letters", () => ({ first_name: "123" }), "first_name"],
    ["a document number with invalid characters", () => ({ document_number: "<script>" }), "document_number"],
  ])("refuses %s with 422 and a message for the field", async (_name, details, field) => {
    const response = await send(details());
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.detail.fields)).toEqual([field]);
    expect((await read()).status).toBe("not_started");
  });

  it("stores applications encrypted: their rows never contain a name, birth date or document number", async () => {
    const response = await send({ first_name: "Augusta", document_number: "ZX 998877", date_of_birth: "1985-11-23" });
    expect(response.status).toBe(202);
    const rows = await applications();
    expect(rows).toHaveLength(1);
    for (const secret of ["Augusta", "998877", "1985-11-23"]) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("submits the application later if the provider cannot be reached", async () => {
    let isDown = true;
    const reviewer = createSandboxReviewer({ db: exchange.ctx.db, clock: exchange.ctx.clock, delayMs: 0 });
    const before = exchange.ctx.kyc;
    exchange.ctx.kyc = {
      ...reviewer,
      submit: (...details) => (isDown ? Promise.reject(new Error("down")) : reviewer.submit(...details)),
    };
    expect((await send()).status).toBe(202);
    await followApplications(exchange.ctx);
    expect((await read()).status).toBe("pending");
    isDown = false;
    await followApplications(exchange.ctx);
    expect((await read()).status).toBe("approved");
    exchange.ctx.kyc = before;
  });

  describe("the provider", () => {
    let usual: KycProvider;
    const provide = (changes: Partial<KycProvider>) => {
      exchange.ctx.kyc = { ...usual, ...changes };
    };
    beforeEach(() => {
      usual = exchange.ctx.kyc;
    });
    afterEach(() => provide({}));

    it("may withdraw an approval, which is noticed within a day without a webhook", async () => {
      await send();
      await followApplications(exchange.ctx);
      expect((await read()).status).toBe("approved");
      const decidedAt = addMs(await exchange.ctx.clock.now(exchange.ctx.db), 1_000);
      provide({ getDecision: async () => ({ status: "rejected", reasons: ["A forged document."], decidedAt }) });
      await followApplications(exchange.ctx);
      expect((await read()).status, "not asked again at once").toBe("approved");
      const orderId = await openFundedOrder();
      exchange.advance(dayMs);
      await followApplications(exchange.ctx);
      expect(await readStatus(orderId)).toBe("on_hold");
      const [stored] = await applications();
      expect(stored, "the law still requires us to keep the record").toMatchObject({ status: "rejected" });
      expect(stored?.approvedAt).not.toBeNull();
    });

    it("may permanently refuse an application: the customer is then asked to send it again", async () => {
      provide({ submit: () => Promise.reject(new KycRefusedError("422")) });
      expect((await send()).status).toBe(202);
      await followApplications(exchange.ctx);
      const asked = await read();
      expect(asked.status).toBe("action_required");
      expect(asked.reasons).toEqual([expect.stringContaining("send them again")]);
      provide({});
      expect((await send()).status).toBe(202);
      await followApplications(exchange.ctx);
      expect((await read()).status).toBe("approved");
    });

    it("causes an alert if it refuses the applications of three customers in a row, until it accepts one", async () => {
      const alerts = () => listAlerts(exchange.ctx.db);
      provide({ submit: () => Promise.reject(new KycRefusedError("the identity provider responded with 422")) });
      const apply = async ({ token }: SignedUp) => {
        await exchange.api("POST", "/api/kyc", { token, body: application });
        await followApplications(exchange.ctx);
      };
      for (let i = 0; i < 3; i += 1) await apply(customer);
      await apply(await exchange.signUp(undefined, { kyc: false }));
      expect(await alerts(), "of two customers").toEqual([]);
      const third = await exchange.signUp(undefined, { kyc: false });
      await apply(third);
      expect(await alerts()).toMatchObject([
        { subject: "identity-checks:refused", reason: expect.stringMatching(/of 3 customers.*responded with 422/) },
      ]);
      provide({});
      await apply(third);
      expect(await alerts()).toEqual([]);
    });

    it("causes an alert if it does not respond for half an hour, until it does", async () => {
      const subjects = async () => (await listAlerts(exchange.ctx.db)).map(({ subject }) => subject);
      await send();
      const failure = new Error("the identity provider responded with 401\nswaps: on");
      provide({ getDecision: () => Promise.reject(failure) });
      const [sent] = await applications();
      await followApplications(exchange.ctx);
      expect(await subjects()).toEqual([]);
      exchange.advance(31 * 60_000);
      await followApplications(exchange.ctx);
      expect(await subjects()).toEqual(["identity-checks"]);
      const [alert] = await listAlerts(exchange.ctx.db);
      expect(alert?.reason, "in a single line").toMatch(/^We have .*responded with 401\)\. .*$/);
      const [failed] = await applications();
      expect(failed?.nextCheckAt?.getTime(), "others come first").toBeGreaterThan(sent?.nextCheckAt?.getTime() ?? 0);
      provide({});
      exchange.advance(15 * 60_000);
      await followApplications(exchange.ctx);
      expect(await applications()).toMatchObject([{ status: "approved" }]);
      expect(await subjects()).toEqual([]);
    });

    it("ends the alert about its silence by announcing a decision, even if no application is due", async () => {
      const subjects = async () => (await listAlerts(exchange.ctx.db)).map(({ subject }) => subject);
      await send();
      provide({ getDecision: () => Promise.reject(new Error("the identity provider responded with 503")) });
      exchange.advance(31 * minuteMs);
      await followApplications(exchange.ctx);
      expect(await subjects()).toEqual(["identity-checks"]);
      provide({});
      const body = JSON.stringify({ event_id: `late-${customer.user.id}`, reference: await newestReference() });
      const at = await exchange.ctx.clock.now(exchange.ctx.db);
      const headers = { "X-Kyc-Signature": signWebhook(webhookSecret, body, at) };
      expect((await exchange.api("POST", "/api/kyc/webhook", { rawBody: body, headers })).status).toBe(200);
      expect((await applications())[0]?.status).toBe("approved");
      expect(await hasKycWork(exchange.ctx)).toBe(false);
      await followApplications(exchange.ctx);
      expect(await subjects()).toEqual([]);
    });

    it("T45 causes an alert if it does not respond about approved customers for two days, until it does", async () => {
      const alerts = () => listAlerts(exchange.ctx.db);
      await send();
      await followApplications(exchange.ctx);
      expect((await read()).status).toBe("approved");
      provide({ getDecision: () => Promise.reject(new Error("the identity provider responded with 401")) });
      const runFor = async (hours: number) => {
        for (let passed = 0; passed < hours; passed += 1) {
          exchange.advance(60 * minuteMs);
          await followApplications(exchange.ctx);
        }
      };
      await runFor(24);
      expect(await alerts()).toEqual([]);
      await runFor(25);
      expect(await alerts()).toMatchObject([
        { subject: "identity-checks", reason: expect.stringMatching(/401.*we may not notice/) },
      ]);
      provide({});
      await runFor(1);
      expect(await alerts()).toEqual([]);
    });

    it("is queried again a minute after its webhook, in case the decision could not be read before", async () => {
      await send({ last_name: "Reject" });
      await followApplications(exchange.ctx);
      const body = JSON.stringify({ event_id: `early-${customer.user.id}`, reference: await newestReference() });
      const at = await exchange.ctx.clock.now(exchange.ctx.db);
      const headers = { "X-Kyc-Signature": signWebhook(webhookSecret, body, at) };
      expect((await exchange.api("POST", "/api/kyc/webhook", { rawBody: body, headers })).status).toBe(200);
      expect((await read()).status).toBe("rejected");
      exchange.advance(61_000);
      const decidedAt = await exchange.ctx.clock.now(exchange.ctx.db);
      provide({ getDecision: async () => ({ status: "approved", reasons: [], decidedAt }) });
      await followApplications(exchange.ctx);
      expect((await read()).status).toBe("approved");
    });
  });

  it("asks for the details again if they were encrypted with another secret", async () => {
    const { submit } = exchange.ctx.kyc;
    exchange.ctx.kyc = { ...exchange.ctx.kyc, submit: () => Promise.reject(new Error("down")) };
    await send();
    exchange.ctx.kyc = { ...exchange.ctx.kyc, submit };
    await exchange.ctx.db
      .update(kycApplications)
      .set({ details: "unreadable" })
      .where(eq(kycApplications.accountId, customer.user.id));
    await followApplications(exchange.ctx);
    expect((await read()).status).toBe("action_required");
  });

  describe("T45 the limit on applications", () => {
    const sendFrom = async (remoteAddress: string, { token }: SignedUp = customer) => {
      const { status, body } = await exchange.api("POST", "/api/kyc", {
        ...{ token, remoteAddress },
        body: { ...application, last_name: "Reject" },
      });
      await followApplications(exchange.ctx);
      return [status, body.detail?.message];
    };

    it("allows an account five in a day", async () => {
      for (let i = 1; i <= 5; i += 1) {
        expect(await sendFrom(`192.0.2.${i}`)).toEqual([202, undefined]);
        if (i === 1) exchange.advance(10 * minuteMs);
      }
      const { headers } = await exchange.api("POST", "/api/kyc", { token: customer.token, body: application });
      // The first of the five leaves the day before the others.
      const wait = Number(headers.get("Retry-After"));
      expect([wait > 86_400 - 660, wait <= 86_400 - 600]).toEqual([true, true]);
      const message = "You have sent 5 applications in a day. Try again tomorrow.";
      expect(await sendFrom("192.0.2.6")).toEqual([429, message]);
      expect(await applications()).toHaveLength(5);
      exchange.advance(dayMs);
      const { body } = await exchange.signInByPasskey(customer.authenticator);
      expect(await sendFrom("192.0.2.6", { ...customer, token: body.access_token })).toEqual([202, undefined]);
    });

    it("allows a network a number of them in a day, and then one every five minutes", async () => {
      const others: SignedUp[] = [];
      for (let i = 0; i < 3; i += 1) others.push(await exchange.signUp(undefined, { kyc: false }));
      const [second, third, fourth] = others;
      exchange.ctx.config.limits = { ...exchange.ctx.config.limits, applicationsPerSenderPerDay: 2 };
      expect(await sendFrom("2001:db8::1")).toEqual([202, undefined]);
      expect(await sendFrom("2001:db8::2", second)).toEqual([202, undefined]);
      const message = "Your network has sent many applications today. Try again in a few minutes.";
      expect(await sendFrom("2001:db8::3", third)).toEqual([429, message]);
      expect(await sendFrom("192.0.2.1", fourth), "another network").toEqual([202, undefined]);
      exchange.advance(5 * minuteMs);
      expect(await sendFrom("2001:db8::3", third)).toEqual([202, undefined]);
      expect(await sendFrom("2001:db8::3", fourth)).toEqual([429, message]);
    });
  });

  describe("with many applications", () => {
    /** Stores applications that are due, the first one first. */
    const store = async (count: number, status: "pending" | "approved", accountId = customer.user.id) => {
      const now = await exchange.ctx.clock.now(exchange.ctx.db);
      const rows = Array.from({ length: count }, (_, i) => ({
        ...{ id: newId(), accountId, status, reasons: [], details: "", provider: exchange.ctx.kyc.name },
        ...{ createdAt: now, updatedAt: now, submittedAt: now, nextCheckAt: addMs(now, i - dayMs) },
      }));
      await exchange.ctx.db.insert(kycApplications).values(rows);
      return rows.map(({ id }) => id);
    };
    /** Runs the job with this response from the provider. @returns the applications that it queried */
    const runWith = async (respond: (reference: string) => Promise<null>) => {
      const queried: string[] = [];
      const usual = exchange.ctx.kyc;
      const getDecision = (reference: string) => {
        queried.push(reference);
        return respond(reference);
      };
      exchange.ctx.kyc = { ...usual, getDecision };
      await followApplications(exchange.ctx).finally(() => {
        exchange.ctx.kyc = usual;
      });
      return queried;
    };
    beforeEach(async () => {
      await exchange.ctx.db.update(kycApplications).set({ nextCheckAt: null, status: "rejected" });
    });

    it("checks approved customers again, however many applications wait", async () => {
      await send();
      await followApplications(exchange.ctx);
      const waiting = await exchange.signUp(undefined, { kyc: false });
      await store(200, "pending", waiting.user.id);
      exchange.advance(dayMs);
      expect(await runWith(async () => null)).toContain(await newestReference());
    });

    it("has work while approved customers are due, even without open applications, so that the next run follows at once", async () => {
      expect(await hasKycWork(exchange.ctx)).toBe(false);
      const ids = await store(30, "approved");
      const queried = await runWith(async () => null);
      expect(await hasKycWork(exchange.ctx)).toBe(true);
      queried.push(...(await runWith(async () => null)));
      expect(queried.sort()).toEqual(ids.sort());
      expect(await hasKycWork(exchange.ctx)).toBe(false);
      await store(1, "pending");
      await exchange.ctx.db.update(kycApplications).set({ nextCheckAt: addMs(new Date(), 10 * dayMs) });
      expect(await hasKycWork(exchange.ctx)).toBe(true);
    });

    it("queries five at a time", async () => {
      const ids = await store(12, "pending");
      let running = 0;
      let most = 0;
      const queried = await runWith(async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(20);
        running -= 1;
        return null;
      });
      expect(queried).toHaveLength(ids.length);
      expect(most).toBe(5);
    });

    it("stops after three failures in a row, and queries others first the next time", async () => {
      const ids = await store(30, "approved");
      const down = () => Promise.reject(new Error("down"));
      const first = await runWith(down);
      expect(first.length).toBeLessThan(10);
      const second = await runWith(down);
      expect(second.length).toBeLessThan(10);
      expect(second.filter((id) => first.includes(id))).toEqual([]);
      // A few failures do not stop the rest.
      const queried = await runWith((id) => (ids.indexOf(id) % 4 === 0 ? down() : Promise.resolve(null)));
      expect(queried).toHaveLength(Math.min(20, ids.length - first.length - second.length));
    });
  });

  it("T45 applies only a later decision, and only to the newest application", async () => {
    await send({ last_name: "Pending" });
    const reference = await newestReference();
    const at = (ms: number) => new Date(Date.UTC(2030, 0, 1) + ms);
    const decide = (status: "approved" | "rejected", ms: number, ref = reference) =>
      applyKycDecision(exchange.ctx, ref, { status, reasons: [], decidedAt: at(ms) });
    expect(await decide("rejected", 1_000)).toBe(true);
    expect(await decide("approved", 0), "older").toBe(false);
    expect(await decide("approved", 1_000), "same time").toBe(false);
    expect((await read()).status).toBe("rejected");
    exchange.advance(1);
    await send({ last_name: "Pending" });
    expect(await decide("approved", 5_000), "for a replaced application").toBe(false);
    expect((await read()).status).toBe("pending");
    expect(await decide("approved", 5_000, "no such reference")).toBe(false);
  });

  it("T45 puts the account's orders on hold in the transaction that withdraws an approval", async () => {
    await send({ last_name: "Pending" });
    const reference = await newestReference();
    const { ctx } = exchange;
    const decidedAt = new Date(Date.UTC(2031, 0, 1));
    await applyKycDecision(ctx, reference, { status: "approved", reasons: [], decidedAt });
    const orderId = await openFundedOrder();
    const later: KycDecision = { status: "rejected", reasons: ["a reason"], decidedAt: addMs(decidedAt, 1) };
    const unableToHold = { ...ctx, config: { ...ctx.config, decisionTtlMs: Number.NaN } };
    await expect(applyKycDecision(unableToHold, reference, later)).rejects.toThrow("Invalid time value");
    expect((await read()).status, "rolled back").toBe("approved");
    expect(await readStatus(orderId), "rolled back").toBe("confirming");
    expect(await applyKycDecision(ctx, reference, later)).toBe(true);
    expect((await read()).status).toBe("rejected");
    expect(await readStatus(orderId)).toBe("on_hold");
  });

  it("T45 does not hold orders of an account whose approval is not withdrawn", async () => {
    await send({ last_name: "Pending" });
    const reference = await newestReference();
    const decide = (status: "approved" | "rejected", day: number) =>
      applyKycDecision(exchange.ctx, reference, { status, reasons: [], decidedAt: new Date(Date.UTC(2031, 0, day)) });
    await decide("approved", 1);
    const orderId = await openFundedOrder();
    expect(await decide("approved", 2)).toBe(true);
    expect(await decide("rejected", 1), "older").toBe(false);
    expect(await readStatus(orderId)).toBe("confirming");
  });

  describe("T45 the webhook", () => {
    const post = (rawBody: string, signature: string | undefined) =>
      exchange.api("POST", "/api/kyc/webhook", {
        rawBody,
        headers: signature === undefined ? {} : { "X-Kyc-Signature": signature },
      });
    const now = () => exchange.ctx.clock.now(exchange.ctx.db);

    it("applies the decision that the provider returns, once, whatever the webhook claims", async () => {
      await send();
      const body = JSON.stringify({
        event_id: `e-${customer.user.id}`,
        reference: await newestReference(),
        status: "rejected",
      });
      const signature = signWebhook(webhookSecret, body, await now());
      expect((await post(body, signature)).status).toBe(200);
      expect((await read()).status).toBe("approved");
      await exchange.ctx.db.update(accounts).set({ kycStatus: "pending" }).where(eq(accounts.id, customer.user.id));
      expect((await post(body, signature)).status, "a repeated webhook is accepted").toBe(200);
      expect((await read()).status, "and changes nothing").toBe("pending");
    });

    it("does not call the provider about an application that does not exist, and does not store anything", async () => {
      const getDecision = vi.spyOn(exchange.ctx.kyc, "getDecision");
      const body = JSON.stringify({ event_id: `unknown-${customer.user.id}`, reference: "no-such-application" });
      expect((await post(body, signWebhook(webhookSecret, body, await now()))).status).toBe(200);
      expect(getDecision).not.toHaveBeenCalled();
      getDecision.mockRestore();
      const stored = await exchange.ctx.db.select().from(kycWebhookEvents);
      expect(stored.map(({ id }) => id)).not.toContain(`unknown-${customer.user.id}`);
    });

    it("remembers its id for a day", async () => {
      const { db } = exchange.ctx;
      const ids = async () => (await db.select().from(kycWebhookEvents)).map(({ id }) => id);
      const at = await now();
      await db.insert(kycWebhookEvents).values([
        { id: "kept", receivedAt: addMs(at, -dayMs + minuteMs) },
        { id: "old", receivedAt: addMs(at, -dayMs - minuteMs) },
      ]);
      await createJobs(exchange.ctx)
        .find(({ name }) => name === "purge-expired")
        ?.run();
      const left = await ids();
      expect([left.includes("kept"), left.includes("old")]).toEqual([true, false]);
    });

    it("refuses a webhook without a signature, with another signature, five minutes old or ahead, or altered", async () => {
      await send();
      const body = JSON.stringify({ event_id: "forged", reference: await newestReference() });
      const at = await now();
      const good = signWebhook(webhookSecret, body, at);
      const refused = [
        await post(body, undefined),
        await post(body, signWebhook("another secret", body, at)),
        await post(body, signWebhook(webhookSecret, body, new Date(at.getTime() - 302_000))),
        await post(body, signWebhook(webhookSecret, body, new Date(at.getTime() + 310_000))),
        await post(body.replace("forged", "Forged"), good),
        await post(`${body} `, good),
        await post(
          body,
          good.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        ),
        await post(body, good.replace("t=", "t=1")),
      ];
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
      expect(refused[0]?.body.detail.code).toBe("webhook_invalid");
      expect((await read()).status).toBe("pending");
      expect(await exchange.ctx.db.select().from(kycWebhookEvents).where(eq(kycWebhookEvents.id, "forged"))).toEqual(
        [],
      );
    });
  });
});
