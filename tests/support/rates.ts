import type { Rates } from "~/api/contract";

/** A response of GET /api/rates. */
export function makeRates(changes: Partial<Rates> = {}): Rates {
  return {
    rates: { USDT_MOB: "2.857142857142", MOB_USDT: "0.350000000000" },
    updated_at: "2030-01-01T00:00:00.000Z",
    fee_bps: 50,
    limits: { min_usdt: "10", max_usdt: "10000" },
    payout_cost: { USDT: "0.5", MOB: "0.0004" },
    refund_cost: { USDT: "0", MOB: "0" },
    confirmations: { USDT: 3, MOB: 1 },
    quote_ttl_seconds: 60,
    lock_ttl_seconds: 1800,
    grace_seconds: 120,
    history: [{ at: "2030-01-01T00:00:00.000Z", rate: "0.35" }],
    ...changes,
  };
}
