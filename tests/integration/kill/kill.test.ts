import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import pino from "pino";
import { createPublicClient, http, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { openPostgres } from "~/exchange.server/db/open";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { type Bundle, bundle } from "../../support/bundle";
import { createOrdersHarness } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import { openGateways, toConnections } from "../../support/process-on-chains";
import { until } from "../../support/until";
import type { ProcessOptions } from "./exchange-process";

const log = pino({ level: "silent" });
const source = fileURLToPath(new URL("./exchange-process.ts", import.meta.url));
/** A restarted exchange pays on real chains, which is slow on a busy machine. */
const patience = { timeoutMs: 80_000 };
const receiver = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/**
 * T46, T47: kills a running exchange with SIGKILL after it has sent a payout and before it has recorded that, on a real
 * EVM, the sandbox's full-service and a real PostgreSQL: first with USDT, then, restarted, with MOB. After a restart the
 * payout is made exactly once. points.test.ts covers the other moments.
 */
describe("kill -9 after a payout is sent", { timeout: 240_000 }, () => {
  let script: Bundle;
  beforeAll(async () => {
    script = await bundle(source);
  });
  afterAll(() => script?.remove());

  const startProcess = (options: ProcessOptions, { onTestFinished }: Pick<TestContext, "onTestFinished">) => {
    const child = spawn(process.execPath, [script.path], {
      env: { ...process.env, PROCESS_OPTIONS: JSON.stringify(options) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { ended: once(child, "exit") };
  };

  it("pays USDT and then MOB exactly once after a restart", async (test) => {
    const dataDir = await mkdtemp(join(tmpdir(), "antelope-kill-"));
    test.onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const ethereum = await startSandboxEthereum({ dataDir, log, blockTimeMs: 200 });
    test.onTestFinished(() => ethereum.stop());
    const mobilecoin = await startSandboxMobilecoin({ dataDir: null, log, blockDelayMs: 100 });
    test.onTestFinished(() => mobilecoin.stop());
    const databaseUrl = await createTestPostgres();
    const database = await openPostgres(databaseUrl, { poolSize: 4 });
    test.onTestFinished(() => database.close());
    const readUsdt = () =>
      createPublicClient({ transport: http(ethereum.rpcUrl) }).readContract({
        address: ethereum.usdtAddress,
        abi: parseAbi(["function balanceOf(address) view returns (uint256)"]),
        functionName: "balanceOf",
        args: [receiver],
      });
    const connections = toConnections(databaseUrl, ethereum, mobilecoin);
    // The orders are created here; the processes on the same database and chains do the rest.
    const w = await createOrdersHarness(database, { chains: openGateways(connections) });
    const user = await w.createUser({ ETH: receiver, MOB: mobilecoin.wallet().address });
    const before = { usdt: await readUsdt(), mob: mobilecoin.wallet().received.length };
    const readPayments = ({ id }: OrderRow) => database.db.select().from(payments).where(eq(payments.orderId, id));
    const untilCompleted = ({ id }: OrderRow) =>
      until(
        "the payout",
        async () => {
          const [row] = await database.db.select().from(orders).where(eq(orders.id, id));
          return row?.status === "completed";
        },
        patience,
      );
    const expectKilled = async ({ ended }: ReturnType<typeof startProcess>, order: OrderRow) => {
      const [, signal] = await ended;
      expect(signal).toBe("SIGKILL");
      expect((await readPayments(order)).map(({ status }) => status)).toEqual(["prepared"]);
    };

    const toUsdt = await w.lock(user, "MOB", "100");
    await mobilecoin.pay({ address: toUsdt.fundingAddress, amount: 100n * 10n ** 12n });
    await expectKilled(startProcess({ ...connections, crashAfter: "USDT" }, test), toUsdt);

    const restarted = startProcess({ ...connections, crashAfter: "MOB" }, test);
    await untilCompleted(toUsdt);
    await w.refreshRate();
    const toMob = await w.lock(user, "USDT", "100");
    await ethereum.faucet({ address: toMob.fundingAddress, asset: "USDT", amount: 100_000_000n });
    await expectKilled(restarted, toMob);

    startProcess({ ...connections, crashAfter: null }, test);
    await untilCompleted(toMob);
    const readScans = async () => {
      const rows = await database.db.select().from(chainStates).orderBy(chainStates.asset);
      return rows.map(({ checkedAt }) => checkedAt?.getTime() ?? 0);
    };
    // Three more rounds of every job: a second payment would appear in them.
    for (let round = 0; round < 3; round += 1) {
      const since = await readScans();
      await until(
        "scans of both chains",
        async () => {
          const now = await readScans();
          return now.every((checkedAt, i) => checkedAt > (since[i] ?? 0));
        },
        patience,
      );
    }
    for (const order of [toUsdt, toMob]) expect(await readPayments(order)).toHaveLength(1);
    expect((await readUsdt()) - before.usdt).toBe(toUsdt.targetAmount);
    const received = mobilecoin.wallet().received;
    expect(received.length - before.mob).toBe(1);
    expect(received[0]?.amount).toBe(toMob.targetAmount);
    expect(await checkBooks(database.db)).toEqual([]);
  });
});
