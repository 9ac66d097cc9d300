import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listenOnPostgres } from "~/exchange.server/db/notifications";
import { createDatabase, createPool, PostgresClient } from "~/exchange.server/db/pool";
import { createTemporaryDirectory } from "../../support/temporary-directory";

/** Accepts connections and never responds. */
let server: Server;
let certificate: string;
let connectionString: string;

afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  certificate = join(createTemporaryDirectory(), "ca.pem");
  const { port } = server.address() as AddressInfo;
  connectionString = `postgres://someone@127.0.0.1:${port}/some?sslmode=verify-full&sslrootcert=${certificate}`;
});
afterEach(() => {
  server.close();
});

const nextConnection = async () => (await once(server, "connection")) as [Socket];

describe("while a certificate that the URL names cannot be read", () => {
  it("statements fail, and the pool connects again once it can be read", async () => {
    writeFileSync(certificate, "");
    const pool = createPool({ connectionString, max: 1 });
    const first = nextConnection();
    // The second statement waits for the only connection.
    const statements = Promise.allSettled([pool.query("select 1"), pool.query("select 1")]);
    const [lost] = await first;
    rmSync(certificate);
    lost.destroy();
    expect(await statements).toMatchObject([{ status: "rejected" }, { reason: { code: "ENOENT" } }]);
    await expect(pool.connect()).rejects.toMatchObject({ code: "ENOENT" });

    writeFileSync(certificate, "");
    const next = nextConnection();
    const statement = pool.query("select 1").catch(() => undefined);
    (await next)[0].destroy();
    await statement;
    await pool.end();
  });

  it("listening is tried again until it can be read", async () => {
    const stop = await listenOnPostgres(
      () => new PostgresClient({ connectionString }),
      () => undefined,
    );
    const next = nextConnection();
    writeFileSync(certificate, "");
    const [socket] = await next;
    const stopped = stop();
    socket.destroy();
    await stopped;
  });
});

describe("a transaction on a connection that no longer responds", () => {
  /** Like a PostgreSQL that can no longer be reached after it has responded to BEGIN. */
  function respondToBegin(socket: Socket, received: string[]): void {
    const complete = "C\0\0\0\nBEGIN\0";
    const ready = (state: "I" | "T") => `Z\0\0\0\u0005${state}`;
    socket.once("data", () => {
      socket.write(`R\0\0\0\u0008\0\0\0\0${ready("I")}`);
      socket.on("data", (message) => {
        // A type, a length, and a text that ends with NUL.
        const text = message.toString("latin1", 5, message.length - 1);
        received.push(text);
        if (text === "begin") socket.write(complete + ready("T"));
      });
    });
  }

  it("fails with its first statement that gets no response, without waiting for a rollback", async () => {
    const { port } = server.address() as AddressInfo;
    const url = `postgres://someone@127.0.0.1:${port}/some`;
    const pool = createPool({ connectionString: url, max: 1, query_timeout: 120_000 });
    const received: string[] = [];
    server.once("connection", (socket) => respondToBegin(socket, received));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const failed = createDatabase(pool)
      .transaction((tx) => tx.execute(sql`select 1`))
      .catch((error: unknown) => error);
    await vi.waitUntil(() => received.length === 2);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await failed).toMatchObject({ cause: { message: "Query read timeout" } });
    expect(received).toEqual(["begin", "select 1"]);
    await vi.waitUntil(() => pool.totalCount === 0);
    await pool.end();
  });
});
