import { createBenchAccount } from "./account";
import { measure } from "./load";
import { startSite } from "./servers";
import { count, ms, printTable } from "./table";

/** Quotes through the API over HTTP, compared with its cheapest response. */
export async function benchQuotes(): Promise<void> {
  const site = await startSite();
  try {
    const { token } = await createBenchAccount(site.origin);
    const headers = { "X-Auth-Token": token, "Content-Type": "application/json", Origin: site.origin };
    const body = JSON.stringify({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "250" });
    const calls = [
      ["POST /api/swap/quotes", await measure(`${site.origin}/api/swap/quotes`, { method: "POST", headers, body })],
      ["GET /api/swap/assets", await measure(`${site.origin}/api/swap/assets`)],
    ] as const;
    printTable(
      "API calls per second (10 connections, 4 s each, embedded PGlite)",
      ["request", "per second", "p50", "p99", "failed"],
      calls.map(([name, load]) => [name, count(load.perSecond), ms(load.p50), ms(load.p99), String(load.failed)]),
    );
  } finally {
    await site.stop();
  }
}
