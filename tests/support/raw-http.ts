import { connect, createServer } from "node:net";

/**
 * Sends text unchanged, which fetch would normalise, and returns what is received until the server closes the
 * connection, or until it contains `last`. Closes the connection after 30 seconds without data.
 */
export function sendRaw(port: number, text: string, last?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (last !== undefined && received.includes(last)) socket.destroy();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
  });
}

/** A free port. Another program could still take it before it is used. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
