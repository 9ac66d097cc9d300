import { type AddressInfo, createServer, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import pino from "pino";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { DbNotifications } from "~/exchange.server/db/notifications";
import { claimDue } from "~/exchange.server/db/queue";
import { outbox } from "~/exchange.server/db/schema/mail";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { createWorkers } from "~/exchange.server/jobs/workers";
import { codeMail } from "~/exchange.server/mail/messages/account";
import { sendOutbox, startSending, stopOutbox } from "~/exchange.server/mail/outbox";
import { queueMail } from "~/exchange.server/mail/queue-mail";
import { renderEmail } from "~/exchange.server/mail/render";
import { createSmtpSender } from "~/exchange.server/mail/smtp";
import { deferred } from "../../support/deferred";
import { createTestExchange } from "../../support/exchange";
import { testDatabases } from "../../support/test-database";

const terms = { minutes: 10, host: "antelope.example" };

type Received = { from: string; to: string[]; raw: string };

/** A real SMTP server on the loopback interface. It refuses the first `refuse` e-mails with a temporary error. */
async function startSmtp(refuse = 0) {
  const received: Received[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refused < refuse) {
          refused += 1;
          done(Object.assign(new Error("try again later"), { responseCode: 451 }));
          return;
        }
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : "";
        received.push({
          from,
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  let connections = 0;
  server.server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    connections: () => connections,
    open: () => server.connections.size,
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

describe("e-mail over a real SMTP server", () => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function start(refuse = 0) {
    const smtp = await startSmtp(refuse);
    const sender = createSmtpSender(smtp.url, "Antelope <no-reply@antelope.example>");
    cleanups.push(smtp.stop, () => sender.close());
    return { smtp, sender };
  }

  it("C04 sends the code to its recipient only, as text and HTML, with plain headers", async () => {
    const { smtp, sender } = await start();
    const exchange = await createTestExchange({ context: { mail: sender } });
    cleanups.push(() => exchange.close());
    await exchange.api("POST", "/api/auth", {
      body: { auth_method: "email", credentials: { identifier: "Ada@Example.org" } },
    });
    await sendOutbox(exchange.ctx);
    expect(smtp.received).toHaveLength(1);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: "no-reply@antelope.example", to: ["ada@example.org"] });
    expect(mail?.raw).toMatch(/^Subject: [0-9]{6} is your Antelope code\r$/m);
    expect(mail?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(mail?.raw.match(/^Content-Type: text\/\w+/gm)).toEqual([
      "Content-Type: text/plain",
      "Content-Type: text/html",
    ]);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).not.toMatch(/https?:\/\//);
    expect(await exchange.ctx.db.select().from(outbox)).toEqual([]);
  });

  it("retries a refused e-mail later, and it arrives once", async () => {
    const { smtp, sender } = await start(1);
    const exchange = await createTestExchange({ context: { mail: sender } });
    cleanups.push(() => exchange.close());
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    await queueMail(exchange.ctx.db, exchange.ctx, codeMail("ada@example.org", "123456", terms), { now });
    expect(await sendOutbox(exchange.ctx)).toBe(0);
    expect(await sendOutbox(exchange.ctx), "not immediately").toBe(0);
    exchange.advance(6_000);
    expect(await sendOutbox(exchange.ctx)).toBe(1);
    expect(smtp.received).toHaveLength(1);
  });

  it("sends an e-mail a second time with the same id and date", async () => {
    const { smtp, sender } = await start();
    const mail = renderEmail(codeMail("ada@example.org", "123456", terms), null);
    const queued = { ...mail, id: "f47ac10b", queuedAt: new Date("2026-01-02T03:04:05Z") };
    await sender.send(queued);
    await sender.send(queued);
    for (const { raw } of smtp.received) {
      expect(raw).toMatch(/^Message-ID: <f47ac10b@antelope\.example>\r$/m);
      expect(raw).toMatch(/^Date: Fri, 02 Jan 2026 03:04:05 \+0000\r$/m);
      expect(raw).toMatch(/^Auto-Submitted: /m);
    }
    await sender.send({ ...queued, allowsAutoReply: true });
    expect(smtp.received).toHaveLength(3);
    expect(smtp.received[2]?.raw).not.toContain("Auto-Submitted");
  });

  it("alerts an operator while e-mails cannot be sent for ten minutes", async () => {
    const { sender } = await start(4);
    const exchange = await createTestExchange({ context: { mail: sender } });
    cleanups.push(() => exchange.close());
    const { ctx } = exchange;
    const mail = codeMail("ada@example.org", "123456", terms);
    await queueMail(ctx.db, ctx, mail, { now: await ctx.clock.now(ctx.db) });
    const listSubjects = async () => (await listAlerts(ctx.db)).map(({ subject }) => subject);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await sendOutbox(ctx);
      expect(await listSubjects()).toEqual([]);
      exchange.advance(250_000);
    }
    exchange.advance(400_000);
    await sendOutbox(ctx);
    expect(await listAlerts(ctx.db)).toMatchObject([{ subject: "mail", reason: expect.stringContaining("451") }]);
    exchange.advance(600_000);
    expect(await sendOutbox(ctx)).toBe(1);
    expect(await listSubjects()).toEqual([]);
  });

  it("alerts an operator until an e-mail is sent, even if only codes wait, which expire", async () => {
    let isDown = true;
    const mail = {
      send: async () => {
        if (isDown) throw Object.assign(new Error("no"), { code: "ECONNECTION" });
      },
    };
    const exchange = await createTestExchange({ context: { mail }, config: { codeTtlMs: 120_000 } });
    cleanups.push(() => exchange.close());
    const { ctx } = exchange;
    // As after a restart, or in another process.
    const send = () => sendOutbox({ ...ctx });
    const listSubjects = async () => (await listAlerts(ctx.db)).map(({ subject }) => subject);
    const request = async () => {
      const body = { auth_method: "email", credentials: { identifier: "ada@example.org" } };
      await exchange.api("POST", "/api/auth", { body });
      await sendOutbox(ctx);
    };
    const start = await ctx.clock.now(ctx.db);
    await request();
    /** As often as the job runs without work. */
    const runFor = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 30_000) {
        exchange.advance(30_000);
        await send();
      }
    };
    await runFor(180_000);
    expect(await ctx.db.select().from(outbox)).toEqual([]);
    await runFor(390_000);
    expect(await listSubjects(), "not sent for less than ten minutes").toEqual([]);
    await runFor(60_000);
    const [alert] = await listAlerts(ctx.db);
    expect(alert).toMatchObject({ subject: "mail", reason: expect.stringContaining("(ECONNECTION)") });
    const since = Date.parse(/since (\S+)/.exec(alert?.reason ?? "")?.[1] ?? "");
    expect(Math.abs(since - start.getTime())).toBeLessThan(30_000);
    exchange.advance(3_600_000);
    await send();
    expect(await listSubjects()).toEqual(["mail"]);
    isDown = false;
    await request();
    expect(await listSubjects()).toEqual([]);
  });

  it("alerts an operator if the mail server refuses many recipients, but not if it refuses one", async () => {
    const refusal = Object.assign(new Error("no"), { code: "EENVELOPE", command: "RCPT TO", responseCode: 550 });
    const exchange = await createTestExchange({ context: { mail: { send: () => Promise.reject(refusal) } } });
    cleanups.push(() => exchange.close());
    const { ctx } = exchange;
    const waitAndSend = async () => {
      exchange.advance(16 * 60_000);
      await sendOutbox(ctx);
      return (await listAlerts(ctx.db)).map(({ subject }) => subject);
    };
    const queue = async (to: string) =>
      queueMail(ctx.db, ctx, codeMail(to, "123456", terms), { now: await ctx.clock.now(ctx.db) });
    await queue("ada@example.org");
    await sendOutbox(ctx);
    expect(await waitAndSend()).toEqual([]);
    await queue("ben@example.org");
    await queue("eve@example.org");
    await sendOutbox(ctx);
    expect(await waitAndSend()).toEqual(["mail"]);
  });

  it.each([
    ["RCPT TO", 550, 3],
    ["DATA", 554, 3],
    ["RCPT TO", 450, 5],
    ["MAIL FROM", 550, 5],
    ["AUTH PLAIN", 535, 5],
  ])(
    "tries an e-mail less often after three tries only if its recipient or content is refused: %s %i",
    async (command, responseCode, tries) => {
      let tried = 0;
      const mail = {
        send: async () => {
          tried += 1;
          throw Object.assign(new Error("no"), { command, responseCode });
        },
      };
      const exchange = await createTestExchange({ context: { mail } });
      cleanups.push(() => exchange.close());
      const { ctx } = exchange;
      await queueMail(ctx.db, ctx, codeMail("ada@example.org", "123456", terms), { now: await ctx.clock.now(ctx.db) });
      for (let run = 0; run < 5; run += 1) {
        await sendOutbox(ctx);
        exchange.advance(601_000);
      }
      expect(tried).toBe(tries);
      exchange.advance(3_600_000);
      await sendOutbox(ctx);
      expect(tried).toBe(tries + 1);
      expect(await ctx.db.select().from(outbox)).toHaveLength(1);
    },
  );

  it("drops an expired e-mail instead of sending it late", async () => {
    const { smtp, sender } = await start();
    const exchange = await createTestExchange({ context: { mail: sender } });
    cleanups.push(() => exchange.close());
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    await queueMail(exchange.ctx.db, exchange.ctx, codeMail("ada@example.org", "123456", terms), {
      now,
      ttlMs: 60_000,
    });
    exchange.advance(61_000);
    expect(await sendOutbox(exchange.ctx)).toBe(0);
    expect(smtp.received).toEqual([]);
    expect(await exchange.ctx.db.select().from(outbox)).toEqual([]);
  });

  it("C04 sends only the newest code that a network requested for an address while e-mails could not leave", async () => {
    const { smtp, sender } = await start(3);
    const exchange = await createTestExchange({ context: { mail: sender } });
    cleanups.push(() => exchange.close());
    const request = async (remoteAddress: string) => {
      const body = { auth_method: "email", credentials: { identifier: "ada@example.org" } };
      const response = await exchange.api("POST", "/api/auth", { remoteAddress, body });
      await sendOutbox(exchange.ctx);
      return response.body.challenge_id;
    };
    const challenges = {
      older: await request("192.0.2.1"),
      ofAnother: await request("198.51.100.1"),
      newest: await request("192.0.2.1"),
    };
    expect(smtp.received).toEqual([]);
    exchange.advance(31_000);
    expect(await sendOutbox(exchange.ctx)).toBe(2);
    const signIn = async (challenge_id: string) => {
      const codes = smtp.received.map(({ raw }) => /^Subject: (\d{6})/m.exec(raw)?.[1]);
      const tries = [];
      for (const code of codes) {
        const body = { credentials: { challenge_id, auth_data: { code } } };
        tries.push((await exchange.api("POST", "/api/auth", { body })).status);
      }
      return tries.includes(200);
    };
    expect(await signIn(challenges.newest)).toBe(true);
    expect(await signIn(challenges.ofAnother)).toBe(true);
    expect(await signIn(challenges.older)).toBe(false);
  });

  it("claims at most as many e-mails as requested, even if the planner expects only one", async () => {
    const exchange = await createTestExchange({ database: "PostgreSQL" });
    cleanups.push(() => exchange.close());
    const { db, clock } = exchange.ctx;
    const now = await clock.now(db);
    const queue = (to: string) => queueMail(db, exchange.ctx, codeMail(to, "123456", terms), { now });
    await queue("r0@example.org");
    await db.execute(sql`analyze outbox`);
    for (let i = 1; i < 5; i += 1) await queue(`r${i}@example.org`);
    expect(await claimDue(db, outbox, now, { limit: 1 })).toHaveLength(1);
  });

  it("sends each e-mail once with parallel senders", async () => {
    const { smtp, sender } = await start();
    const exchange = await createTestExchange({ database: "PostgreSQL", context: { mail: sender } });
    cleanups.push(() => exchange.close());
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    for (let i = 0; i < 12; i += 1) {
      await queueMail(exchange.ctx.db, exchange.ctx, codeMail(`r${i}@example.org`, "123456", terms), { now });
    }
    await Promise.all([sendOutbox(exchange.ctx), sendOutbox(exchange.ctx), sendOutbox(exchange.ctx)]);
    expect(smtp.received.flatMap(({ to }) => to).sort()).toEqual(
      Array.from({ length: 12 }, (_, i) => `r${i}@example.org`).sort(),
    );
  });

  it("sends several e-mails over each of a few connections, and then closes them", async () => {
    const { smtp, sender } = await start();
    const exchange = await createTestExchange({ context: { mail: sender } });
    cleanups.push(() => exchange.close());
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    for (let i = 0; i < 30; i += 1) {
      await queueMail(exchange.ctx.db, exchange.ctx, codeMail(`p${i}@example.org`, "123456", terms), { now });
    }
    expect(await sendOutbox(exchange.ctx)).toBe(30);
    expect(smtp.connections()).toBeLessThanOrEqual(5);
    sender.close();
    await expect.poll(() => smtp.open()).toBe(0);
  });

  it("T25 an e-mail that the server is slow to accept does not delay the others", async () => {
    const delivered: string[] = [];
    const accepted = deferred();
    const mail = {
      async send({ to }: { to: string }) {
        if (to === "slow@example.org") await accepted.promise;
        delivered.push(to);
      },
    };
    const exchange = await createTestExchange({ context: { mail } });
    cleanups.push(() => exchange.close());
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    const queue = (to: string) => queueMail(exchange.ctx.db, exchange.ctx, codeMail(to, "123456", terms), { now });
    await queue("slow@example.org");
    for (let i = 0; i < 40; i += 1) await queue(`r${i}@example.org`);
    const run = sendOutbox(exchange.ctx);
    await expect.poll(() => delivered.length).toBe(40);
    accepted.resolve();
    expect(await run).toBe(41);
  });

  it.each(testDatabases)(
    "T25 the job sends an e-mail once it is committed, even while another one is slow: %s",
    async (kind) => {
      const sending: string[] = [];
      const accepted = deferred();
      const mail = {
        async send({ to }: { to: string }) {
          sending.push(to);
          if (to === "slow@example.org") await accepted.promise;
        },
      };
      const exchange = await createTestExchange({ database: kind, context: { mail } });
      cleanups.push(() => exchange.close());
      const { ctx, database } = exchange;
      const jobs = createJobs(ctx).filter(({ name }) => name === "send-mail");
      const workers = createWorkers(database, jobs, ctx.log, new DbNotifications());
      cleanups.push(() => workers.stop());
      cleanups.push(() => accepted.resolve());
      await workers.start();
      for (const to of ["first@example.org", "slow@example.org", "last@example.org"]) {
        await queueMail(ctx.db, ctx, codeMail(to, "123456", terms), { now: await ctx.clock.now(ctx.db) });
        await expect.poll(() => sending.at(-1), { timeout: 20_000 }).toBe(to);
      }
    },
  );

  it("logs why e-mails that are due could not be read, as an error", async () => {
    const logged: { level: number; error?: { message?: string } }[] = [];
    const log = pino({ level: "warn" }, { write: (line) => logged.push(JSON.parse(line)) });
    const exchange = await createTestExchange({ context: { log } });
    cleanups.push(() => exchange.close());
    const clock = { now: () => Promise.reject(new Error("The database does not respond.")) };
    await startSending({ ...exchange.ctx, clock });
    await expect
      .poll(() => logged)
      .toMatchObject([{ level: 50, error: { message: "The database does not respond." } }]);
  });

  function fakeTimeouts(): void {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    cleanups.push(() => void vi.useRealTimers());
  }

  /** An exchange whose e-mails are sent until `end` is called, or until the exchange gives up. */
  async function startSlow() {
    const sending: { to: string; end: () => void }[] = [];
    const mail = {
      send: ({ to }: { to: string }, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          sending.push({ to, end: resolve });
          const giveUp = () => reject(new Error("given up"));
          if (signal?.aborted) giveUp();
          signal?.addEventListener("abort", giveUp);
        }),
    };
    const exchange = await createTestExchange({ context: { mail } });
    cleanups.push(() => exchange.close());
    const { db, clock } = exchange.ctx;
    const now = await clock.now(db);
    for (let i = 0; i < 20; i += 1) {
      await queueMail(db, exchange.ctx, codeMail(`s${i}@example.org`, "123456", terms), { now, topic: `code ${i}` });
    }
    const countClaimed = async () => (await db.select().from(outbox)).filter(({ attempts }) => attempts > 0).length;
    return { exchange, sending, countClaimed };
  }

  it("T25 claims an e-mail only when it can be sent immediately, so that the claim does not expire first", async () => {
    const { exchange, sending, countClaimed } = await startSlow();
    const runs = Promise.all([sendOutbox(exchange.ctx), sendOutbox(exchange.ctx)]);
    await expect.poll(() => sending.length).toBe(5);
    for (let ended = 1; ended <= 3; ended += 1) {
      sending.at(-1)?.end();
      await expect.poll(() => sending.length).toBe(5 + ended);
      // One that was sent is deleted.
      expect(await countClaimed()).toBe(5);
    }
    for (let ended = 0; ended < 20; ended += 1) {
      await expect.poll(() => sending.length).toBeGreaterThan(ended);
      sending[ended]?.end();
    }
    expect(await runs).toEqual([20, 0]);
    expect(new Set(sending.map(({ to }) => to)).size).toBe(20);
  });

  it("T25 sends one e-mail of each sender in turn while one of them keeps adding newer ones", async () => {
    const { exchange, sending } = await startSlow();
    const run = sendOutbox(exchange.ctx);
    await expect.poll(() => sending.length).toBe(5);
    const { db, clock } = exchange.ctx;
    const queue = async (to: string, sender: string) => {
      exchange.advance(1_000);
      const now = await clock.now(db);
      await queueMail(db, exchange.ctx, codeMail(to, "123456", terms), {
        now,
        sender,
        topic: `${to} ${now.toISOString()}`,
      });
    };
    await queue("flood@example.net", "one network");
    await queue("waiting@example.org", "another network");
    for (let ended = 0; ended < 4; ended += 1) {
      for (let i = 0; i < 3; i += 1) await queue("flood@example.net", "one network");
      sending[ended]?.end();
      await expect.poll(() => sending.length).toBe(6 + ended);
    }
    expect(sending.slice(5, 7).map(({ to }) => to)).toEqual(["flood@example.net", "waiting@example.org"]);
    for (let ended = 4; ended < 34; ended += 1) {
      await expect.poll(() => sending.length).toBeGreaterThan(ended);
      sending[ended]?.end();
    }
    expect(await run).toBe(34);
  });

  it("T25 also sends other e-mails while more and more networks request codes", async () => {
    const sent: string[] = [];
    const send = async ({ to }: { to: string }) => {
      sent.push(to);
      if (sent.length < 50) for (let i = 0; i < 2; i += 1) await queueCode();
    };
    const exchange = await createTestExchange({ context: { mail: { send } } });
    cleanups.push(() => exchange.close());
    const { db, clock } = exchange.ctx;
    let networks = 0;
    const queue = async (to: string, options: { sender?: string; topic?: string } = {}) =>
      queueMail(db, exchange.ctx, codeMail(to, "123456", terms), { now: await clock.now(db), ...options });
    const queueCode = () => {
      networks += 1;
      exchange.advance(1_000);
      return queue("flood@example.net", { sender: `network ${networks}`, topic: `code ${networks}` });
    };
    const customers = ["first@example.org", "second@example.org"];
    for (const customer of customers) await queue(customer);
    for (let i = 0; i < 10; i += 1) await queueCode();
    await sendOutbox(exchange.ctx);
    expect(sent.slice(0, 20)).toEqual(expect.arrayContaining(customers));
  });

  it("sends e-mails that are not codes in the order in which they were written", async () => {
    const sent: string[] = [];
    const mail = { send: async ({ to }: { to: string }) => void sent.push(to) };
    const exchange = await createTestExchange({ context: { mail } });
    cleanups.push(() => exchange.close());
    const { db, clock } = exchange.ctx;
    for (const to of ["first@example.org", "second@example.org", "third@example.org"]) {
      exchange.advance(1_000);
      await queueMail(db, exchange.ctx, codeMail(to, "123456", terms), {
        now: await clock.now(db),
        sender: "one customer",
      });
    }
    expect(await sendOutbox(exchange.ctx)).toBe(3);
    expect(sent).toEqual(["first@example.org", "second@example.org", "third@example.org"]);
  });

  it("T25 gives up on an e-mail before another process may take it", async () => {
    const { exchange, sending, countClaimed } = await startSlow();
    fakeTimeouts();
    const run = sendOutbox(exchange.ctx);
    for (let given = 0; given < 20; given += 5) {
      await vi.waitUntil(() => sending.length === given + 5, { timeout: 20_000 });
      await vi.advanceTimersByTimeAsync(30_000);
    }
    expect(await run).toBe(0);
    expect(await countClaimed()).toBe(20);
  });

  it("does not wait for a slow mail server when it stops", async () => {
    const { exchange, sending, countClaimed } = await startSlow();
    fakeTimeouts();
    const run = sendOutbox(exchange.ctx);
    await vi.waitUntil(() => sending.length === 5, { timeout: 20_000 });
    const stopped = stopOutbox(exchange.ctx);
    await vi.advanceTimersByTimeAsync(4_000);
    await stopped;
    expect(await run).toBe(0);
    expect(await countClaimed()).toBe(5);
    expect(await exchange.ctx.db.select().from(outbox)).toHaveLength(20);
  });

  it("T25 closes the connection to a server that takes too long, even if it keeps responding", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      socket.write("220 slow ESMTP\r\n");
      socket.once("data", () => {
        const timer = setInterval(() => socket.write("250-still here\r\n"), 20);
        socket.on("close", () => clearInterval(timer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    const sender = createSmtpSender(`smtp://127.0.0.1:${port}`, "a@example.org");
    cleanups.push(() => sender.close());
    const deadline = new AbortController();
    const mail = renderEmail(codeMail("ada@example.org", "123456", terms), null);
    const sent = sender.send({ ...mail, id: "1", queuedAt: new Date() }, deadline.signal);
    const refused = expect(sent).rejects.toThrow();
    await expect.poll(() => sockets.length).toBe(1);
    deadline.abort();
    await refused;
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it("T33 refuses to queue a header with a line break", async () => {
    const exchange = await createTestExchange();
    cleanups.push(() => exchange.close());
    const mail = codeMail("a@example.org\r\nBcc: b@example.org", "123456", terms);
    await expect(queueMail(exchange.ctx.db, exchange.ctx, mail, { now: new Date() })).rejects.toThrow("header");
  });
});
