import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEnsLookup } from "~/exchange.server/addresses/ens-names";
import { type EnsChain, startEnsChain } from "../../support/ens-chain";
import { createTestExchange, type TestExchange } from "../../support/exchange";

const owner = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const path = "/api/swap/ens-names";
const log = pino({ level: "silent" });

/** An HTTP server that counts requests. */
async function startServer(responds: boolean): Promise<{ server: Server; url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (responds) response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

describe("names of the Ethereum Name Service", () => {
  let chain: EnsChain;
  let exchange: TestExchange;
  let token: string;
  beforeAll(async () => {
    chain = await startEnsChain();
    await chain.setOwner("alice.eth", owner);
    await chain.setOwner("pay.alice.eth", owner);
    exchange = await createTestExchange({ config: { ensRpcUrl: chain.url } });
    token = (await exchange.signUp()).token;
  });
  afterAll(async () => {
    await exchange?.close();
    await chain?.stop();
  });
  const find = (name: string, caller: string | undefined = token) =>
    exchange.api("POST", path, { token: caller, body: { name } });

  it("T80 are looked up in their normal form, and nothing is saved", async () => {
    for (const typed of ["alice.eth", "Alice.ETH", " alice.eth "]) {
      expect(await find(typed)).toMatchObject({ status: 200, body: { name: "alice.eth", address: owner } });
    }
    expect((await find("pay.alice.eth")).body).toEqual({ name: "pay.alice.eth", address: owner });
    expect((await exchange.api("GET", "/api/swap/delivery-addresses", { token })).body.items).toEqual([]);
  });

  it("T80 are refused if they have no address, or imitate other names", async () => {
    expect(await find("nobody.eth")).toMatchObject({
      status: 422,
      body: { detail: { code: "address_invalid", message: expect.stringContaining("nobody.eth has no Ethereum") } },
    });
    const customer = (await exchange.signUp()).token;
    // A Cyrillic а among Latin letters, an invisible character, a name of DNS, and no name at all.
    for (const name of ["аlice.eth", "ali\u202ece.eth", "example.com", ".eth", "a..eth"]) {
      expect(await find(name, customer)).toMatchObject({ status: 422, body: { detail: { code: "address_invalid" } } });
    }
  });

  it("T81 are not looked up on other servers: no request is sent to a resolver's URL", async () => {
    const { server, url, requests } = await startServer(true);
    await chain.setGateway("elsewhere.eth", `${url}/{sender}/{data}.json`);
    expect(await find("elsewhere.eth", (await exchange.signUp()).token)).toMatchObject({
      status: 422,
      body: { detail: { message: expect.stringContaining("not stored on Ethereum itself") } },
    });
    expect(requests()).toBe(0);
    server.close();
  });

  it("T80 are limited per account, and only for callers with a passkey", async () => {
    expect((await find("alice.eth", "aa_wrong")).status).toBe(401);
    const customer = (await exchange.signUp()).token;
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await find("alice.eth", customer)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect((await find("pay.alice.eth", (await exchange.signUp()).token)).status).toBe(200);
  });

  it("T80 are limited per network, whatever the number of accounts", async () => {
    const statuses: number[] = [];
    const findFrom = async (remoteAddress: string, customer: string) =>
      (await exchange.api("POST", path, { token: customer, remoteAddress, body: { name: "alice.eth" } })).status;
    let customer = "";
    for (let i = 0; i < 31; i += 1) {
      if (i % 10 === 0) customer = (await exchange.signUp(undefined, { kyc: false })).token;
      statuses.push(await findFrom("192.0.2.1", customer));
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(await findFrom("192.0.2.2", customer)).toBe(200);
  });
});

describe("a lookup that fails", () => {
  it("T80 gets a 404 while no node is configured for names", async () => {
    const exchange = await createTestExchange();
    const { token } = await exchange.signUp();
    expect((await exchange.api("POST", path, { token, body: { name: "alice.eth" } })).status).toBe(404);
    await exchange.close();
  });

  it("T80 says so when the node does not respond in time, or is on another network", async () => {
    const silent = await startServer(false);
    const lookup = createEnsLookup({ rpcUrl: silent.url, log, timeoutMs: 100 });
    await expect(lookup("alice.eth")).rejects.toMatchObject({ code: "names_unavailable", status: 503 });
    silent.server.closeAllConnections();
    silent.server.close();

    const other = await startEnsChain({ chainId: 5 });
    await other.setOwner("alice.eth", owner);
    await expect(createEnsLookup({ rpcUrl: other.url, log })("alice.eth")).rejects.toMatchObject({
      code: "names_unavailable",
    });
    await other.stop();
  });
});
