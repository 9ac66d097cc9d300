import { expect, it } from "vitest";
import { args, fakeExchange } from "../../support/site";

const page = await import("~/routes/sandbox/route");
const calls = await import("~/routes/sandbox-calls/route");

/** An exchange without a sandbox is what live mode has. */
it.each(["/sandbox", "/sandbox?to=ada@example.org"])("T20 %s is not there where there is no sandbox", async (path) => {
  fakeExchange({});
  const refused = await page.loader(args(path)).catch((thrown: unknown) => thrown);
  const status =
    refused instanceof Response ? refused.status : (refused as { init?: { status?: number } }).init?.status;
  expect(status).toBe(404);
});

it.each(["/sandbox/inbox", "/sandbox/mobilecoin/wallet"])(
  "T20 %s is not there where there is no sandbox",
  async (path) => {
    fakeExchange({});
    expect((await calls.loader(args(path))).status).toBe(404);
  },
);

it("T20 what the sandbox is made of is loaded by its own import alone", async () => {
  const { readFileSync } = await import("node:fs");
  const boot = readFileSync("app/exchange.server/index.ts", "utf8");
  expect(boot).toMatch(/import\("\.\/sandbox\/sandbox"\)/);
  expect(boot).not.toMatch(/from "\.\/sandbox/);
});
