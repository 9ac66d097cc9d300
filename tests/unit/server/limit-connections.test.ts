import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { limitConnections } from "~/server/limit-connections.server";

/** A server without a network: connections come from the addresses that a test names. */
function openServer(max: number) {
  const server = new EventEmitter();
  limitConnections(server as unknown as Parameters<typeof limitConnections>[0], max);
  return (remoteAddress: string) => {
    const socket = new Socket();
    Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
    server.emit("connection", socket);
    return socket;
  };
}

describe("the limit of open connections", () => {
  it("T14 counts all addresses of an IPv6 network together", () => {
    const connect = openServer(2);
    expect(connect("2001:db8:1:2::1").destroyed).toBe(false);
    expect(connect("2001:db8:1:2:ffff::1").destroyed).toBe(false);
    expect(connect("2001:db8:1:2::3").destroyed).toBe(true);
    expect(connect("2001:db8:1:100::1").destroyed).toBe(false);
  });

  it("T14 counts IPv4 addresses separately, even in IPv6 notation, and frees places again", async () => {
    const connect = openServer(1);
    const first = connect("192.0.2.1");
    expect(connect("192.0.2.2").destroyed).toBe(false);
    expect(connect("::ffff:192.0.2.1").destroyed).toBe(true);
    await new Promise((resolve) => first.once("close", resolve).destroy());
    expect(connect("::ffff:192.0.2.1").destroyed).toBe(false);
  });
});
