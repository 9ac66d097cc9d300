import { eq } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { chainStates, switches } from "./tables";

/** What an operator, or the service itself, can turn off. */
export type SwitchName = "swaps" | "payments";

/** Turns something off, with the reason for the operator; keeps the first reason. */
export async function switchOff(db: Database, name: SwitchName, reason: string, at: Date): Promise<boolean> {
  const rows = await db
    .insert(switches)
    .values({ name, off: 1, reason, changedAt: at })
    .onConflictDoUpdate({
      target: switches.name,
      set: { off: 1, reason, changedAt: at },
      setWhere: eq(switches.off, 0),
    })
    .returning({ name: switches.name });
  return rows.length === 1;
}

/** Lets new swaps or payments go on; harmless where they do already. */
export async function switchOn(db: Database, name: SwitchName, at: Date): Promise<void> {
  await db
    .insert(switches)
    .values({ name, off: 0, reason: "", changedAt: at })
    .onConflictDoUpdate({ target: switches.name, set: { off: 0, reason: "", changedAt: at } });
}

/** The reason for which it is off, or null while it is on. */
export async function getSwitchReason(db: Database, name: SwitchName): Promise<string | null> {
  const [row] = await db.select().from(switches).where(eq(switches.name, name));
  return row?.off === 1 ? row.reason : null;
}

/** Chains not looked at for this long count as out of reach. */
const staleMs = 30_000;

/** Why no new swaps are taken, as a code for /api/status; null while they are. Refunds and payouts go on regardless. */
export async function getStopReason(db: Database, x: ExchangeContext): Promise<string | null> {
  if ((await getSwitchReason(db, "swaps")) !== null) return "stopped_by_operator";
  if ((await getSwitchReason(db, "payments")) !== null) return "payments_halted";
  const states = await db.select().from(chainStates);
  const now = await x.clock.now(db);
  for (const asset of ["USDT", "MOB"] as const) {
    const state = states.find((row) => row.asset === asset);
    const { network } = x.chains[asset];
    const isFresh = (at: Date | null) => at !== null && now.getTime() - at.getTime() < staleMs;
    if (!state || !isFresh(state.checkedAt) || !isFresh(state.walletCheckedAt) || state.synced !== 1)
      return `${network}_out_of_reach`;
    if (state.obstacle !== null) return `${network}_payments_blocked`;
  }
  return null;
}

/** @throws swaps_stopped (503) when new quotes and locks are not taken */
export async function requireSwapsAccepted(db: Database, x: ExchangeContext): Promise<void> {
  const reason = await getStopReason(db, x);
  if (reason !== null) throw new ExchangeError("swaps_stopped", { retryAfterSeconds: 30, extra: { reason } });
}
