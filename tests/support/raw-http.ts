import { connect } from "node:net";

/** Sends bytes as they are, which fetch would mend, and answers with what came back (at most `ms`). */
export function sendRaw(port: number, text: string, ms = 5_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(ms, () => socket.destroy());
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", (error) => (answer === "" ? reject(error) : resolve(answer)));
  });
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
