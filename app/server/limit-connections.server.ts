import type { Server, Socket } from "node:net";
import { toClientNetwork } from "../lib/client-network";

/**
 * Limits how many connections a network may have open. Not used behind a proxy, because the proxy opens every
 * connection itself and has to limit its own clients.
 */
export function limitConnections(server: Pick<Server, "on">, max: number): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const network = toClientNetwork(socket.remoteAddress ?? "");
    const count = (open.get(network) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
