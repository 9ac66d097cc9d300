import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient } from "viem";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createLog } from "~/config/log.server";
import { createCurrencyFeeds } from "~/currency/feeds.server";
import { createEnsLookup } from "~/exchange.server/addresses/ens-names";
import { createFullService } from "~/exchange.server/chains/mobilecoin/full-service";
import { createHttpKycProvider } from "~/exchange.server/kyc/http-provider";
import { createRateFeeds } from "~/exchange.server/pricing/rate-feeds";
import { createRpcTransport } from "~/exchange.server/rpc-transport";

const servers: Server[] = [];

async function serve(respond: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    respond(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Sends something from time to time, so that a limit on the time without data does not end it. */
function stall(response: ServerResponse): void {
  response.write("{");
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}

/** Sends as much as its client reads. */
function pour(response: ServerResponse): void {
  const spaces = Buffer.alloc(1024 * 1024, " ");
  const fill = () => {
    while (!response.destroyed && response.write(spaces)) {}
  };
  response.on("drain", fill);
  fill();
}

/** Asks for a pause. viem and ky wait that long before they try again, unless told otherwise. */
function putOff(response: ServerResponse): void {
  response.writeHead(429, { "Content-Type": "text/plain", "Retry-After": "3600" }).end("Too many requests");
}

const log = createLog("silent", { write: () => undefined });
const timeoutMs = 2_000;

/** What each system does with the response of its server. */
const calls: [string, (url: string) => Promise<unknown>][] = [
  ["T55 an Ethereum node", (url) => toNode(url).getBlockNumber()],
  ["T80 the node that looks up names", (url) => createEnsLookup({ rpcUrl: url, log, timeoutMs })("alice.eth")],
  ["full-service", (url) => createFullService({ url, timeoutMs, log }).call("get_txos", {}, z.unknown())],
  [
    "the identity provider",
    (url) => createHttpKycProvider({ url, apiKey: "key", webhookSecret: "secret" }).getDecision("reference"),
  ],
];

const toNode = (url: string) =>
  createPublicClient({ transport: createRpcTransport(url, { timeout: timeoutMs, retryCount: 2 }) });

const toRate = () => JSON.stringify({ rate: "0.35", at: new Date().toISOString() });

describe.each([
  ["stops in its body", stall],
  ["never ends", pour],
  ["asks for a pause of an hour", putOff],
])("a response that %s", { timeout: 60_000, concurrent: true }, (_how, respond) => {
  it.for(calls)("%s: the call fails", async ([, call], { expect }) => {
    await expect(call(await serve(respond))).rejects.toThrow();
  });

  it("T44 does not affect the rate if it comes from one of three rate feeds", async ({ expect }) => {
    const good = await serve((response) => response.end(toRate()));
    const urls = [`${good}/a`, await serve(respond), `${good}/b`];
    const feeds = createRateFeeds({ urls, maxDeviationBps: 100, maxAgeMs: 60_000, log });
    expect((await feeds.getRate()).rate).toBe(350_000_000_000n);
  });

  it("leads to a call to the next feed if it comes from a currency feed", async ({ expect }) => {
    const good = await serve((response) => response.end(JSON.stringify({ at: new Date(), rates: { EUR: "0.86" } })));
    const feeds = createCurrencyFeeds({ urls: [await serve(respond), good], log });
    await expect.poll(() => feeds.current()?.perUsdt.get("EUR"), { timeout: 30_000 }).toBe(860_000_000_000n);
  });
});

it("T55 an Ethereum node that asks for a pause of a second gets it", async () => {
  let calledAt = Number.POSITIVE_INFINITY;
  const url = await serve((response) => {
    const pause = performance.now() - calledAt;
    calledAt = performance.now();
    if (pause < 900) response.writeHead(429, { "Retry-After": "1" }).end("{}");
    else response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x7" }));
  });
  expect(await toNode(url).getBlockNumber()).toBe(7n);
});
