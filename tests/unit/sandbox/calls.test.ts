import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { createSandboxCalls, type SandboxSystems } from "~/sandbox.server/calls";
import { createAccountKeys, mainSubaddress } from "~/sandbox.server/mobilecoin/keys";

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
