import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listenOnPostgres } from "~/exchange.server/db/notifications";
import { createPool, PostgresClient } from "~/exchange.server/db/pool";
import { createTemporaryDirectory } from "../../support/temporary-directory";

/** Accepts connections and never responds. */
let server: Server;
let certificate: string;
let connectionString: string;

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
