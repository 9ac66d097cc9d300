import { beforeEach, describe, expect, it } from "vitest";
import type { StatusHistory } from "~/api/contract";
import { acceptancePeriods } from "~/exchange.server/db/schema/acceptance";
import { scanChain } from "~/exchange.server/deposits/scan";
import { createApi } from "~/exchange.server/http/app";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { recordAcceptance } from "~/exchange.server/pricing/interruptions";
import { switchOff } from "~/exchange.server/switches/switches";
import { countStatements } from "../../support/count-statements";
import { createTestExchange, testOrigin } from "../../support/exchange";
import type { FakeChain } from "../../support/fake-chain";
import { forEachTest } from "../../support/for-tests";
import { prepareForSwaps } from "../../support/open-order";
import { switchOn } from "../../support/switch-on";

const dayMs = 86_400_000;

describe("the history of the status", () => {
  const exchange = forEachTest(() => createTestExchange());
  let ethereum: FakeChain;
  beforeEach(async () => {
    ethereum = exchange.ctx.chains.USDT as FakeChain;
    await prepareForSwaps(exchange);
  });

  /** Lets the jobs run every 20 seconds for some minutes, without Ethereum's if it is down. */
  async function run(minutes: number, { isEthereumDown = false } = {}): Promise<void> {
    for (let step = 0; step < minutes * 3; step += 1) {
      exchange.advance(20_000);
      ethereum.mine();
      for (const asset of isEthereumDown ? (["MOB"] as const) : (["USDT", "MOB"] as const)) {
        await checkWallet(exchange.ctx, asset);
        await scanChain(exchange.ctx, asset);
      }
      await recordAcceptance(exchange.ctx);
    }
  }
  const read = async () => (await exchange.api<StatusHistory>("GET", "/api/status/history")).body;
  const minutesOf = ({ from, to }: StatusHistory["interruptions"][number]) =>
    Math.round((Date.parse(to ?? "") - Date.parse(from)) / 60_000);
  const now = async () => exchange.ctx.clock.now(exchange.ctx.db);

  it("has no interruption while swaps are accepted, and one row for all that time", async () => {
    await run(5);
    expect((await read()).interruptions).toEqual([]);
    expect(await exchange.ctx.db.select().from(acceptancePeriods)).toHaveLength(1);
  });

  it("records why swaps were not accepted and for how long, newest first", async () => {
    await run(1);
    await switchOff(exchange.ctx.db, "swaps", { reason: "A secret of the operator.", at: await now() });
    await run(4);
    await switchOn(exchange.ctx.db, "swaps");
    await run(2);
    await run(3, { isEthereumDown: true });
    const { interruptions } = await read();
    expect(interruptions.map(({ reason, to }) => [reason, to === null])).toEqual([
      ["ethereum_out_of_reach", true],
      ["stopped_by_operator", false],
    ]);
    expect(interruptions.slice(1).map(minutesOf)).toEqual([4]);
    expect(JSON.stringify(interruptions)).not.toContain("secret");
  });

  it("says when the exchange was not running, and leaves out less than a minute", async () => {
    await run(2);
    exchange.advance(45 * 60_000);
    await run(2);
    await switchOff(exchange.ctx.db, "swaps", { reason: "Short.", at: await now() });
    exchange.advance(20_000);
    await recordAcceptance(exchange.ctx);
    await switchOn(exchange.ctx.db, "swaps");
    await run(2);
    const { interruptions } = await read();
    expect(interruptions.map((span) => [span.reason, minutesOf(span)])).toEqual([["not_running", 45]]);
  });

  it("says that the exchange is not running while nothing is recorded", async () => {
    await run(1);
    exchange.advance(10 * 60_000);
    expect((await read()).interruptions).toMatchObject([{ reason: "not_running", to: null }]);
  });

  it("keeps the interruptions of the last 30 days", async () => {
    await run(1);
    const { since } = await read();
    exchange.advance(20 * dayMs);
    await run(1);
    expect((await read()).since).toBe(since);
    exchange.advance(15 * dayMs);
    await run(1);
    const kept = await read();
    expect(Date.parse(kept.since)).toBeGreaterThan(Date.parse(since));
    expect((await now()).getTime() - Date.parse(kept.since)).toBeLessThanOrEqual(30 * dayMs);
    expect(await exchange.ctx.db.select().from(acceptancePeriods)).toHaveLength(2);
  });

  it("is read from the database once in ten seconds, however often it is requested", async () => {
    await run(1);
    await switchOff(exchange.ctx.db, "swaps", { reason: "Maintenance.", at: await now() });
    await run(2);
    const counted = countStatements(exchange.ctx);
    const app = createApi(counted.ctx);
    const readHistory = async () => {
      const before = counted.statements;
      const response = await app.fetch(new Request(`${testOrigin}/api/status/history`));
      return { body: await response.json(), statements: counted.statements - before };
    };
    const first = await readHistory();
    expect(first.body.interruptions).toMatchObject([{ reason: "stopped_by_operator", to: null }]);
    await switchOn(exchange.ctx.db, "swaps");
    exchange.advance(5_000);
    await recordAcceptance(exchange.ctx);
    const again = await readHistory();
    expect(again.body).toEqual(first.body);
    expect(again.statements).toBeLessThan(first.statements);
    exchange.advance(5_000);
    expect((await readHistory()).body.interruptions).toMatchObject([{ to: expect.any(String) }]);
  });

  it("stores one row when ten recordings run at once", async () => {
    await Promise.all(Array.from({ length: 10 }, () => recordAcceptance(exchange.ctx)));
    expect(await exchange.ctx.db.select().from(acceptancePeriods)).toHaveLength(1);
  });
});
