import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import { ExchangeError } from "~/exchange.server/errors";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
beforeEach(async () => {
  ({ sandbox } = await startTestnet());
  const { url, accountId, chainId: expectedChainId } = sandbox;
  const options = { fogServers: null, requiredConfirmations: 1, log: pino({ level: "silent" }), timeoutMs: 30_000 };
  gateway = createMobilecoinGateway({ url, accountId, expectedChainId, ...options });
});
afterEach(() => sandbox.stop());

describe("a lock while the MobileCoin wallet is unreachable", () => {
  it.each([
    ["it does not respond", () => sandbox.stop()],
    ["it resyncs", async () => sandbox.controls.setResyncing(true)],
  ])("is refused with 503 and a reason, and works again after a resync: %s", async (what, breakDown) => {
    const database = await openTestDatabase("PGlite");
    const w = await createOrdersHarness(database, { chains: { MOB: gateway } });
    const user = await w.createUser({ MOB: sandbox.wallet().address });
    const quote = await w.quote(user, "MOB", "100");
    await breakDown();
    const refusal: unknown = await w.lockQuote(user, quote.id, "MOB", "a-key").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ExchangeError);
    expect(refusal).toMatchObject({
      code: "swaps_stopped",
      status: 503,
      extra: { reason: "mobilecoin_out_of_reach" },
      retryAfterSeconds: 30,
    });
    sandbox.controls.setResyncing(false);
    if (what === "it resyncs") {
      expect((await w.lockQuote(user, quote.id, "MOB", "a-key")).status).toBe("awaiting_deposit");
    }
    await database.close();
  });
});
