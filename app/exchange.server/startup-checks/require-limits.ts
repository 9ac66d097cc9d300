import { sql } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import { StartupError } from "../../lib/startup-error";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { siteSettings } from "../db/schema/site-settings";

type Limited = Pick<ExchangeContext, "config" | "chains">;

/** The settings with which operators' commands plan payments and deadlines, by the name of their variable. */
function toLimits({ config, chains }: Limited): Record<string, string> {
  const { payoutCost, refundCost } = config;
  return {
    FEE_BPS: String(config.feeBps),
    MIN_USDT: formatAmount(config.minUsdt, "USDT"),
    MAX_USDT: formatAmount(config.maxUsdt, "USDT"),
    OVERPAID_TOLERANCE_BPS: String(config.overpaidToleranceBps),
    PAYOUT_COST_USDT: formatAmount(payoutCost.USDT, "USDT"),
    PAYOUT_COST_MOB: formatAmount(payoutCost.MOB, "MOB"),
    REFUND_COST_USDT: formatAmount(refundCost.USDT, "USDT"),
    REFUND_COST_MOB: formatAmount(refundCost.MOB, "MOB"),
    REFUND_MAX_USDT: formatAmount(config.refundMaxUsdt, "USDT"),
    DECISION_TTL_MS: String(config.decisionTtlMs),
    RECOVERY_HOLD_MS: String(config.recoveryHoldMs),
    USDT_CONFIRMATIONS: String(chains.USDT.requiredConfirmations),
    MOB_CONFIRMATIONS: String(chains.MOB.requiredConfirmations),
  };
}

/** Stores the limits of this process, which runs the jobs, so that commands with different limits are refused. */
export async function storeLimits(db: Database, limited: Limited): Promise<void> {
  const rows = Object.entries(toLimits(limited)).map(([name, value]) => ({ name, value }));
  await db
    .insert(siteSettings)
    .values(rows)
    .onConflictDoUpdate({ target: siteSettings.name, set: { value: sql`excluded.value` } });
}

/**
 * Requires the limits to be the site's, because the command plans payments with them.
 * @throws StartupError that names every difference
 */
export async function requireLimits(db: Database, limited: Limited): Promise<void> {
  const own = toLimits(limited);
  const differences = (await db.select().from(siteSettings).orderBy(siteSettings.name)).flatMap(({ name, value }) =>
    own[name] === undefined || own[name] === value ? [] : [`${name} is ${own[name]} here and ${value} for the site`],
  );
  if (differences.length === 0) return;
  throw new StartupError(
    `${differences.join(", ")}: run the command with the limits of the site, or restart the site if they have changed.`,
  );
}
