import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { createSandboxCalls, type SandboxSystems } from "~/sandbox.server/calls";
import { createAccountKeys, mainSubaddress } from "~/sandbox.server/mobilecoin/keys";
import { createTurns } from "~/sandbox.server/take-turns";
import { deferred } from "../../support/deferred";

it("T14 the faucet and the wallet are told the caller's network, because networks take turns", async () => {
  const faucet = vi.fn(async (..._args: unknown[]) => ({ hash: "0x1" }));
  const pay = vi.fn(async (..._args: unknown[]) => ({ hash: "0x2", blockIndex: 3 }));
  const systems = { ethereum: { faucet }, mobilecoin: { pay }, faucetMax: { ETH: 10n ** 18n, USDT: 0n } };
  const app = createSandboxCalls(systems as unknown as SandboxSystems, "http://localhost", pino({ level: "silent" }));
  const post = (path: string, body: object) => {
    const request = new Request(`http://localhost${path}`, { method: "POST", body: JSON.stringify(body) });
    return app.fetch(request, { remoteAddress: "2001:db8:1:2:3::4" });
  };
  const eth = { address: `0x${"1".repeat(40)}`, asset: "ETH", amount: "1" };
  expect((await post("/sandbox/faucet", eth)).status).toBe(200);
  const address = createAccountKeys("tester").toAddress(mainSubaddress);
  expect((await post("/sandbox/mobilecoin/pay", { address, amount: "1" })).status).toBe(200);
  const invalid = await post("/sandbox/faucet", { asset: "BTC", amount: "1", more: 1 });
  expect([invalid.status, await invalid.json()]).toMatchObject([
    422,
    { detail: { code: "invalid", fields: { address: "is missing", asset: expect.any(String) } } },
  ]);
  expect(faucet.mock.calls.map(([, network]) => network)).toEqual(["2001:db8:1:0::/56"]);
  expect(pay.mock.calls.map(([, network]) => network)).toEqual(["2001:db8:1:0::/56"]);
});

it("T14 says when to try again if too many calls of a network wait for their turn", async () => {
  const inTurn = createTurns(1);
  const waits = deferred();
  const faucet = (_request: unknown, network: string) =>
    inTurn(network, () => waits.promise.then(() => ({ hash: "0x1" })));
  const systems = { ethereum: { faucet }, faucetMax: { ETH: 10n ** 18n, USDT: 0n } };
  const app = createSandboxCalls(systems as unknown as SandboxSystems, "http://localhost", pino({ level: "silent" }));
  const body = JSON.stringify({ address: `0x${"1".repeat(40)}`, asset: "ETH", amount: "1" });
  const call = () => app.fetch(new Request("http://localhost/sandbox/faucet", { method: "POST", body }));
  const calls = Array.from({ length: 102 }, call);
  const refused = await Promise.race(calls);
  expect([refused.status, refused.headers.get("Retry-After"), await refused.json()]).toMatchObject([
    429,
    "1",
    { detail: { code: "rate_limited" } },
  ]);
  waits.resolve();
  expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(101);
});
