import { createBenchAccount } from "./account";
import { type Load, measure } from "./load";
import { startServer, startSite } from "./servers";
import { count, ms, printTable } from "./table";

const body = JSON.stringify({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "250" });

/** Long enough for V8 to optimise the code that is measured. */
const warmUpSeconds = 4;

/** Measures quotes through the API, the API's cheapest response, and one INSERT behind a bare server. */
export async function benchQuotes(): Promise<void> {
  const calls = [...(await measureApi()), ["one INSERT behind a bare Node server", await measureInserts()] as const];
  printTable(
    "API calls per second (10 connections, 4 s each, after a warm-up of 4 s, embedded PGlite, one server at a time)",
    ["request", "per second", "p50", "p99", "failed"],
    calls.map(([name, load]) => [name, count(load.perSecond), ms(load.p50), ms(load.p99), String(load.failed)]),
  );
}

async function measureApi(): Promise<(readonly [string, Load])[]> {
  const site = await startSite();
  try {
    const { token } = await createBenchAccount(site.origin);
    const headers = { "X-Auth-Token": token, "Content-Type": "application/json", Origin: site.origin };
    return [
      [
        "POST /api/swap/quotes",
        await measure(`${site.origin}/api/swap/quotes`, { method: "POST", headers, body, warmUpSeconds }),
      ],
      ["GET /api/swap/assets", await measure(`${site.origin}/api/swap/assets`, { warmUpSeconds })],
    ];
  } finally {
    await site.stop();
  }
}

async function measureInserts(): Promise<Load> {
  const server = await startServer({ args: ["tests/bench/insert-server.js"], readyOutput: /serving/ });
  try {
    return await measure(server.origin, { method: "POST", body, warmUpSeconds });
  } finally {
    await server.stop();
  }
}
