import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KycApplication } from "../../../app/api/contract";
import { accounts } from "../../../app/exchange.server/accounts/tables";
import { applyKycDecision, applyKycDecisions } from "../../../app/exchange.server/kyc/decide";
import { kycApplications, kycWebhookEvents } from "../../../app/exchange.server/kyc/tables";
import { signWebhook } from "../../../app/exchange.server/kyc/webhook-signature";
import { settleOutbox } from "../../../app/exchange.server/mail/outbox";
import { createSandboxReviewer } from "../../../app/exchange.server/sandbox/reviewer";
import { application, createTestExchange, type SignedUp, type TestExchange } from "../../support/exchange";
import { testDatabases } from "../../support/test-database";

const webhookSecret = "webhook secret of the tests";

describe.each(testDatabases)("identity verification, on %s", (database) => {
  let exchange: TestExchange;
  let customer: SignedUp;
  beforeAll(async () => {
    exchange = await createTestExchange({ database });
  });
  beforeEach(async () => {
    customer = await exchange.signUp(undefined, { kyc: false });
  });
  afterAll(() => exchange.close());

  const send = (details: Partial<KycApplication> = {}) =>
    exchange.api("POST", "/api/kyc", { token: customer.token, body: { ...application, ...details } });
  const read = async () => (await exchange.api("GET", "/api/kyc", { token: customer.token })).body;
  const applications = () =>
    exchange.x.db.select().from(kycApplications).where(eq(kycApplications.accountId, customer.user.id));
  const newestReference = async () =>
    (await applications()).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]?.id ?? "";

  it("an ordinary application is taken (202), pending, then approved, and told by mail", async () => {
    expect(await read()).toEqual({ status: "not_started", reasons: [], updated_at: null });
    const answer = await send();
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: "pending", reasons: [] });
    expect((await read()).status).toBe("pending");
    await applyKycDecisions(exchange.x);
    expect((await read()).status).toBe("approved");
    await settleOutbox(exchange.x);
    expect((await exchange.inbox.list(customer.email))[0]?.subject).toBe("Your identity is verified");
  });

  it("the last name Reject is refused with a reason and may be sent again", async () => {
    await send({ last_name: "Reject" });
    await applyKycDecisions(exchange.x);
    const refused = await read();
    expect(refused.status).toBe("rejected");
    expect(refused.reasons).toHaveLength(1);
    expect((await send()).status).toBe(202);
    await applyKycDecisions(exchange.x);
    expect(await read()).toMatchObject({ status: "approved", reasons: [] });
  });

  it("the last name Action is asked for more, and approved when sent again as it stands in the document", async () => {
    await send({ last_name: "Action" });
    await applyKycDecisions(exchange.x);
    expect(await read()).toMatchObject({ status: "action_required" });
    expect((await send({ last_name: "Lovelace" })).status).toBe(202);
    await applyKycDecisions(exchange.x);
    expect((await read()).status).toBe("approved");
  });

  it("the last name Pending stays pending; while pending or approved nothing more can be sent", async () => {
    await send({ last_name: "Pending" });
    exchange.advance(60_000);
    await applyKycDecisions(exchange.x);
    expect((await read()).status).toBe("pending");
    const twice = await send();
    expect(twice.status).toBe(409);
    expect(twice.body.detail.code).toBe("kyc_state");
    const approved = await exchange.signUp();
    const again = await exchange.api("POST", "/api/kyc", { token: approved.token, body: application });
    expect(again.status).toBe(409);
  });

  it("needs a passkey's token and a proven address", async () => {
    const { body } = await exchange.register("unproven@example.org");
    for (const method of ["GET", "POST"]) {
      const call = method === "POST" ? { body: application } : {};
      const unproven = await exchange.api(method, "/api/kyc", { token: body.access_token, ...call });
      expect(unproven.status).toBe(403);
      expect(unproven.body.detail.code).toBe("email_unproven");
      expect((await exchange.api(method, "/api/kyc", call)).status).toBe(401);
    }
    const byMail = await exchange.signInByCode(customer.email);
    const answer = await exchange.api("GET", "/api/kyc", { token: byMail.body.access_token });
    expect(answer.body.detail.code).toBe("passkey_required");
  });

  it.each([
    ["a day that is in no calendar", { date_of_birth: "1990-02-30" }, "date_of_birth"],
    ["a day to come", { date_of_birth: "2199-01-01" }, "date_of_birth"],
    ["a child", { date_of_birth: `${new Date().getUTCFullYear() - 17}-01-01` }, "date_of_birth"],
    ["a birth two centuries ago", { date_of_birth: "1815-12-10" }, "date_of_birth"],
    ["a country that there is none", { country: "ZZ" }, "country"],
    ["a country in small letters", { country: "gb" }, "country"],
    ["a name without letters", { first_name: "123" }, "first_name"],
    ["a document number of other characters", { document_number: "<script>" }, "document_number"],
  ])("%s is 422 with a word for the field", async (_name, details, field) => {
    const answer = await send(details as Partial<KycApplication>);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.detail.fields)).toEqual([field]);
    expect((await read()).status).toBe("not_started");
  });

  it("keeps what was sent sealed: no name, birth date or number stands in the database", async () => {
    await send({ first_name: "Augusta", document_number: "ZX 998877", date_of_birth: "1985-11-23" });
    const rows = JSON.stringify(await applications());
    for (const secret of ["Augusta", "998877", "1985-11-23"]) expect(rows).not.toContain(secret);
  });

  it("a provider that is away loses nothing: the application is handed over later", async () => {
    let away = true;
    const reviewer = createSandboxReviewer({ db: exchange.x.db, clock: exchange.x.clock, delayMs: 0 });
    const before = exchange.x.kyc;
    exchange.x.kyc = {
      ...reviewer,
      submit: (...details) => (away ? Promise.reject(new Error("away")) : reviewer.submit(...details)),
    };
    expect((await send()).status).toBe(202);
    await applyKycDecisions(exchange.x);
    expect((await read()).status).toBe("pending");
    away = false;
    await applyKycDecisions(exchange.x);
    expect((await read()).status).toBe("approved");
    exchange.x.kyc = before;
  });

  it("T45 only a later decision counts, and only for the newest application", async () => {
    await send({ last_name: "Pending" });
    const reference = await newestReference();
    const at = (ms: number) => new Date(Date.UTC(2030, 0, 1) + ms);
    const decide = (status: "approved" | "rejected", ms: number, ref = reference) =>
      applyKycDecision(exchange.x, ref, { status, reasons: [], decidedAt: at(ms) });
    expect(await decide("rejected", 1_000)).toBe(true);
    expect(await decide("approved", 0), "older").toBe(false);
    expect(await decide("approved", 1_000), "as old").toBe(false);
    expect((await read()).status).toBe("rejected");
    exchange.advance(1);
    await send({ last_name: "Pending" });
    expect(await decide("approved", 5_000), "of an application that was replaced").toBe(false);
    expect((await read()).status).toBe("pending");
    expect(await decide("approved", 5_000, "no such reference")).toBe(false);
  });

  it("T45 an approval that is taken back calls the hook in the same transaction", async () => {
    await send({ last_name: "Pending" });
    const reference = await newestReference();
    const decidedAt = new Date(Date.UTC(2031, 0, 1));
    await applyKycDecision(exchange.x, reference, { status: "approved", reasons: [], decidedAt });
    const later = { status: "rejected", reasons: ["a reason"], decidedAt: new Date(decidedAt.getTime() + 1) } as const;
    const failing = applyKycDecision(exchange.x, reference, { ...later, reasons: [...later.reasons] }, async () => {
      throw new Error("the hook failed");
    });
    await expect(failing).rejects.toThrow("the hook failed");
    expect((await read()).status, "nothing half done").toBe("approved");
    const seen: string[] = [];
    await applyKycDecision(exchange.x, reference, { ...later, reasons: [...later.reasons] }, async (_tx, accountId) => {
      seen.push(accountId);
    });
    expect(seen).toEqual([customer.user.id]);
    expect((await read()).status).toBe("rejected");
  });

  describe("T45 the webhook", () => {
    const post = (rawBody: string, signature: string | undefined) =>
      exchange.api("POST", "/api/kyc/webhook", {
        rawBody,
        headers: signature === undefined ? {} : { "X-Kyc-Signature": signature },
      });
    const now = () => exchange.x.clock.now(exchange.x.db);

    it("applies what the provider itself says, once, whatever the message claims", async () => {
      await send();
      const body = JSON.stringify({
        event_id: `e-${customer.user.id}`,
        reference: await newestReference(),
        status: "rejected",
      });
      const signature = signWebhook(webhookSecret, body, await now());
      expect((await post(body, signature)).status).toBe(200);
      expect((await read()).status).toBe("approved");
      await exchange.x.db.update(accounts).set({ kycStatus: "pending" }).where(eq(accounts.id, customer.user.id));
      expect((await post(body, signature)).status, "a repeated message is taken").toBe(200);
      expect((await read()).status, "and changes nothing").toBe("pending");
    });

    it("is refused unsigned, signed by somebody else, five minutes old or ahead, and with any bit changed", async () => {
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
      expect(await exchange.x.db.select().from(kycWebhookEvents).where(eq(kycWebhookEvents.id, "forged"))).toEqual([]);
    });
  });
});
