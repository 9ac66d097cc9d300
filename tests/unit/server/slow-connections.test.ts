import { once } from "node:events";
import {
  type AddressInfo,
  connect,
  createServer,
  getDefaultAutoSelectFamilyAttemptTimeout,
  type LookupFunction,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from "node:net";
import { afterEach, expect, it } from "vitest";
import { allowSlowConnections } from "~/server/slow-connections.server";

const usual = getDefaultAutoSelectFamilyAttemptTimeout();
afterEach(() => setDefaultAutoSelectFamilyAttemptTimeout(usual));

/** A host with an IPv4 address at which the server listens, and an IPv6 address that does not work. */
const lookup: LookupFunction = (_host, _options, respond) =>
  respond(null, [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);

function keepThreadBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("connects to a host's first address, although this thread was busy in the meantime", async () => {
  allowSlowConnections();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "node.example", port, lookup });
  keepThreadBusy(500);
  await once(socket, "connect");
  expect(socket.remoteAddress).toBe("127.0.0.1");
  socket.destroy();
  server.close();
});
