import { desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { ratePoints } from "../db/schema/rates";
import { switches } from "../db/schema/switches";
import { perContext } from "../per-context";
import type { SwitchName } from "../switches/switches";

/** What a new price depends on, as it was at one moment. */
export type Market = {
  /** Whether new swaps, or payments, are switched off. */
  switchedOff: Record<SwitchName, boolean>;
  chains: Record<AssetSymbol, typeof chainStates.$inferSelect | null>;
  /** The rate that was stored last, of any age; null before the first. */
  rate: typeof ratePoints.$inferSelect | null;
  /** Changes with everything above that a price depends on; compared with `stampNow`. */
  stamp: string;
};

const usdt = alias(chainStates, "usdt");
const mob = alias(chainStates, "mob");

/** An SQL expression for the market's current stamp. The progress of scans and checks is not part of it. */
export const stampNow: SQL<string> = sql<string>`(select md5(concat_ws('|',
  (select string_agg(distinct name, ',') from switches),
  (select string_agg(concat_ws(',', asset, synced, spendable, max_payment, payment_cost, payment_block_reason), ';' order by asset)
     from chain_states),
  (select max(id) from rate_points))))`;

const isOff = (name: SwitchName) => sql<boolean>`exists (select from ${switches} where ${eq(switches.name, name)})`;

/** Reads the market in one statement. */
export async function readMarket(db: Database): Promise<Market> {
  const newest = db.select().from(ratePoints).orderBy(desc(ratePoints.id)).limit(1).as("newest");
  const [row] = await db
    .select({
      stamp: sql<string>`one.stamp`,
      swaps: isOff("swaps"),
      payments: isOff("payments"),
      usdt,
      mob,
      rate: { id: newest.id, rate: newest.rate, bid: newest.bid, ask: newest.ask, at: newest.at },
    })
    .from(sql`(select ${stampNow} as stamp) as one`)
    .leftJoin(usdt, eq(usdt.asset, "USDT"))
    .leftJoin(mob, eq(mob.asset, "MOB"))
    .leftJoin(newest, sql`true`);
  return {
    switchedOff: { swaps: row?.swaps === true, payments: row?.payments === true },
    chains: { USDT: row?.usdt ?? null, MOB: row?.mob ?? null },
    rate: row?.rate ?? null,
    stamp: row?.stamp ?? "",
  };
}

/** How long a market that was read may be used for prices that are checked against its stamp, and for estimates. */
const maxAgeMs = 5_000;

const lastRead = perContext((): { known: { market: Market; at: number } | null } => ({ known: null }));

/**
 * The market as it was read at most five seconds ago. Anything based on it must either be written together with a check
 * that `stampNow` is still its stamp, or be shown without a promise.
 */
export async function getRecentMarket(ctx: ExchangeContext): Promise<Market> {
  const { known } = lastRead(ctx);
  if (known && performance.now() - known.at < maxAgeMs) return known.market;
  return getMarket(ctx);
}

/** The market as it was last read in this process, at any time, or null. For comparison with a stamp. */
export function getKnownMarket(ctx: ExchangeContext): Market | null {
  return lastRead(ctx).known?.market ?? null;
}

/** The market as it is now, as `db` sees it. */
export async function getMarket(ctx: ExchangeContext, db: Database = ctx.db): Promise<Market> {
  const at = performance.now();
  const market = await readMarket(db);
  lastRead(ctx).known = { market, at };
  return market;
}
