import type { DepositRow } from "~/exchange.server/db/schema/deposits";
import type { DepositState } from "~/exchange.server/deposits/deposit-state";

const optionalColumns = ["creditedAt", "missingSince", "lostAmount", "writtenOffAt", "recheckSince"] as const;
type OptionalColumn = (typeof optionalColumns)[number];
export type DepositColumns = Pick<DepositRow, "status" | OptionalColumn>;

/** Which columns are set in a state. Those that are not listed may be set or not. */
type Combination = { status: DepositRow["status"]; isSet: Partial<Record<OptionalColumn, boolean>> };

const nothingLost = { missingSince: false, lostAmount: false, writtenOffAt: false };
const notCredited = { creditedAt: false, ...nothingLost };

/** What the exchange may store: the table in docs/order-lifecycle.md. */
const combinations: Record<DepositState, Combination> = {
  pending: { status: "pending", isSet: notCredited },
  credited: { status: "confirmed", isSet: { creditedAt: true, ...nothingLost, recheckSince: false } },
  to_recheck: { status: "confirmed", isSet: { creditedAt: true, ...nothingLost, recheckSince: true } },
  missing: { status: "confirmed", isSet: { creditedAt: true, missingSince: true, writtenOffAt: false } },
  written_off: { status: "confirmed", isSet: { creditedAt: true, missingSince: true, writtenOffAt: true } },
  dropped: { status: "failed", isSet: { ...notCredited, recheckSince: true } },
  gone: { status: "failed", isSet: { ...notCredited, recheckSince: false } },
};

/** The states to which the columns may belong; none if the exchange never stores this combination. */
export function listPossibleStates(columns: DepositColumns): DepositState[] {
  const states = Object.keys(combinations) as DepositState[];
  return states.filter((state) => {
    const { status, isSet } = combinations[state];
    const isAsListed = (name: OptionalColumn) => (isSet[name] ?? columns[name] !== null) === (columns[name] !== null);
    return columns.status === status && optionalColumns.every(isAsListed);
  });
}

/** The rows of the table in docs/order-lifecycle.md. */
export function toTableRows(): string[] {
  return Object.entries(combinations).map(([state, { status, isSet }]) => {
    const cells = optionalColumns.map((name) => (isSet[name] === undefined ? "– or set" : isSet[name] ? "set" : "–"));
    return `| \`${state}\` | \`${status}\` | ${cells.join(" | ")} |`;
  });
}

/** Every combination of the columns, possible or not. */
export function listAllColumns(): DepositColumns[] {
  const times = [null, new Date(0)];
  return (["pending", "confirmed", "failed"] as const).flatMap((status) =>
    times.flatMap((creditedAt) =>
      times.flatMap((missingSince) =>
        [null, 1n, 2n].flatMap((lostAmount) =>
          times.flatMap((writtenOffAt) =>
            times.map((recheckSince) => {
              const first = { status, creditedAt, missingSince };
              return { ...first, lostAmount, writtenOffAt, recheckSince };
            }),
          ),
        ),
      ),
    ),
  );
}
