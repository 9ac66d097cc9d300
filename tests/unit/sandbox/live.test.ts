import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { args, fakeExchange } from "../../support/site";

const page = await import("~/routes/sandbox/route");
const calls = await import("~/routes/sandbox-calls/route");

/** In live mode the exchange has no sandbox. */
describe("T20 live mode", () => {
  it.each(["/sandbox", "/sandbox?to=ada@example.org"])("T20 answers %s with 404", async (path) => {
    fakeExchange({});
    const refused = await page.loader(args(path)).catch((thrown: unknown) => thrown);
    const status =
      refused instanceof Response ? refused.status : (refused as { init?: { status?: number } }).init?.status;
    expect(status).toBe(404);
  });

  it.each(["/sandbox/inbox", "/sandbox/mobilecoin/wallet"])("T20 answers %s with 404", async (path) => {
    fakeExchange({});
    expect((await calls.loader(args(path))).status).toBe(404);
  });

  it("T20 never loads the sandbox's code: only a dynamic import in sandbox mode does", () => {
    const boot = readFileSync("app/exchange-binding/exchange.server.ts", "utf8");
    expect(boot).toMatch(/import\("\.\.\/sandbox\.server\/sandbox"\)/);
    expect(boot).not.toMatch(/from "\.\.\/sandbox\.server/);
  });
});
