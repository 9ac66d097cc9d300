import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOperatorCommand } from "~/commands/operator-command";
import type { ScanResult } from "~/exchange.server/chains/gateway";
import { getChainState } from "~/exchange.server/db/chain-state";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { continueRescans } from "~/exchange.server/deposits/rescan";
import { openOperator } from "~/exchange.server/operator/operator";
import { countStatements } from "../../support/count-statements";
import { toOperatorSetup } from "../../support/operator-setup";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import { recheckOne } from "../../support/recheck-one";

describe("operate rescan", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  let operate: (...args: string[]) => ReturnType<typeof runOperatorCommand>;
  const hidden = new Set<string>();

  beforeAll(async () => {
    const databaseUrl = await createTestPostgres();
    database = await openPostgres(databaseUrl);
    w = await createOrdersHarness(database);
    for (const chain of [w.usdt, w.mob]) {
      const scan = chain.scan.bind(chain);
      chain.scan = async (...args): Promise<ScanResult> => {
        const result = await scan(...args);
        // As in the gateways: on MobileCoin, the height is the first unread block's.
        const height = result.cursor.height + (chain === w.mob ? 1 : 0);
        const transfers = result.transfers.filter(({ txHash }) => !hidden.has(txHash));
        return { ...result, cursor: { ...result.cursor, height }, transfers };
      };
    }
    const setup = toOperatorSetup(databaseUrl);
    operate = (...args) => runOperatorCommand(args, () => openOperator(setup, pino({ level: "silent" }), "ada"));
  });
  afterAll(() => database?.close());

  it.each(["USDT", "MOB"] as const)("credits a %s deposit that every scan missed, once (T51)", async (asset) => {
    const user = await w.createUser();
    const order = await w.lock(user, asset, "100");
    const chain = w.chains[asset];
    const hash = chain.deposit(order.fundingAddress, order.sourceAmount);
    hidden.add(hash);
    const block = (await recheckOne(chain, { txHash: hash, ordinal: 0, blockNumber: 0 }))?.blockNumber ?? 0;
    chain.mine(30);
    w.wait(5_000);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");

    const range = [String(Math.max(0, block - 15)), String(block + 15)];
    expect(await operate("rescan", ...range, ...(asset === "MOB" ? ["MOB"] : []))).toMatchObject({ exitCode: 0 });
    const open = (await operate("status")).stdout.filter((line) => line.startsWith("rescan:"));
    expect(open).toEqual([`rescan: ${asset} blocks ${range[0]} to ${range[1]}, now at ${range[0]}`]);
    w.wait(5_000);
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.incoming_txs).toHaveLength(1);
    expect((await operate("status")).stdout.filter((line) => line.startsWith("rescan:"))).toEqual([]);

    await operate("rescan", "0", range[1] ?? "", asset);
    w.wait(5_000);
    await w.settle();
    expect((await w.see(user, order.id)).incoming_txs).toHaveLength(1);
    expect(chain.paid.filter(({ to }) => to === order.refundAddress)).toEqual([]);
  });

  it("credits many missed deposits in several transactions, as a scan does", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "MOB", "100");
    hidden.add("many");
    const amount = order.sourceAmount / 120n;
    for (let ordinal = 0; ordinal < 121; ordinal += 1)
      w.mob.deposit(order.fundingAddress, amount, { txHash: "many", ordinal });
    w.mob.mine();
    w.wait(5_000);
    await w.settle();
    const { blockNumber } = (await recheckOne(w.mob, { txHash: "many", ordinal: 0, blockNumber: 0 })) ?? {};
    await operate("rescan", String(blockNumber), String(blockNumber), "MOB");
    const rescanning = countStatements(w.ctx);
    await continueRescans(rescanning.ctx, "MOB");
    expect(rescanning.transactions).toBe(3);
    expect(await w.see(user, order.id)).toMatchObject({ status: "paying_out", incoming_count: 121 });
    expect((await operate("status")).stdout.filter((line) => line.startsWith("rescan:"))).toEqual([]);
    await w.settle();
  });

  it("does not hold up the scan for longer than one range of blocks takes", async () => {
    w.usdt.mine(60);
    await w.settle();
    await operate("rescan", "0", "50");
    const { readRange } = w.usdt;
    let reads = 0;
    w.usdt.readRange = async (...args) => {
      reads += 1;
      w.wait(5_000);
      return readRange(...args);
    };
    await w.scan("USDT");
    expect(reads).toBe(1);
    w.usdt.readRange = readRange;
    await w.settle();
    expect((await operate("status")).stdout.filter((line) => line.startsWith("rescan:"))).toEqual([]);
  });

  it("ends a rescan that was started by mistake, and only rescans of its asset", async () => {
    await operate("rescan", "0", "1");
    expect((await operate("cancel-rescan", "MOB")).stderr).toBe("There is no rescan of MOB to cancel.");
    expect((await operate("cancel-rescan", "USDT")).stdout).toEqual(["cancelled: USDT blocks 0 to 1, at 0", "Done."]);
    expect((await operate("status")).stdout.filter((line) => line.startsWith("rescan:"))).toEqual([]);
  });

  it("refuses a range that makes no sense", async () => {
    for (const args of [[], ["5"], ["5", "x"], ["1", "2", "ETH"], ["-1", "2"]]) {
      expect((await operate("rescan", ...args)).exitCode).toBe(2);
    }
    expect((await operate("rescan", "9", "3")).stderr).toContain("FROM is above TO");
    const { stderr = "" } = await operate("rescan", "0", "999999");
    expect(stderr).toContain("lower TO");
    const newest = /up to block (\d+)/.exec(stderr)?.[1] ?? "";
    expect((await operate("rescan", newest, String(Number(newest) + 1))).stderr).toContain("lower TO");
    expect((await operate("rescan", newest, newest)).exitCode, "one block").toBe(0);
    await operate("cancel-rescan", "USDT");
  });

  it("refuses a block of MobileCoin that does not exist yet, for which it would wait", async () => {
    await w.scan("MOB");
    const unread = (await getChainState(w.ctx.db, "MOB"))?.height ?? 0;
    const refused = await operate("rescan", "0", String(unread), "MOB");
    expect(refused.stderr).toContain(`has read the MOB chain up to block ${unread - 1}: lower TO`);
    expect((await operate("rescan", "0", String(unread - 1), "MOB")).exitCode).toBe(0);
  });
});
