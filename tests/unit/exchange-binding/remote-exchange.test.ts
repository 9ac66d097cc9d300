import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRemoteExchange } from "~/exchange-binding/remote-exchange.server";

describe("a remote exchange", () => {
  const received: IncomingHttpHeaders[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer(({ headers }, response) => {
      received.push(headers);
      response.writeHead(404, { "Content-Type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("gets the headers that the API reads, and no others of the browser", async () => {
    const own = { "X-Tracking-Token": "token", "X-Auth-Token": "session", "Idempotency-Key": "key" };
    const headers = { ...own, Cookie: "secret", "X-Forwarded-For": "198.51.100.1" };
    const request = new Request("http://exchange.invalid/api/tracking", { headers });
    await connectRemoteExchange(url).fetch(request, { remoteAddress: "192.0.2.1" });
    expect(received.at(-1)).toMatchObject({
      "x-tracking-token": "token",
      "x-auth-token": "session",
      "idempotency-key": "key",
      "x-forwarded-for": "192.0.2.1",
    });
    expect(received.at(-1)).not.toHaveProperty("cookie");
  });
});
