import { type AddressInfo, createServer, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Database, queryRows } from "~/exchange.server/db/database";
import { listenOnPostgres } from "~/exchange.server/db/notifications";
import { type OpenDatabase, openPool, openPostgres } from "~/exchange.server/db/open";
import { StartupError } from "~/lib/startup-error";
import { createTestPostgres } from "../../support/postgres";
import { openTestDatabase, testDatabases } from "../../support/test-database";

const opened: OpenDatabase[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});
const open = async (opening: Promise<OpenDatabase>) => {
  const database = await opening;
  opened.push(database);
  return database;
};

describe("a PostgreSQL that ends a connection in a transaction", () => {
  it.each(["between two statements", "during a statement"])("fails only this transaction: %s", async (when) => {
    const { db } = await open(openPostgres(await createTestPostgres(), { poolSize: 2 }));
    const other = await open(openPostgres(await createTestPostgres(), { poolSize: 1 }));
    for (let round = 0; round < 4; round += 1) {
      const transaction = db.transaction(async (tx) => {
        const [backend] = await queryRows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
        const end = async () => other.db.execute(sql`select pg_terminate_backend(${backend?.pid}, 5000)`);
        if (when === "between two statements") await end();
        else void end();
        await tx.execute(sql`select pg_sleep(10)`);
      });
      await expect(transaction).rejects.toThrow();
    }
    expect(await db.transaction((tx) => queryRows(tx, sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });
});

describe.each(testDatabases)("a transaction that cannot begin on %s", (kind) => {
  it("releases its connection", async () => {
    const { db } = await open(openTestDatabase(kind));
    const refused = { isolationLevel: "unknown" as "serializable" };
    for (let tries = 0; tries < 20; tries += 1) {
      await expect(db.transaction(async () => undefined, refused)).rejects.toThrow("begin");
    }
    expect(await db.transaction((tx) => queryRows(tx, sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });
});

describe("opening a PostgreSQL that ends the connection", () => {
  it.each(["between two statements", "during a statement"])("fails with one sentence: %s", async (when) => {
    const other = await open(openPostgres(await createTestPostgres(), { poolSize: 1 }));
    const check = async (db: Database) => {
      const [backend] = await queryRows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`);
      const end = async () => other.db.execute(sql`select pg_terminate_backend(${backend?.pid}, 5000)`);
      if (when === "between two statements") await end();
      else await Promise.all([end(), db.execute(sql`select pg_sleep(10)`)]);
    };
    const error: unknown = await openPostgres(await createTestPostgres(), { check }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(/^PostgreSQL at .*: check DATABASE_URL\.$/);
    if (when === "during a statement") expect((error as Error).message).toContain("is starting up or shutting down");
  });
});

describe("closing PostgreSQL", () => {
  it("does not wait for a statement that hangs", async () => {
    const database = await openPostgres(await createTestPostgres(), { poolSize: 1 });
    const hanging = database.db.execute(sql`select pg_sleep(30)`).then(() => "done");
    await database.close();
    expect(await Promise.race([hanging, "hanging"])).toBe("hanging");
  });
});

describe("listening for notifications", () => {
  it("ends each connection on which LISTEN failed", async () => {
    const url = await createTestPostgres();
    const { db } = await open(openPostgres(url, { poolSize: 1 }));
    const refusing = Array.from({ length: 3 }, () => {
      const client = new pg.Client({ connectionString: url, application_name: "refusing" });
      vi.spyOn(client, "query").mockImplementation(() => Promise.reject(new Error("LISTEN is refused")));
      return client;
    });
    const left = [...refusing];
    const stop = await listenOnPostgres(
      () => left.shift() ?? new pg.Client({ connectionString: url }),
      () => undefined,
    );
    await expect.poll(() => left.length, { timeout: 10_000 }).toBe(0);
    await stop();
    const countOpen = async () =>
      (await queryRows(db, sql`select 1 from pg_stat_activity where application_name = 'refusing'`)).length;
    await expect.poll(countOpen).toBe(0);
  });

  it("tries again on another connection if LISTEN gets no response", async () => {
    const listening: Socket[] = [];
    // Accepts every connection, and then responds to nothing.
    const server = createServer((socket) => {
      socket.once("data", () => {
        socket.write(Buffer.from("R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I"));
        socket.once("data", () => listening.push(socket));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://antelope@127.0.0.1:${port}/antelope`;
    const { listen, close } = await openPool(new pg.Pool({ connectionString: url }), url);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stopping = listen(() => undefined);
    await vi.waitUntil(() => listening.length === 1);
    await vi.advanceTimersByTimeAsync(30_000);
    const stop = await stopping;
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    await expect.poll(() => listening.length).toBe(2);
    for (const socket of listening) socket.destroy();
    await stop();
    await close();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
});
