import { createServer, connect as open, type Server, type Socket } from "node:net";
import { freePort } from "../support/raw-http";

/** A database whose statements are counted on the wire. */
export type CountedDatabase = { url: string; readonly statements: number; stop(): Promise<void> };

/** Stands between an exchange and PostgreSQL, and counts the statements that pass. */
export async function countStatementsOf(url: string): Promise<CountedDatabase> {
  const { hostname, port: databasePort } = new URL(url);
  const sockets = new Set<Socket>();
  let statements = 0;
  const server: Server = createServer((client) => {
    const upstream = open(Number(databasePort), hostname);
    const count = createCounter(() => {
      statements += 1;
    });
    client.on("data", count);
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const counted = new URL(url);
  counted.hostname = "127.0.0.1";
  counted.port = String(port);
  return {
    url: counted.href,
    get statements() {
      return statements;
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Reads what a client sends: a first message without a type, then a type, a length and a body each. */
function createCounter(onStatement: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + 4) {
      const size = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < size) return;
      const type = typeBytes === 1 ? String.fromCharCode(rest[0] ?? 0) : "";
      // Simple queries, and executions of prepared ones.
      if (type === "Q" || type === "E") onStatement();
      rest = rest.subarray(size);
      typeBytes = 1;
    }
  };
}
