import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emailChallenges, limitEvents } from "../../../app/exchange.server/accounts/tables";
import { settleOutbox } from "../../../app/exchange.server/mail/outbox";
import { outbox } from "../../../app/exchange.server/mail/tables";
import { createTestExchange, type TestExchange } from "../../support/exchange";
import { testDatabases } from "../../support/test-database";

const minuteMs = 60_000;

describe.each(testDatabases)("e-mail codes, on %s", (database) => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await createTestExchange({ database });
  });
  afterAll(() => exchange.close());

  const redeem = (challenge_id: string, code: string) =>
    exchange.api("POST", "/api/auth", { body: { credentials: { challenge_id, auth_data: { code } } } });
  const ask = (identifier: string, remoteAddress?: string) =>
    exchange.api("POST", "/api/auth", { remoteAddress, body: { auth_method: "email", credentials: { identifier } } });
  const mailsTo = async (email: string) => {
    await settleOutbox(exchange.x);
    return exchange.inbox.list(email);
  };
  const another = (code: string) => (code === "123456" ? "654321" : "123456");

  it("C05 a code works once, within 10 minutes, with its own challenge", async () => {
    const first = await exchange.askCode("once@example.org");
    expect(first.code).toMatch(/^[0-9]{6}$/);
    expect((await redeem("AAAAAAAAAAAAAAAAAAAAAA", first.code)).status).toBe(401);
    expect((await redeem(first.challengeId, first.code)).status).toBe(200);
    expect((await redeem(first.challengeId, first.code)).status).toBe(401);
    const second = await exchange.askCode("once@example.org");
    exchange.advance(10 * minuteMs + 1_000);
    expect((await redeem(second.challengeId, second.code)).status).toBe(401);
  });

  it("T23 the sixth try is refused even with the right code, in the same words as a wrong one", async () => {
    const { challengeId, code } = await exchange.askCode("five@example.org");
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await redeem(challengeId, another(code)));
    answers.push(await redeem(challengeId, code));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.body.detail.code).toBe("code_wrong");
  });

  it("C05 four wrong tries leave the right one", async () => {
    const { challengeId, code } = await exchange.askCode("four@example.org");
    for (let i = 0; i < 4; i += 1) await redeem(challengeId, another(code));
    expect((await redeem(challengeId, code)).status).toBe(200);
  });

  it("C04 a new code voids the one before", async () => {
    const first = await exchange.askCode("void@example.org");
    const second = await exchange.askCode("void@example.org");
    expect((await redeem(first.challengeId, first.code)).status).toBe(401);
    expect((await redeem(second.challengeId, second.code)).status).toBe(200);
  });

  it("T3 a stranger who asks for a code does not void the one that the account's own passkey session waits for", async () => {
    const registered = await exchange.register("own@example.org");
    const token = registered.body.access_token;
    const { challengeId, code } = await exchange.askCode("own@example.org", token);
    await exchange.askCode("own@example.org");
    const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
    const proven = await exchange.api("POST", "/api/auth", { token, body });
    expect(proven.status).toBe(200);
    const me = await exchange.api("GET", "/api/users/me", { token: proven.body.access_token });
    expect(me.body).toMatchObject({ email_verified: true, passkey_authenticated: true });
  });

  it("T25 the fourth mail in ten minutes and the eleventh of a day are not sent, and nobody can tell from the answer", async () => {
    const email = "limited@example.org";
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push(await ask(email));
    expect(answers.map(({ status, body }) => [status, Object.keys(body), body.challenge])).toEqual(
      Array.from({ length: 4 }, () => [202, ["challenge_id", "challenge"], "email"]),
    );
    expect(await mailsTo(email)).toHaveLength(3);
    for (let i = 0; i < 20; i += 1) {
      exchange.advance(11 * minuteMs);
      await ask(email);
      await settleOutbox(exchange.x);
    }
    expect(await mailsTo(email)).toHaveLength(10);
  });

  it("T25 a code that was mailed still works after a further request was not mailed", async () => {
    const email = "still@example.org";
    await ask(email);
    await ask(email);
    const third = await exchange.askCode(email);
    await ask(email);
    expect((await redeem(third.challengeId, third.code)).status).toBe(200);
  });

  it("T25 one sender's mails to many recipients are counted, an IPv6 sender by its /64", async () => {
    let answered = 0;
    for (let i = 0; i < 62; i += 1) {
      const { status } = await ask(`many-${i}@example.org`, `2001:db8:1:2:${(i + 1).toString(16)}::1`);
      if (status === 202) answered += 1;
    }
    expect(answered).toBe(62);
    await settleOutbox(exchange.x);
    await exchange.askCode("drain@example.org");
    expect(await mailsTo("many-59@example.org")).toHaveLength(1);
    expect(await mailsTo("many-60@example.org")).toHaveLength(0);
  });

  it("T23 ten wrong codes in an hour stop all guessing at one address, the right code too", async () => {
    const email = "guessed@example.org";
    for (let round = 0; round < 2; round += 1) {
      const { challengeId, code } = await exchange.askCode(email);
      for (let i = 0; i < 5; i += 1) await redeem(challengeId, another(code));
    }
    const third = await exchange.askCode(email);
    expect((await redeem(third.challengeId, third.code)).status).toBe(401);
    exchange.advance(61 * minuteMs);
    const later = await exchange.askCode(email);
    expect((await redeem(later.challengeId, later.code)).status).toBe(200);
  });

  it("T23 however an attacker spreads it over a day, at most 20 guesses at one address are looked at", async () => {
    const email = "patient@example.org";
    const guesses = async () =>
      (
        await exchange.x.db
          .select()
          .from(limitEvents)
          .where(eq(limitEvents.key, `wrong-codes:${email}`))
      ).length;
    for (let hour = 0; hour < 23; hour += 1) {
      const { challengeId, code } = await exchange.askCode(email);
      for (let i = 0; i < 6; i += 1) await redeem(challengeId, another(code));
      exchange.advance(60 * minuteMs);
    }
    expect(await guesses()).toBe(20);
  });

  it("T26 known and unknown addresses get the same answer and leave the same rows", async () => {
    const { email } = await exchange.signUp(undefined, { kyc: false });
    const known = await ask(email);
    const unknown = await ask("unknown@example.org");
    expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)]);
    const rows = await exchange.x.db.select().from(emailChallenges);
    const shape = (id: string) =>
      rows.filter((row) => row.id === id).map((row) => [row.accountId, row.codeHash?.length]);
    expect(shape(known.body.challenge_id)).toEqual(shape(unknown.body.challenge_id));
  });

  it("a code stands nowhere in plain: not with its challenge, not in the outbox", async () => {
    const failing = await createTestExchange({
      database,
      context: { mail: { send: () => Promise.reject(new Error("no mail server")) } },
    });
    await failing.api("POST", "/api/auth", {
      body: { auth_method: "email", credentials: { identifier: "plain@example.org" } },
    });
    await settleOutbox(failing.x);
    const waiting = await failing.x.db.select().from(outbox);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.attempts).toBe(1);
    expect(JSON.stringify(waiting)).not.toMatch(/plain@example|code/);
    const [challenge] = await failing.x.db.select().from(emailChallenges);
    expect(challenge?.codeHash).toHaveLength(43);
    await failing.close();
  });
});
