import { and, eq, isNotNull, isNull, lt, or } from "drizzle-orm";
import { type DepositRow, deposits } from "../db/schema/deposits";

/*
 * The state of a deposit, which several of its columns define together. docs/order-lifecycle.md lists the combinations
 * that occur, and what each state means.
 */

export type DepositState = "pending" | "credited" | "to_recheck" | "missing" | "written_off" | "dropped" | "gone";

type StateColumns = Pick<DepositRow, "status" | "missingSince" | "writtenOffAt" | "recheckSince">;

export function toDepositState({ status, missingSince, writtenOffAt, recheckSince }: StateColumns): DepositState {
  if (status === "pending") return "pending";
  if (status === "failed") return recheckSince === null ? "gone" : "dropped";
  if (missingSince !== null) return writtenOffAt === null ? "missing" : "written_off";
  return recheckSince === null ? "credited" : "to_recheck";
}

const isConfirmed = eq(deposits.status, "confirmed");
const hasFailed = eq(deposits.status, "failed");
const { missingSince, writtenOffAt, recheckSince } = deposits;

/** SQL condition: a deposit is in a state. */
export const depositIs = {
  pending: eq(deposits.status, "pending"),
  credited: and(isConfirmed, isNull(missingSince), isNull(recheckSince)),
  to_recheck: and(isConfirmed, isNull(missingSince), isNotNull(recheckSince)),
  missing: and(isConfirmed, isNotNull(missingSince), isNull(writtenOffAt)),
  written_off: and(isConfirmed, isNotNull(missingSince), isNotNull(writtenOffAt)),
  dropped: and(hasFailed, isNotNull(recheckSince)),
  gone: and(hasFailed, isNull(recheckSince)),
} satisfies Record<DepositState, unknown>;

/** SQL condition: a deposit is credited and not missing. */
export const isCreditedInFull = and(isConfirmed, isNull(missingSince));

/**
 * SQL condition: a deposit, or a part of it, may still be credited, because it is pending, we are looking for it, or it
 * is missing and a part was taken back. A missing deposit that an operator has written off does not count.
 */
export const mayBeCredited = or(
  depositIs.pending,
  depositIs.dropped,
  and(depositIs.missing, lt(deposits.lostAmount, deposits.amount)),
);
