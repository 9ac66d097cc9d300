import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sendRaw } from "../../support/raw-http";
import { fakeExchange } from "../../support/site";
import { startSiteServer } from "../../support/site-server";
import { rates } from "../routes/swap/fixtures";

const headers = "Host: localhost:3000\r\nX-Request-Id: of-the-visitor\r\nConnection: close\r\n";

let site: Awaited<ReturnType<typeof startSiteServer>>;
beforeAll(async () => {
  site = await startSiteServer();
}, 60_000);
afterAll(() => site.stop());
afterEach(() => {
  site.lines.length = 0;
});

/** The ids that the exchange and the log were given for a request, and the one in the response. */
async function send(path: string, more = "") {
  const { clients } = fakeExchange({
    "GET /api/swap/rates": () => Response.json(rates),
    "GET /api/users/me": () => Response.json({}),
  });
  const text = await sendRaw(site.port, `GET ${path} HTTP/1.1\r\n${headers}${more}\r\n`);
  const logged = site.lines.map((line) => JSON.parse(line) as { msg: string; requestId?: string });
  return {
    exchange: new Set(clients.map(({ requestId }) => requestId)),
    log: new Set(logged.filter(({ msg }) => msg === "request").map(({ requestId }) => requestId)),
    response: /^x-request-id: (.*)$/im.exec(text)?.[1],
  };
}

it.each([["/api/users/me"], ["/swap/orders/none/events"], ["/", "Expect: odd\r\n"]])(
  "T14 the request ID is the same in all logs, and never the visitor's: %s %s",
  async (path, more = "") => {
    const { exchange, log, response } = await send(path, more);
    expect(response).toMatch(/^[\w-]{22}$/);
    expect([...log]).toEqual([response]);
    for (const id of exchange) expect(id).toBe(response);
  },
);

it("the request ID reaches the exchange", async () => {
  const { exchange, response } = await send("/api/users/me");
  expect([...exchange]).toEqual([response]);
});
