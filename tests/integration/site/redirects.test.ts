import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "~/config/log.server";
import { createEnsLookup } from "~/exchange.server/addresses/ens-names";
import { createEthereumGateway } from "~/exchange.server/chains/ethereum/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import { createHttpKycProvider } from "~/exchange.server/kyc/http-provider";
import { createRateFeeds } from "~/exchange.server/pricing/rate-feeds";
import { connectRemoteExchange } from "~/exchange-binding/remote-exchange.server";
import { application } from "../../support/exchange";

/** Every server that we call redirects to another host, which must not get a request. */
let url: string;
const called: string[] = [];
const reached: string[] = [];
const servers: Server[] = [];

async function serve(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const other = await serve((request, response) => {
    reached.push(request.url ?? "");
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  url = await serve((request, response) => {
    called.push(request.url ?? "");
    request.resume();
    response.writeHead(307, { Location: `${other}/stolen` }).end();
  });
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const log = createLog("silent", { write: () => undefined });

describe("calls to other systems", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["an Ethereum node", () => createEthereum().verify()],
    ["the node that looks up names", () => createEnsLookup({ rpcUrl: url, log })("alice.eth")],
    ["full-service", () => createMobilecoin().verify()],
    ["the identity provider", () => createKyc().submit("reference", application)],
    ["the rate feeds", () => createFeeds().getRate()],
    ["a remote exchange", () => connectRemoteExchange(url).fetch(new Request("http://exchange.invalid/api/status"))],
  ])("T19 do not follow a redirect of %s", async (_name, call) => {
    called.length = 0;
    reached.length = 0;
    await expect(call()).rejects.toThrow();
    expect(called.length).toBeGreaterThan(0);
    expect(reached).toEqual([]);
  });
});

function createEthereum() {
  return createEthereumGateway({
    rpcUrls: [url],
    chainId: 1,
    usdtAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    xpub: HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive("m/44'/60'/0'").publicExtendedKey,
    payoutPrivateKey: `0x${"1".repeat(64)}`,
    requiredConfirmations: 3,
    log,
  });
}

function createMobilecoin() {
  return createMobilecoinGateway({
    url,
    accountId: "a".repeat(64),
    expectedChainId: "main",
    fogServers: null,
    requiredConfirmations: 1,
    log,
    timeoutMs: 2_000,
  });
}

function createKyc() {
  return createHttpKycProvider({ url, apiKey: "key", webhookSecret: "secret" });
}

function createFeeds() {
  return createRateFeeds({ urls: [`${url}/a`, `${url}/b`], maxDeviationBps: 100, maxAgeMs: 60_000, log });
}
