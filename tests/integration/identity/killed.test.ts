import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts, passkeys } from "../../../app/exchange.server/accounts/tables";
import { type OpenDatabase, openPglite } from "../../../app/exchange.server/db/open";
import { applyKycDecisions } from "../../../app/exchange.server/kyc/decide";
import { kycApplications } from "../../../app/exchange.server/kyc/tables";
import { signWebhook } from "../../../app/exchange.server/kyc/webhook-signature";
import { sendOutbox, settleOutbox } from "../../../app/exchange.server/mail/outbox";
import { sandboxReviews } from "../../../app/exchange.server/sandbox/tables";
import { TestAuthenticator } from "../../support/authenticator";
import { application, createTestExchange, type TestExchange, testOrigin } from "../../support/exchange";
import { createMortalDatabase } from "../../support/mortal";

/**
 * What makes somebody who they are, killed before its first effect, its second, and so on to
 * its last. Whoever got no answer does the same again, and then has what they asked for, once.
 */
describe("a process killed at every line between two effects", { timeout: 240_000 }, () => {
  let database: OpenDatabase;
  let exchange: TestExchange;
  let people = 0;
  beforeAll(async () => {
    database = await openPglite(null);
    exchange = await createTestExchange({ database });
  });
  afterAll(() => exchange?.close());

  async function killEverywhere<T>(
    prepare: (email: string) => Promise<T>,
    act: (process: TestExchange, it: T) => Promise<unknown>,
    check: (it: T) => Promise<void>,
  ): Promise<void> {
    for (let lifetime = 0; ; lifetime += 1) {
      people += 1;
      const it = await prepare(`person-${people}@example.org`);
      const mortal = createMortalDatabase(database, lifetime);
      const process = await createTestExchange({ database: mortal.database, clock: exchange.x.clock });
      await act(process, it).catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      await settleOutbox(process.x);
      await act(exchange, it);
      await check(it);
      if (!mortal.isDead()) {
        expect(lifetime, "it has effects").toBeGreaterThan(0);
        return;
      }
    }
  }

  const mailsTo = async (email: string, subject: RegExp) => {
    await settleOutbox(exchange.x);
    // Whoever took a mail has a minute for it; then another sends it.
    exchange.advance(61_000);
    await sendOutbox(exchange.x);
    return (await exchange.inbox.list(email)).filter((mail) => subject.test(mail.subject)).length;
  };

  test("T46 registering with a passkey makes one account, and the passkey that was made signs in to it", async () => {
    await killEverywhere(
      async (email) => ({ email, authenticator: new TestAuthenticator(testOrigin) }),
      async (process, it) => {
        const known = await process.signInByPasskey(it.authenticator).catch(() => null);
        if (known?.status === 200) return;
        it.authenticator = new TestAuthenticator(testOrigin);
        const made = await process.register(it.email, it);
        // An account whose answer was lost is signed in to; nobody but its passkey may add to it.
        if (made.status !== 200) throw new Error(`registered: ${made.status}`);
      },
      async ({ email, authenticator }) => {
        expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);
        const [account, ...more] = await database.db.select().from(accounts).where(eq(accounts.email, email));
        expect(more).toEqual([]);
        const kept = await database.db
          .select()
          .from(passkeys)
          .where(eq(passkeys.accountId, account?.id ?? ""));
        expect(kept).toHaveLength(1);
      },
    );
  });

  test("T24 signing in by code makes one account, its address proven", async () => {
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

  test("T30 a refresh whose answer was lost is answered with the same successor, and ends no session", async () => {
    await killEverywhere(
      (email) => exchange.signUp(email, { kyc: false }),
      async (process, { refreshToken }) => {
        const body = { refresh_token: refreshToken };
        const answers = [
          await process.api("POST", "/api/auth/refresh", { body }),
          await process.api("POST", "/api/auth/refresh", { body }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        expect(answers[0]?.body).toEqual(answers[1]?.body);
      },
      async ({ email }) => expect(await mailsTo(email, /We ended one/)).toBe(0),
    );
  });

  test("T45 an application reaches the reviewer, and its approval is written and told", async () => {
    await killEverywhere(
      (email) => exchange.signUp(email, { kyc: false }),
      async (process, { token }) => {
        const sent = await process.api("POST", "/api/kyc", { token, body: application });
        // Sent already, where the answer was lost.
        expect([202, 409]).toContain(sent.status);
        await applyKycDecisions(process.x);
      },
      async ({ email, user }) => {
        const rows = await database.db.select().from(kycApplications).where(eq(kycApplications.accountId, user.id));
        expect(rows).toMatchObject([{ status: "approved" }]);
        expect(await mailsTo(email, /identity is verified/)).toBeGreaterThan(0);
      },
    );
  });

  test("T45 a webhook that withdraws an approval is taken, and told", async () => {
    await killEverywhere(
      async (email) => {
        const customer = await exchange.signUp(email);
        const [sent] = await database.db
          .select()
          .from(kycApplications)
          .where(eq(kycApplications.accountId, customer.user.id));
        const reference = sent?.id ?? "";
        const decideAt = new Date((await exchange.x.clock.now(database.db)).getTime());
        await database.db
          .update(sandboxReviews)
          .set({ status: "rejected", reasons: ["Withdrawn."], decideAt })
          .where(eq(sandboxReviews.reference, reference));
        return { ...customer, rawBody: JSON.stringify({ event_id: `event-${reference}`, reference }) };
      },
      async (process, { rawBody }) => {
        const at = await process.x.clock.now(database.db);
        const signature = signWebhook("webhook secret of the tests", rawBody, at);
        const headers = { "X-Kyc-Signature": signature };
        const taken = await process.api("POST", "/api/kyc/webhook", { rawBody, headers });
        expect(taken.status).toBe(200);
      },
      async ({ email, token }) => {
        const { body: user } = await exchange.api("GET", "/api/users/me", { token });
        expect(user.kyc_status).toBe("rejected");
        // Twice at most: a sender that dies after it sent is followed by another.
        expect([1, 2]).toContain(await mailsTo(email, /could not be verified/));
      },
    );
  });
});
