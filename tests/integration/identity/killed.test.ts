import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { accounts, passkeys } from "~/exchange.server/db/schema/accounts";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { sandboxReviews } from "~/exchange.server/db/schema/sandbox";
import { followApplications } from "~/exchange.server/kyc/follow-applications";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { TestAuthenticator } from "../../support/authenticator";
import { createCrashingDatabase } from "../../support/crashing-process";
import { application, createTestExchange, type TestExchange, testOrigin } from "../../support/exchange";
import { signWebhook } from "../../support/sign-webhook";
import { openTestDatabase } from "../../support/test-database";

/**
 * Kills the exchange before the first effect of an operation, then before the second, and so on to
 * the last. Each time the client, which got no response, repeats the operation, and it takes effect once.
 */
describe("sign-in and KYC in a process killed between any two effects", { timeout: 240_000 }, () => {
  let database: OpenDatabase;
  let exchange: TestExchange;
  let customers = 0;
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
    exchange = await createTestExchange({ database });
  });
  afterAll(() => exchange?.close());

  async function killEverywhere<T>(
    prepare: (email: string) => Promise<T>,
    act: (process: TestExchange, subject: T) => Promise<unknown>,
    check: (subject: T) => Promise<void>,
  ): Promise<void> {
    for (let lifetime = 0; ; lifetime += 1) {
      customers += 1;
      const subject = await prepare(`customer-${customers}@example.org`);
      const crashing = createCrashingDatabase(database, lifetime);
      const process = await createTestExchange({ database: crashing.database, clock: exchange.ctx.clock });
      const actAndSend = act(process, subject).then(() => sendOutbox(process.ctx));
      await actAndSend.catch((error: unknown) => {
        if (!crashing.isDead()) throw error;
      });
      await act(exchange, subject);
      await check(subject);
      if (!crashing.isDead()) {
        expect(lifetime, "the operation has effects").toBeGreaterThan(0);
        return;
      }
    }
  }

  const mailsTo = async (email: string, subject: RegExp) => {
    // A sender that claimed an e-mail has a minute; then another sends it.
    exchange.advance(61_000);
    await sendOutbox(exchange.ctx);
    return (await exchange.inbox.list(email)).filter((mail) => subject.test(mail.subject)).length;
  };

  it("T46 registering with a passkey creates one account, and the passkey signs in to it", async () => {
    await killEverywhere(
      async (email) => ({ email, authenticator: new TestAuthenticator(testOrigin) }),
      async (process, subject) => {
        const known = await process.signInByPasskey(subject.authenticator).catch(() => null);
        if (known?.status === 200) return;
        subject.authenticator = new TestAuthenticator(testOrigin);
        const registered = await process.register(subject.email, subject);
        // If only the response was lost, the client signs in above, because only the account's passkey may add another
        // one.
        if (registered.status !== 200) throw new Error(`registered: ${registered.status}`);
      },
      async ({ email, authenticator }) => {
        expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);
        const [account, ...more] = await database.db.select().from(accounts).where(eq(accounts.email, email));
        expect(more).toEqual([]);
        const rows = await database.db
          .select()
          .from(passkeys)
          .where(eq(passkeys.accountId, account?.id ?? ""));
        expect(rows).toHaveLength(1);
      },
    );
  });

  it("T24 signing in by code creates one account with a verified address", async () => {
    await killEverywhere(
      async (email) => ({ email }),
      async (process, { email }) => {
        const signedIn = await process.signInByCode(email);
        expect(signedIn.status).toBe(200);
      },
      async ({ email }) => {
        const rows = await database.db.select().from(accounts).where(eq(accounts.email, email));
        expect(rows).toMatchObject([{ emailVerifiedAt: expect.any(Date) }]);
      },
    );
  });

  it("T30 a refresh whose response was lost returns the same successor, and does not end the session", async () => {
    await killEverywhere(
      (email) => exchange.signUp(email, { kyc: false }),
      async (process, { refreshToken }) => {
        const body = { refresh_token: refreshToken };
        const responses = [
          await process.api("POST", "/api/auth/refresh", { body }),
          await process.api("POST", "/api/auth/refresh", { body }),
        ];
        expect(responses.map(({ status }) => status)).toEqual([200, 200]);
        expect(responses[0]?.body).toEqual(responses[1]?.body);
      },
      async ({ email }) => expect(await mailsTo(email, /We signed out one/)).toBe(0),
    );
  });

  it("T45 an application reaches the reviewer, and its approval is stored and e-mailed", async () => {
    await killEverywhere(
      (email) => exchange.signUp(email, { kyc: false }),
      async (process, { token }) => {
        const sent = await process.api("POST", "/api/kyc", { token, body: application });
        // 409 if only the response was lost.
        expect([202, 409]).toContain(sent.status);
        await followApplications(process.ctx);
      },
      async ({ email, user }) => {
        const rows = await database.db.select().from(kycApplications).where(eq(kycApplications.accountId, user.id));
        expect(rows).toMatchObject([{ status: "approved" }]);
        expect(await mailsTo(email, /identity is verified/)).toBeGreaterThan(0);
      },
    );
  });

  it("T45 a webhook that withdraws an approval is applied and e-mailed", async () => {
    await killEverywhere(
      async (email) => {
        const customer = await exchange.signUp(email);
        const [sent] = await database.db
          .select()
          .from(kycApplications)
          .where(eq(kycApplications.accountId, customer.user.id));
        const reference = sent?.id ?? "";
        const decideAt = new Date((await exchange.ctx.clock.now(database.db)).getTime());
        await database.db
          .update(sandboxReviews)
          .set({ status: "rejected", reasons: ["Withdrawn."], decideAt })
          .where(eq(sandboxReviews.reference, reference));
        return { ...customer, rawBody: JSON.stringify({ event_id: `event-${reference}`, reference }) };
      },
      async (process, { rawBody }) => {
        const at = await process.ctx.clock.now(database.db);
        const signature = signWebhook("webhook secret of the tests", rawBody, at);
        const headers = { "X-Kyc-Signature": signature };
        const accepted = await process.api("POST", "/api/kyc/webhook", { rawBody, headers });
        expect(accepted.status).toBe(200);
      },
      async ({ email, token }) => {
        const { body: user } = await exchange.api("GET", "/api/users/me", { token });
        expect(user.kyc_status).toBe("rejected");
        // At most twice: if a sender dies after sending, another one sends again.
        expect([1, 2]).toContain(await mailsTo(email, /couldn't verify/));
      },
    );
  });
});
