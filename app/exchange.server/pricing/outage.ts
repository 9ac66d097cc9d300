import { sql } from "drizzle-orm";
import { type AssetSymbol, assets } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { type Database, queryRows } from "../db/database";
import { checkNodes, unblockPayments } from "../operator-advice";
import type { Market } from "./market";
import { getRateFailure } from "./rates";
import { getPauseReason } from "./swap-acceptance";

/** Nodes, wallets and feeds are often unreachable for minutes. */
const alertAfterMs = 10 * minuteMs;

type Outage = { reason: string; action: string };

/**
 * What is stopping new swaps, other than the switches, and what the operator should do about it. Null if nothing is.
 * The cause may also delay payments.
 */
export function describeOutage(ctx: ExchangeContext, market: Market, now: Date): Outage | null {
  const pauseReason = getPauseReason(ctx, { ...market, switchedOff: { swaps: false, payments: false } }, now);
  switch (pauseReason) {
    case null:
    case "stopped_by_operator":
    case "payments_halted":
      return null;
    case "ethereum_payments_blocked":
      return describeBlock("USDT", market);
    case "mobilecoin_payments_blocked":
      return describeBlock("MOB", market);
    case "ethereum_out_of_reach":
      return describeUnreachable("USDT", market);
    case "mobilecoin_out_of_reach":
      return describeUnreachable("MOB", market);
    case "clocks_differ":
      return {
        reason: "The database's clock differs by more than two minutes from the time of Ethereum's newest block.",
        action: "Correct the clock of the machine on which PostgreSQL runs, and this machine's if it is wrong too.",
      };
    case "rate_unknown": {
      const failure = getRateFailure(ctx);
      const reason = `There is no recent rate${failure === null ? "" : ` (${failure})`}.`;
      return { reason, action: "Check the feeds in RATE_SOURCES." };
    }
    case "not_running":
      return {
        reason: "The chains have not been scanned or checked recently.",
        action: "Check the log of the process that runs the jobs.",
      };
  }
}

function describeBlock(asset: AssetSymbol, { chains }: Market): Outage {
  return { reason: `${asset} cannot be paid: ${chains[asset]?.paymentBlockReason}`, action: unblockPayments(asset) };
}

function describeUnreachable(asset: AssetSymbol, { chains }: Market): Outage {
  const lastError = chains[asset]?.lastError;
  const error = lastError ? ` (${lastError})` : "";
  const chain = assets[asset].network === "ethereum" ? "Ethereum" : "MobileCoin";
  const reason = `${chain} or our wallet on it cannot be read, or is not in sync${error}.`;
  return { reason, action: checkNodes(asset) };
}

/** Alerts an operator once an outage has stopped new swaps for ten minutes. The alert ends with the outage. */
export async function reportSwapOutage(tx: Database, ctx: ExchangeContext, market: Market, now: Date): Promise<void> {
  const subject = "swaps";
  const outage = describeOutage(ctx, market, now);
  if (outage === null) return clearAlert(tx, subject);
  const since = await readStoppedSince(tx);
  if (since === null || now.getTime() - since.getTime() < alertAfterMs) return;
  const reason = `New swaps have been refused since ${since.toISOString()}, and will be accepted again automatically. ${outage.reason}`;
  await raiseAlert(tx, ctx, { subject, reason, action: outage.action, at: now });
}

/** Since when new swaps have been refused without a break, for reasons other than the switches. */
async function readStoppedSince(tx: Database): Promise<Date | null> {
  const isOther = sql`reason is null or reason in ('stopped_by_operator', 'payments_halted')`;
  const [row] = await queryRows<{ ms: string | null }>(
    tx,
    sql`select (extract(epoch from min(started_at)) * 1000)::text as ms from acceptance_periods
         where id > coalesce((select max(id) from acceptance_periods where ${isOther}), 0)`,
  );
  return row?.ms == null ? null : new Date(Number(row.ms));
}
