import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { redeemEmailCode } from "~/exchange.server/accounts/email-codes";
import { purgeExpired } from "~/exchange.server/accounts/purge-expired";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { accounts, emailChallenges, knownNetworks, limitEvents } from "~/exchange.server/db/schema/accounts";
import { outbox } from "~/exchange.server/db/schema/mail";
import { createApi } from "~/exchange.server/http/app";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { TestAuthenticator } from "../../support/authenticator";
import { countStatements } from "../../support/count-statements";
import { type ApiResponse, createTestExchange, testOrigin } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { testConfig } from "../../support/test-config";

const minuteMs = 60_000;

describe("e-mail codes", () => {
  const exchange = forAllTests(() => createTestExchange({ database: "PostgreSQL" }));

  const redeem = (challenge_id: string, code: string) =>
    exchange.api("POST", "/api/auth", { body: { credentials: { challenge_id, auth_data: { code } } } });
  const request = (identifier: string, remoteAddress?: string) =>
    exchange.api("POST", "/api/auth", { remoteAddress, body: { auth_method: "email", credentials: { identifier } } });
  const mailsTo = async (email: string) => {
    await sendOutbox(exchange.ctx);
    return exchange.inbox.list(email);
  };
  /** A request's response, and how many statements and transactions it took. */
  const countWork = async (identifier: string) => {
    const counted = countStatements(exchange.ctx);
    const body = JSON.stringify({ auth_method: "email", credentials: { identifier } });
    const headers = { "Content-Type": "application/json" };
    const response = await createApi(counted.ctx).fetch(
      new Request(`${testOrigin}/api/auth`, { method: "POST", headers, body }),
    );
    await counted.settle();
    const { statements, transactions } = counted;
    return [
      { status: response.status, body: await response.json() },
      { statements, transactions },
    ] as const;
  };
  const toWrong = (code: string) => (code === "123456" ? "654321" : "123456");

  it("C05 a code works once, within 10 minutes, with its own challenge", async () => {
    const first = await exchange.requestCode("once@example.org");
    expect(first.code).toMatch(/^[0-9]{6}$/);
    expect((await redeem("AAAAAAAAAAAAAAAAAAAAAA", first.code)).status).toBe(401);
    expect((await redeem(first.challengeId, first.code)).status).toBe(200);
    expect((await redeem(first.challengeId, first.code)).status).toBe(401);
    const second = await exchange.requestCode("once@example.org");
    exchange.advance(10 * minuteMs + 1_000);
    expect((await redeem(second.challengeId, second.code)).status).toBe(401);
  });

  it("T33 signs in with an address in an international domain, however the domain is spelled", async () => {
    const canonical = "ada@xn--mnchen-3ya.example";
    for (const identifier of ["Ada@MÜNCHEN.example", canonical]) {
      const { body } = await request(identifier);
      const [mail] = await mailsTo(canonical);
      expect((await redeem(body.challenge_id, mail?.code ?? "")).status, identifier).toBe(200);
    }
    const found = await exchange.ctx.db.select().from(accounts).where(eq(accounts.email, canonical));
    expect(found).toHaveLength(1);
  });

  it("T23 refuses the sixth attempt even with the correct code, with the same error as a wrong code", async () => {
    const { challengeId, code } = await exchange.requestCode("five@example.org");
    const responses = [];
    for (let i = 0; i < 5; i += 1) responses.push(await redeem(challengeId, toWrong(code)));
    responses.push(await redeem(challengeId, code));
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(responses[0]?.body.detail.code).toBe("code_wrong");
  });

  it("C05 accepts the correct code after four wrong ones", async () => {
    const { challengeId, code } = await exchange.requestCode("four@example.org");
    for (let i = 0; i < 4; i += 1) await redeem(challengeId, toWrong(code));
    expect((await redeem(challengeId, code)).status).toBe(200);
  });

  it("C04 several codes may be open at once, and each works with its own challenge only", async () => {
    const first = await exchange.requestCode("several@example.org");
    const second = await exchange.requestCode("several@example.org");
    expect(second.challengeId).not.toBe(first.challengeId);
    if (first.code !== second.code) {
      expect((await redeem(first.challengeId, second.code)).status).toBe(401);
      expect((await redeem(second.challengeId, first.code)).status).toBe(401);
    }
    expect((await redeem(second.challengeId, second.code)).status).toBe(200);
    expect((await redeem(first.challengeId, first.code)).status).toBe(200);
  });

  it("T3 a stranger's request for a code does not replace the one requested by the account's passkey session", async () => {
    const registered = await exchange.register("own@example.org");
    const token = registered.body.access_token;
    const { challengeId, code } = await exchange.requestCode("own@example.org", token);
    await exchange.requestCode("own@example.org");
    const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
    const verified = await exchange.api("POST", "/api/auth", { token, body });
    expect(verified.status).toBe(200);
    const me = await exchange.api("GET", "/api/users/me", { token: verified.body.access_token });
    expect(me.body).toMatchObject({ email_verified: true, passkey_authenticated: true });
  });

  it("T25 sends few e-mails at once and per day for a new network, without showing it in the response", async () => {
    const email = "limited@example.org";
    const responses = [];
    for (let i = 0; i < 4; i += 1) {
      responses.push(await request(email));
      // A code that has not been sent yet is replaced by the next one.
      await sendOutbox(exchange.ctx);
    }
    expect(responses.map(({ status, body }) => [status, Object.keys(body), body.challenge])).toEqual(
      Array.from({ length: 4 }, () => [202, ["challenge_id", "challenge"], "email"]),
    );
    expect(await mailsTo(email)).toHaveLength(3);
    for (let i = 0; i < 45; i += 1) {
      exchange.advance(31 * minuteMs);
      await request(email);
      await sendOutbox(exchange.ctx);
    }
    expect(await mailsTo(email)).toHaveLength(12);
  });

  it("T25 a code still works after a later request was over the limit", async () => {
    const email = "still@example.org";
    await request(email);
    await request(email);
    const third = await exchange.requestCode(email);
    await request(email);
    expect((await redeem(third.challengeId, third.code)).status).toBe(200);
  });

  it("T25 limits the e-mails one visitor can cause to many recipients, counting an IPv6 visitor by /56", async () => {
    let accepted = 0;
    for (let i = 0; i < 62; i += 1) {
      const { status } = await request(`many-${i}@example.org`, `2001:db8:1:${(i + 1).toString(16)}::1`);
      if (status === 202) accepted += 1;
    }
    expect(accepted).toBe(62);
    await sendOutbox(exchange.ctx);
    await exchange.requestCode("drain@example.org");
    expect(await mailsTo("many-59@example.org")).toHaveLength(1);
    expect(await mailsTo("many-60@example.org")).toHaveLength(0);
  });

  it("T25 limits the e-mails to all aliases of a mailbox together, but not to its main address", async () => {
    const perDay = 2;
    const limits = { ...testConfig.limits, codesPerRecipientPerDay: perDay };
    const limited = await createTestExchange({ database: "PostgreSQL", config: { limits } });
    try {
      const countMails = async (email: string) => {
        const token = (await limited.register(email)).body.access_token;
        await limited.api("POST", "/api/auth", {
          token,
          body: { auth_method: "email", credentials: { identifier: email } },
        });
        await sendOutbox(limited.ctx);
        return (await limited.inbox.list(email)).length;
      };
      for (let i = 0; i < 10 * perDay; i += 1) expect(await countMails(`alias+${i}@example.org`)).toBe(1);
      expect(await countMails("alias+another@example.org")).toBe(0);
      expect(await countMails("alias@example.org")).toBe(1);
    } finally {
      await limited.close();
    }
  });

  it("T23 does not hold a connection while it hashes a wrong code", async ({ onTestFinished }) => {
    // PGlite has only one connection.
    const { ctx, requestCode, close } = await createTestExchange({ database: "PGlite" });
    onTestFinished(close);
    const { challengeId, code } = await requestCode("burst@example.org");
    const finished: string[] = [];
    const guesses = Array.from({ length: 50 }, async () => {
      const entered = { challengeId, code: toWrong(code), remoteAddress: undefined };
      const guess = redeemEmailCode(ctx, entered, () => Promise.reject(new Error("redeemed")));
      await expect(guess).rejects.toMatchObject({ code: "code_wrong" });
      finished.push("guess");
    });
    const other = ctx.db.select().from(limitEvents).limit(1);
    await Promise.all([...guesses, other.then(() => finished.push("other"))]);
    expect(finished[0]).toBe("other");
  });

  it.each([
    ["signing in", "t14-signing-in@example.org"],
    ["deleting an account", "t14-deleting@example.org"],
  ] as const)("T14 lets networks take turns while codes for %s are hashed", async (use, email) => {
    const count = 40;
    const config = { codeHashCost: 2 ** 14 };
    const busy = await createTestExchange({ database: exchange.database, config });
    const code = "123456";
    const signIn = (remoteAddress: string) => {
      const credentials = { challenge_id: "AAAAAAAAAAAAAAAAAAAAAA", auth_data: { code } };
      return busy.api("POST", "/api/auth", { remoteAddress, body: { credentials } });
    };
    const { token } = await busy.signUp(email, { kyc: false });
    const erase = (remoteAddress: string) => {
      const proof = { challenge_id: randomBytes(16).toString("base64url"), code };
      return busy.api("POST", "/api/users/me/deletion", {
        ...{ token, remoteAddress },
        body: { confirm: "delete my account", proof },
      });
    };
    const guess = use === "signing in" ? signIn : erase;
    const responses: ApiResponse[] = [];
    const countHashed = () => responses.filter(({ status }) => status === 401).length;
    const burst = Array.from({ length: count }, async () => responses.push(await guess("198.51.100.92")));
    // By now, the other codes wait to be hashed.
    await Promise.race(burst);
    expect((await signIn("198.51.100.93")).status).toBe(401);
    const hashedBefore = countHashed();
    await Promise.all(burst);
    expect(countHashed()).toBe(count);
    expect(hashedBefore).toBeLessThan(count / 2);
  });

  it("T23 wrong codes for other challenges do not shut out the correct code", async () => {
    const email = "guessed@example.org";
    const own = await exchange.requestCode(email);
    for (let round = 0; round < 2; round += 1) {
      const { challengeId, code } = await exchange.requestCode(email);
      for (let i = 0; i < 5; i += 1) await redeem(challengeId, toWrong(code));
    }
    expect((await redeem(own.challengeId, own.code)).status).toBe(200);
    exchange.advance(minuteMs);
    const later = await exchange.requestCode(email);
    expect((await redeem(later.challengeId, later.code)).status).toBe(200);
  });

  /** How many attempts at codes of a budget were compared with the code. */
  const countChecked = async (budget: string) => {
    const { db } = exchange.ctx;
    const sent = await db.select().from(emailChallenges).where(eq(emailChallenges.budget, budget));
    const retries = await db
      .select()
      .from(limitEvents)
      .where(eq(limitEvents.key, `code-retries:${budget}`));
    return sent.filter(({ tries }) => tries > 0).length + retries.length;
  };

  it("T23 checks fewer than 20 guesses per address and day, however many networks they come from", async () => {
    const email = "patient@example.org";
    for (let i = 0; i < 90; i += 1) {
      const { body } = await request(email, `192.0.2.${i}`);
      for (let attempt = 0; attempt < (i < 3 ? 5 : 2); attempt += 1) await redeem(body.challenge_id, "000000");
      exchange.advance(15 * minuteMs);
    }
    expect(await countChecked(`to:${email}`)).toBe(19);
  });

  it("T23 checks 200 wrong codes a day from one network, over all addresses, then one every five minutes", async () => {
    const network = "198.51.100.90";
    const enter = async (code: { challengeId: string; code: string }, remoteAddress: string) => {
      const body = { credentials: { challenge_id: code.challengeId, auth_data: { code: code.code } } };
      return (await exchange.api("POST", "/api/auth", { remoteAddress, body })).status;
    };
    const guess = async (email: string, remoteAddress = network) => {
      const sent = await exchange.requestCode(email);
      return enter({ ...sent, code: toWrong(sent.code) }, remoteAddress);
    };
    const enterRight = async (email: string, remoteAddress: string) =>
      enter(await exchange.requestCode(email), remoteAddress);
    const countGuesses = () => exchange.ctx.db.$count(limitEvents, eq(limitEvents.key, `wrong-codes-by:${network}`));
    const { db, clock } = exchange.ctx;
    const at = await clock.now(db);
    await db
      .insert(limitEvents)
      .values(Array.from({ length: 198 }, (_, i) => ({ id: `guess-${i}`, key: `wrong-codes-by:${network}`, at })));

    expect(await enterRight("right@example.org", network)).toBe(200);
    expect(await countGuesses(), "correct codes do not count").toBe(198);
    expect([await guess("victim-1@example.org"), await guess("victim-2@example.org")]).toEqual([401, 401]);
    const refused = await exchange.requestCode("victim-3@example.org");
    expect(await enter(refused, network), "it is not checked").toBe(401);
    expect(await enter(refused, "198.51.100.91"), "from another network").toBe(200);
    const { body } = await request("right@example.org", network);
    const [mail] = await mailsTo("right@example.org");
    const known = { challengeId: body.challenge_id, code: mail?.code ?? "" };
    expect(await enter(known, network), "the address has signed in from the network").toBe(200);
    expect(await countGuesses()).toBe(200);

    exchange.advance(5 * minuteMs + 1_000);
    expect(await enterRight("later@example.org", network)).toBe(200);
    expect(await guess("victim-4@example.org")).toBe(401);
    expect(await enterRight("victim-5@example.org", network)).toBe(401);
    expect(await countGuesses()).toBe(201);
  });

  it("T23 T26 says that codes may not be checked on a network with too many wrong ones, whatever the address", async () => {
    const network = "198.51.100.92";
    const enter = async ({ challengeId, code }: { challengeId: string; code: string }, remoteAddress = network) => {
      const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
      const response = await exchange.api("POST", "/api/auth", { remoteAddress, body });
      return response.status === 200 ? "signed in" : response.body.detail;
    };
    const wrong = { code: "code_wrong", message: "This code is wrong or has expired." };
    const known = "known-here@example.org";
    expect(await enter(await exchange.requestCode(known))).toBe("signed in");
    const atHome = async () => {
      const { body } = await request(known, network);
      const [mail] = await mailsTo(known);
      return { challengeId: body.challenge_id as string, code: toWrong(mail?.code ?? "") };
    };
    expect(await enter(await atHome())).toEqual(wrong);
    const at = await exchange.ctx.clock.now(exchange.ctx.db);
    const key = `wrong-codes-by:${network}`;
    await exchange.ctx.db
      .insert(limitEvents)
      .values(Array.from({ length: 200 }, (_, i) => ({ id: `shared-${i}`, key, at })));

    const unchecked = {
      code: "code_wrong",
      message: expect.stringMatching(/so we may not have checked this one\. Use a passkey, or .* another network/),
    };
    const own = await exchange.requestCode("behind-nat@example.org");
    for (let i = 0; i < 6; i += 1) expect(await enter(own)).toEqual(unchecked);
    expect(await enter(await atHome()), "a wrong code that was checked").toEqual(unchecked);
    expect(await enter({ challengeId: "AAAAAAAAAAAAAAAAAAAAAA", code: "123456" })).toEqual(unchecked);
    expect(await enter({ ...own, code: toWrong(own.code) }, "198.51.100.93")).toEqual(wrong);
    expect(await enter(own, "198.51.100.93"), "its attempts are not used up").toBe("signed in");
  });

  it("T23 alerts an operator when many wrong codes are entered", async () => {
    const job = createJobs(exchange.ctx).find(({ name }) => name === "watch-codes");
    const watch = async () => {
      await job?.run();
      return (await listAlerts(exchange.ctx.db)).filter(({ subject }) => subject === "codes");
    };
    exchange.advance(2 * 60 * minuteMs);
    expect(await watch()).toEqual([]);
    const { db, clock } = exchange.ctx;
    const at = await clock.now(db);
    const events = Array.from({ length: 100 }, (_, i) => ({
      id: `hour-${i}`,
      key: `wrong-codes-by:192.0.2.${i % 2}`,
      at,
    }));
    await db.insert(limitEvents).values(events.slice(1));
    expect(await watch()).toEqual([]);
    await db.insert(limitEvents).values(events.slice(0, 1));
    expect(await watch()).toMatchObject([
      { reason: expect.stringMatching(/^100 wrong e-mail codes were entered in the last hour, from 2 networks\./) },
    ]);
    exchange.advance(61 * minuteMs);
    expect(await watch()).toEqual([]);
  });

  it("T23 limits wrong codes in the budget of a passkey session, too", async () => {
    const email = "own-mistakes@example.org";
    const token = (await exchange.register(email)).body.access_token;
    for (let i = 0; i < 12; i += 1) {
      const { challengeId, code } = await exchange.requestCode(email, token);
      for (let attempt = 0; attempt < 5; attempt += 1) await redeem(challengeId, toWrong(code));
      exchange.advance(11 * minuteMs);
    }
    expect(await countChecked(`claim:${email}`)).toBeLessThan(15);
  });

  it("T25 T27 stores a hash of networks that sign in, for 90 days, but not for an unverified account", async () => {
    const email = "networks@example.org";
    const remoteAddress = "198.51.100.20";
    const networks = () => exchange.ctx.db.select().from(knownNetworks).where(eq(knownNetworks.email, email));
    const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier: email } });
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const registered = { identifier: email, challenge_id: began.body.challenge_id, attestation };
    const response = await exchange.api("POST", "/api/auth/passkey/register/verify", {
      remoteAddress,
      body: registered,
    });
    expect([response.status, await networks()]).toEqual([200, []]);

    const { challengeId, code } = await exchange.requestCode(email);
    const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
    expect((await exchange.api("POST", "/api/auth", { remoteAddress, body })).status).toBe(200);
    const stored = await networks();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(remoteAddress);
    exchange.advance(91 * 24 * 60 * minuteMs);
    await purgeExpired(exchange.ctx);
    expect(await networks()).toEqual([]);
  });

  it("T26 known and unknown addresses get the same response, the same rows and the same work", async () => {
    const { email } = await exchange.signUp(undefined, { kyc: false });
    const [known, ofKnown] = await countWork(email);
    const [unknown, ofUnknown] = await countWork("unknown@example.org");
    expect(ofKnown.statements).toBeGreaterThan(2);
    expect(ofUnknown).toEqual(ofKnown);
    expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)]);
    const rows = await exchange.ctx.db.select().from(emailChallenges);
    const shape = (id: string) =>
      rows.filter((row) => row.id === id).map((row) => [row.accountId, row.codeHash?.length]);
    expect(shape(known.body.challenge_id)).toEqual(shape(unknown.body.challenge_id));
  });

  it("never stores a code in plain text, neither with its challenge nor in the outbox", async () => {
    const failing = await createTestExchange({
      database: "PostgreSQL",
      context: { mail: { send: () => Promise.reject(new Error("no mail server")) } },
    });
    await failing.api("POST", "/api/auth", {
      body: { auth_method: "email", credentials: { identifier: "plain@example.org" } },
    });
    await sendOutbox(failing.ctx);
    const waiting = await failing.ctx.db.select().from(outbox);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.attempts).toBe(1);
    expect(JSON.stringify(waiting)).not.toMatch(/plain@example|code/);
    const [challenge] = await failing.ctx.db.select().from(emailChallenges);
    expect(challenge?.codeHash).toHaveLength(43);
    await failing.close();
  });
});
