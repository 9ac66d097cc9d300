import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consumeCodeBudget } from "~/exchange.server/accounts/code-budgets";
import { isDeviceTokenFor, issueDeviceToken } from "~/exchange.server/accounts/device-tokens";
import { accounts, limitEvents } from "~/exchange.server/db/schema/accounts";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { TestAuthenticator } from "../../support/authenticator";
import { createTestExchange, type TestExchange, testOrigin } from "../../support/exchange";
import { forAllTests, forEachTest } from "../../support/for-tests";
import { testConfig } from "../../support/test-config";

const customer = "customer@example.org";
const newcomer = "newcomer@example.org";
const home = "198.51.100.7";
const strangersNetwork = "203.0.113.1";

/** 500 requests for codes and 500 wrong codes, half of them from one network and half from 125 others. */
describe("1,000 hostile requests about e-mail codes", { timeout: 240_000 }, () => {
  const exchange = forAllTests(() => createTestExchange({ database: "PostgreSQL" }));
  let newcomerToken: string;
  let earlier: { challengeId: string; code: string };

  beforeAll(async () => {
    await exchange.signUp(customer, { kyc: false });
    const fromHome = await requestCode(customer, { remoteAddress: home });
    expect((await redeem(fromHome, { remoteAddress: home })).status).toBe(200);
    newcomerToken = (await exchange.register(newcomer)).body.access_token;
    earlier = await requestCode(customer, { remoteAddress: "203.0.113.200" });
    await attack();
  }, 240_000);

  async function requestCode(email: string, options: { remoteAddress?: string; token?: string }) {
    const before = (await exchange.inbox.list(email)).length;
    const { status, body } = await exchange.api("POST", "/api/auth", {
      ...options,
      body: { auth_method: "email", credentials: { identifier: email } },
    });
    expect(status).toBe(202);
    await sendOutbox(exchange.ctx);
    const mails = await exchange.inbox.list(email);
    return { challengeId: body.challenge_id as string, code: mails.length > before ? (mails[0]?.code ?? "") : "" };
  }

  const redeem = (
    { challengeId, code }: { challengeId: string; code: string },
    options: { remoteAddress?: string; token?: string } = {},
  ) =>
    exchange.api("POST", "/api/auth", {
      ...options,
      body: { credentials: { challenge_id: challengeId, auth_data: { code } } },
    });

  async function attack(): Promise<void> {
    const one = async (i: number) => {
      const remoteAddress = i % 2 === 0 ? strangersNetwork : `192.0.2.${i % 250}`;
      const email = i % 4 < 2 ? customer : newcomer;
      const body = { auth_method: "email", credentials: { identifier: email } };
      const { body: challenge } = await exchange.api("POST", "/api/auth", { remoteAddress, body });
      const guess = { credentials: { challenge_id: challenge.challenge_id, auth_data: { code: "000000" } } };
      expect((await exchange.api("POST", "/api/auth", { remoteAddress, body: guess })).status).toBe(401);
    };
    for (let i = 0; i < 500; i += 25) {
      await Promise.all(Array.from({ length: 25 }, (_, j) => one(i + j)));
      await sendOutbox(exchange.ctx);
    }
  }

  it("T23 T25 leave the code that the owner requested before them valid", async () => {
    expect((await redeem(earlier)).status).toBe(200);
  });

  it("T23 T25 do not stop a signed-in owner from proving the address", async () => {
    const own = await requestCode(newcomer, { token: newcomerToken, remoteAddress: strangersNetwork });
    expect(own.code).not.toBe("");
    const proven = await redeem(own, { token: newcomerToken });
    expect(proven.status).toBe(200);
    const me = await exchange.api("GET", "/api/users/me", { token: proven.body.access_token });
    expect(me.body).toMatchObject({ email_verified: true, passkey_authenticated: true });
  });

  it("T25 do not stop a code for a network from which the owner signed in before", async () => {
    const own = await requestCode(customer, { remoteAddress: home });
    expect((await redeem(own)).status).toBe(200);
  });

  it("T23 T25 do not stop a code for a new network after 60 seconds", async () => {
    exchange.advance(60_000);
    const own = await requestCode(customer, { remoteAddress: "203.0.113.77" });
    expect((await redeem(own)).status).toBe(200);
  });

  it("T23 T25 do not stop a code for the network they came from after 60 seconds", async () => {
    exchange.advance(60_000);
    const own = await requestCode(customer, { remoteAddress: strangersNetwork });
    expect((await redeem(own)).status).toBe(200);
  });

  it("T23 T25 send few e-mails, and few of their guesses are checked", async () => {
    const codes = (await exchange.inbox.list(customer)).filter(({ code }) => code !== null);
    expect(codes.length).toBeLessThan(20);
    const retries = await exchange.ctx.db
      .select()
      .from(limitEvents)
      .where(eq(limitEvents.key, `code-retries:to:${customer}`));
    expect(retries.length).toBeLessThan(5);
  });
});

/** Repeated requests for codes at one address. No real time passes: each request says when it is made. */
describe("hostile requests for codes that continue", { timeout: 240_000 }, () => {
  const minuteMs = 60_000;
  const exchange = forAllTests(() => createTestExchange({ database: "PostgreSQL" }));
  let start: number;
  beforeAll(async () => {
    start = (await exchange.ctx.clock.now(exchange.ctx.db)).getTime();
  });

  /** Whether an e-mail is sent. */
  const request = async (email: string, remoteAddress: string, atMs: number) => {
    const now = new Date(start + atMs);
    const budget = await exchange.ctx.db.transaction((tx) =>
      consumeCodeBudget(tx, exchange.ctx, { email, account: null, deviceToken: undefined, remoteAddress, now }),
    );
    return budget !== null;
  };

  /** Requests codes from each network in turn. @returns when e-mails were sent */
  async function attack(email: string, networks: string[], { lastsMs, everyMs }: { lastsMs: number; everyMs: number }) {
    const sent: number[] = [];
    for (let at = 0; at < lastsMs; at += everyMs) {
      for (const network of networks) if (await request(email, network, at)) sent.push(at);
    }
    return sent;
  }

  const threeNetworks = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];

  it.each([
    { everyMs: 1_000, lastsMs: 100_000 },
    { everyMs: 500, lastsMs: 200_000 },
    { everyMs: 100, lastsMs: 100_000 },
  ])(
    "T25 do not stop a code for their network after 60 seconds: $lastsMs ms, one every $everyMs ms",
    async (spread) => {
      const email = `shared-${spread.everyMs}@example.org`;
      await attack(email, [strangersNetwork], spread);
      expect(await request(email, strangersNetwork, spread.lastsMs + minuteMs)).toBe(true);
    },
  );

  it("T25 do not stop a code for a third network after 60 seconds if two networks sent them for four minutes", async () => {
    const email = "third@example.org";
    const spread = { everyMs: 10_000, lastsMs: 4 * minuteMs };
    await attack(email, ["203.0.113.1", "203.0.113.2"], spread);
    expect(await request(email, "203.0.113.3", spread.lastsMs + minuteMs)).toBe(true);
  });

  it("T25 do not stop a code for another network after 60 seconds if they lasted an hour", async () => {
    const email = "elsewhere@example.org";
    const spread = { everyMs: 0.4 * minuteMs, lastsMs: 60 * minuteMs };
    await attack(email, [strangersNetwork], spread);
    expect(await request(email, home, spread.lastsMs + minuteMs)).toBe(true);
  });

  it("T25 delay a code for another network by at most 48 minutes if one network sent them for a day", async () => {
    const email = "longest@example.org";
    const sent = await attack(email, [strangersNetwork], { everyMs: 5 * minuteMs, lastsMs: 24 * 60 * minuteMs });
    expect(sent).toHaveLength(12);
    expect(await request(email, home, (sent.at(-1) ?? 0) + 48 * minuteMs)).toBe(true);
  });

  it.each([10, 60, 300])(
    "T25 delay the next code by at most 1.7 times their duration of %i minutes",
    async (minutes) => {
      const lastsMs = minutes * minuteMs;
      const spread = { everyMs: lastsMs / 150, lastsMs };
      const [one, many] = [`one-${minutes}@example.org`, `many-${minutes}@example.org`];
      await attack(one, [strangersNetwork], spread);
      await attack(many, threeNetworks, spread);
      expect(await request(one, strangersNetwork, 2.7 * lastsMs)).toBe(true);
      expect(await request(many, home, 2.7 * lastsMs)).toBe(true);
    },
  );

  it("T23 T25 send at most 15 e-mails in a day plus the ten minutes that a code is valid", async () => {
    const sent = await attack("bombed@example.org", threeNetworks, {
      everyMs: 7 * minuteMs,
      lastsMs: 50 * 60 * minuteMs,
    });
    const windowMs = (24 * 60 + 10) * minuteMs;
    const counts = sent.map((end) => sent.filter((at) => at > end - windowMs && at <= end).length);
    expect(Math.max(...counts)).toBe(15);
  });

  it("T23 T25 never use up the first attempt at a code that is sent", async () => {
    const email = "attempts@example.org";
    const redeem = (challenge_id: string, code: string) =>
      exchange.api("POST", "/api/auth", { body: { credentials: { challenge_id, auth_data: { code } } } });
    const requestFrom = async (remoteAddress: string) => {
      const before = (await exchange.inbox.list(email)).length;
      const body = { auth_method: "email", credentials: { identifier: email } };
      const { challenge_id } = (await exchange.api("POST", "/api/auth", { remoteAddress, body })).body;
      await sendOutbox(exchange.ctx);
      const mails = await exchange.inbox.list(email);
      return { id: challenge_id as string, code: mails.length > before ? (mails[0]?.code ?? null) : null };
    };
    const guess = async ({ id, code }: { id: string; code: string | null }, times: number) => {
      for (let i = 0; i < times; i += 1) await redeem(id, code === "000000" ? "000001" : "000000");
    };
    // The codes of seven minutes are guessed shortly before they expire, so the guesses count for longer than the
    // e-mails.
    const open = [];
    for (let i = 0; i < 18; i += 1) {
      for (const network of threeNetworks) open.push(await requestFrom(network));
      exchange.advance(25_000);
    }
    exchange.advance(30_000);
    for (const code of open) if (code.code !== null) await guess(code, 5);
    exchange.advance(24 * 60 * minuteMs - 10 * minuteMs);
    const statuses = [];
    for (let i = 0; i < 40; i += 1) {
      await guess(await requestFrom(strangersNetwork), 1);
      const own = await requestFrom(home);
      if (own.code !== null) statuses.push((await redeem(own.id, own.code)).status);
      exchange.advance(30_000);
    }
    expect(statuses).not.toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

/**
 * Two networks request codes for one address as often as the limits allow. The last code that their budgets have is
 * sent after four minutes, and the next three minutes after the attack, so the speed of the machine does not matter.
 */
describe("hostile requests for codes that are spread over 7.5 minutes", { timeout: 240_000 }, () => {
  const exchange = forAllTests(() => createTestExchange({ database: "PostgreSQL" }));
  let deviceToken: string;

  beforeAll(async () => {
    await exchange.signUp(customer, { kyc: false });
    const { body } = await redeem(await requestCode({ remoteAddress: home }));
    deviceToken = body.device_token;
    for (let i = 0; i < 45; i++) {
      await requestCode({ remoteAddress: home });
      await requestCode({ remoteAddress: strangersNetwork });
      exchange.advance(10_000);
    }
  }, 240_000);

  async function requestCode(options: { remoteAddress: string; deviceToken?: string; identifier?: string }) {
    const { remoteAddress, deviceToken: device_token, identifier = customer } = options;
    const before = (await exchange.inbox.list(identifier)).length;
    const body = { auth_method: "email", credentials: { identifier, device_token } };
    const response = await exchange.api("POST", "/api/auth", { remoteAddress, body });
    expect(response.status).toBe(202);
    await sendOutbox(exchange.ctx);
    const mails = await exchange.inbox.list(identifier);
    const code = mails.length > before ? (mails[0]?.code ?? null) : null;
    return { challengeId: response.body.challenge_id as string, code };
  }

  const redeem = ({ challengeId, code }: { challengeId: string; code: string | null }) =>
    exchange.api("POST", "/api/auth", {
      body: { credentials: { challenge_id: challengeId, auth_data: { code: code ?? "000000" } } },
    });

  it("T25 do not stop a code for a browser that has signed in before, even on the attacking network", async () => {
    expect((await requestCode({ remoteAddress: home })).code).toBeNull();
    expect((await redeem(await requestCode({ remoteAddress: home, deviceToken }))).status).toBe(200);
  });

  it("T25 do not lift the limit on a known browser's own requests", async () => {
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push((await requestCode({ remoteAddress: home, deviceToken })).code);
    expect(codes.map((code) => code !== null)).toEqual([true, true, false, false]);
  });

  it("T25 gain nothing with an altered token, another address's token or one that is 90 days old", async () => {
    const other = "other@example.org";
    const { body } = await redeem(await requestCode({ remoteAddress: "203.0.113.90", identifier: other }));
    // The last character has bits that decoding ignores.
    const altered = deviceToken.replace(/.(?=.{3}$)/, (character) => (character === "A" ? "B" : "A"));
    for (const device of [altered, body.device_token as string, "ad_1.x", ""]) {
      expect((await requestCode({ remoteAddress: home, deviceToken: device })).code).toBeNull();
    }
    const isAccepted = async () =>
      isDeviceTokenFor(exchange.ctx, deviceToken, customer, await exchange.ctx.clock.now(exchange.ctx.db));
    expect(await isAccepted()).toBe(true);
    exchange.advance(90 * 24 * 60 * 60_000);
    expect(await isAccepted()).toBe(false);
  });

  it("T27 do not give a token to someone who registered an address without proving it", async () => {
    const { body } = await exchange.register("unproven@example.org");
    expect(body).toHaveProperty("access_token");
    expect(body).not.toHaveProperty("device_token");
  });
});

/** One network requests codes for as many addresses as it may, and more. */
describe("hostile requests for codes to many addresses", { timeout: 240_000 }, () => {
  const perHour = 60;
  let exchange: TestExchange;
  /** Recipients, in the order in which e-mails were sent. */
  let sent: string[];

  beforeEach(async () => {
    sent = [];
    const mail = {
      async send({ to }: { to: string }) {
        sent.push(to);
      },
    };
    exchange = await createTestExchange({
      database: "PostgreSQL",
      config: { role: "web", limits: { ...testConfig.limits, codesPerSenderPerHour: perHour } },
      context: { mail },
    });
  }, 240_000);
  afterEach(() => exchange.close());

  async function request(identifier: string, options: { remoteAddress: string; token?: string; deviceToken?: string }) {
    const { deviceToken: device_token, ...call } = options;
    const body = { auth_method: "email", credentials: { identifier, device_token } };
    expect((await exchange.api("POST", "/api/auth", { ...call, body })).status).toBe(202);
  }

  async function attack(): Promise<void> {
    for (let i = 0; i < perHour + 20; i += 1) {
      await request(`stranger-${i}@example.net`, { remoteAddress: strangersNetwork });
    }
  }

  it("T25 do not stop a code for the network they came from after 60 seconds", async () => {
    await attack();
    exchange.advance(60_000);
    await request(newcomer, { remoteAddress: strangersNetwork });
    await sendOutbox(exchange.ctx);
    expect(sent).toContain(newcomer);
  });

  it("T25 send few e-mails while they continue", async () => {
    const readClock = async () => (await exchange.ctx.clock.now(exchange.ctx.db)).getTime();
    const began = await readClock();
    await attack();
    for (let i = 0; i < 60; i += 1) {
      await request(`later-${i}@example.net`, { remoteAddress: strangersNetwork });
      exchange.advance(1_000);
    }
    for (let i = 0; i < 3; i += 1) await sendOutbox(exchange.ctx);
    // The exchange's clock runs on while the test runs.
    expect(sent.length).toBeLessThanOrEqual(perHour + ((await readClock()) - began) / 5_000);
    expect(sent.length).toBeGreaterThan(perHour + 8);
  });

  it("T23 T25 do not stop another account from confirming its address if accounts of its network sent them", async () => {
    const token = (await exchange.register(newcomer)).body.access_token;
    const hostile = [];
    for (let i = 0; i < 25; i += 1) {
      const email = `hostile-${i}@example.net`;
      hostile.push({ email, token: (await exchange.register(email)).body.access_token });
    }
    for (let round = 0; round < 6; round += 1) {
      if (round >= 3) exchange.advance(46_000);
      for (const { email, token } of hostile) await request(email, { remoteAddress: strangersNetwork, token });
    }
    await request(newcomer, { remoteAddress: strangersNetwork, token });
    await sendOutbox(exchange.ctx);
    expect(sent).toContain(newcomer);
  });

  it("T25 delay neither the owner's codes nor codes for other networks", async () => {
    await attack();
    await request("elsewhere@example.org", { remoteAddress: home });
    const deviceToken = issueDeviceToken(exchange.ctx, customer, await exchange.ctx.clock.now(exchange.ctx.db));
    await request(customer, { remoteAddress: strangersNetwork, deviceToken });
    await sendOutbox(exchange.ctx);
    expect(sent.slice(0, 5)).toContain(customer);
    expect(sent.slice(0, 10)).toContain("elsewhere@example.org");
  });

  it("T25 do not delay notices about the security of an account", async () => {
    const { refresh_token } = (await exchange.register(customer)).body;
    const { db, clock } = exchange.ctx;
    await db
      .update(accounts)
      .set({ emailVerifiedAt: await clock.now(db) })
      .where(eq(accounts.email, customer));
    const refresh = () => exchange.api("POST", "/api/auth/refresh", { body: { refresh_token } });
    expect((await refresh()).status).toBe(200);
    exchange.advance(60_000);
    expect((await refresh()).status, "used again, which ends the session").toBe(401);
    for (let i = 0; i < 20; i += 1) await request(`stranger-${i}@example.net`, { remoteAddress: `192.0.2.${i}` });
    await sendOutbox(exchange.ctx);
    expect(sent.slice(0, 5)).toContain(customer);
  });

  it("T25 the notices of an account whose settings change all the time do not delay another's code", async () => {
    const { access_token: token } = (await exchange.register(customer)).body;
    const { db, clock } = exchange.ctx;
    await db
      .update(accounts)
      .set({ emailVerifiedAt: await clock.now(db) })
      .where(eq(accounts.email, customer));
    for (let i = 0; i < 20; i += 1) {
      const body = { refunded: i % 2 === 1 };
      expect((await exchange.api("PATCH", "/api/users/me/mail-preferences", { token, body })).status).toBe(200);
    }
    for (let i = 0; i < 15; i += 1) expect((await exchange.register(customer, { token })).status).toBe(200);
    await request(newcomer, { remoteAddress: home });
    await sendOutbox(exchange.ctx);
    expect(sent.length).toBeGreaterThan(20);
    // The first ten notices of an hour are urgent.
    expect(sent.slice(0, 15)).toContain(newcomer);
  });

  it("T25 do not delay codes for other networks if newly registered accounts sent them", async () => {
    for (let i = 0; i < 20; i += 1) {
      const email = `hostile-${i}@example.net`;
      const token = (await exchange.register(email)).body.access_token;
      for (let j = 0; j < 3; j += 1) await request(email, { remoteAddress: strangersNetwork, token });
    }
    await request(newcomer, { remoteAddress: home });
    await sendOutbox(exchange.ctx);
    expect(sent.slice(0, 5)).toContain(newcomer);
  });

  it("T25 delay a new code for their network less than those requested before it", async () => {
    for (let i = 0; i < 30; i += 1) {
      await request(`stranger-${i}@example.net`, { remoteAddress: strangersNetwork });
    }
    exchange.advance(1_000);
    await request(newcomer, { remoteAddress: strangersNetwork });
    await sendOutbox(exchange.ctx);
    expect(sent.slice(0, 5)).toContain(newcomer);
  });
});

/** Someone registers an address that is not theirs, requests codes, deletes the account and starts again. */
describe("an address that a stranger registers again and again", { timeout: 240_000 }, () => {
  const exchange = forEachTest(() => createTestExchange({ database: "PostgreSQL" }));

  const request = (options: { remoteAddress: string; token?: string }) =>
    exchange.api("POST", "/api/auth", {
      ...options,
      body: { auth_method: "email", credentials: { identifier: customer } },
    });
  const redeem = (challenge_id: string, code: string) =>
    exchange.api("POST", "/api/auth", { body: { credentials: { challenge_id, auth_data: { code } } } });
  const readCodes = async () => {
    await sendOutbox(exchange.ctx);
    return (await exchange.inbox.list(customer)).flatMap(({ code }) => code ?? []);
  };

  async function registerAndDelete(beforeDeletion = async (_token: string) => {}): Promise<void> {
    const token = (await exchange.register(customer)).body.access_token;
    await beforeDeletion(token);
    const deletion = { token, body: { confirm: "delete my account" } };
    expect((await exchange.api("POST", "/api/users/me/deletion", deletion)).status).toBe(204);
  }

  it("T23 T25 gets six e-mails in ten registrations, even though each requests three codes", async () => {
    for (let round = 0; round < 10; round += 1) {
      await registerAndDelete(async (token) => {
        for (let i = 0; i < 3; i += 1) {
          await request({ token, remoteAddress: strangersNetwork });
          // A code that has not been sent yet is replaced by the next one.
          await sendOutbox(exchange.ctx);
        }
      });
    }
    expect(await readCodes()).toHaveLength(6);
  });

  it("T23 keeps the codes and registrations of its owner", async () => {
    const { body: own } = await request({ remoteAddress: home });
    const [code = ""] = await readCodes();
    const authenticator = new TestAuthenticator(testOrigin);
    const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier: customer } });
    const attestation = authenticator.create(began.body.options);
    await registerAndDelete();
    const body = { identifier: customer, challenge_id: began.body.challenge_id, attestation };
    expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { body })).status).toBe(200);
    expect((await redeem(own.challenge_id, code)).status).toBe(200);
  });
});
