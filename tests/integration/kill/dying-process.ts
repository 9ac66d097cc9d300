import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openPool } from "~/exchange.server/db/open";
import { createPool } from "~/exchange.server/db/pool";
import { scanChain } from "~/exchange.server/deposits/scan";
import { runPayments } from "~/exchange.server/payments/run-payments";
import { createTestContext } from "../../support/context";
import { type Connections, openGateways } from "../../support/process-on-chains";
import { reportCalls, reportCommits } from "./points";

/**
 * Scans and pays on the test's chains until it reaches one of the points that it reads from stdin. It
 * names the point on stdout and kills itself with SIGKILL, so nothing is cleaned up or flushed, as in a
 * power cut. Without points it keeps running, and names the asset after each round of work.
 */
const connections = JSON.parse(process.env.PROCESS_OPTIONS ?? "{}") as Connections;
const { databaseUrl } = connections;
// The test has migrated the database.
const database = await openPool(createPool({ connectionString: databaseUrl, max: 6 }), databaseUrl);
const deadly = new Set<string>();

const reach = async (names: string[]) => {
  const reached = names.filter((name) => deadly.has(name));
  if (reached.length === 0) return;
  writeSync(1, `${JSON.stringify(reached)}\n`);
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
};

const chains = openGateways(connections);
const { ctx } = createTestContext(
  { ...database, db: reportCommits(database.db, reach) },
  {
    chains: {
      USDT: reportCalls(chains.USDT, { asset: "USDT", db: database.db, reach }),
      MOB: reportCalls(chains.MOB, { asset: "MOB", db: database.db, reach }),
    },
  },
);

// Started ahead of time, it waits here until it is needed.
const [line] = (await once(createInterface({ input: process.stdin }), "line")) as [string];
for (const name of JSON.parse(line) as string[]) deadly.add(name);

const work = async (asset: "USDT" | "MOB") => {
  for (;;) {
    await scanChain(ctx, asset).catch(() => undefined);
    await runPayments(ctx, asset);
    if (deadly.size === 0) writeSync(1, `${JSON.stringify([asset])}\n`);
    await sleep(100);
  }
};
await Promise.all([work("USDT"), work("MOB")]);
