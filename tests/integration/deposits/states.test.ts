import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { queryRows } from "~/exchange.server/db/database";
import {
  type DepositState,
  depositIs,
  isCreditedInFull,
  mayBeCredited,
  toDepositState,
} from "~/exchange.server/deposits/deposit-state";
import {
  type DepositColumns,
  listAllColumns,
  listPossibleStates,
  toTableRows,
} from "../../support/deposit-combinations";
import { openTestDatabase } from "../../support/test-database";

describe("the state of a deposit", () => {
  const all = listAllColumns();

  it("follows from each combination of columns that the exchange stores", () => {
    const possible = all.filter((columns) => listPossibleStates(columns).length > 0);
    expect(possible.map(listPossibleStates)).toEqual(possible.map((columns) => [toDepositState(columns)]));
    expect(new Set(possible.map(toDepositState))).toEqual(new Set(Object.keys(depositIs)));
  });

  it("is documented with these combinations", () => {
    const [, table = ""] = readFileSync("docs/order-lifecycle.md", "utf8").split("#### States of a deposit", 2);
    expect(table.split("\n").filter((line) => line.startsWith("| `"))).toEqual(expect.arrayContaining(toTableRows()));
  });

  it("is the only one whose condition in SQL holds", async () => {
    const { db, close } = await openTestDatabase("PGlite");
    try {
      const rows = all.map(({ status, missingSince, lostAmount, writtenOffAt, recheckSince }, position) => ({
        ...{ position, status, missing_since: missingSince, written_off_at: writtenOffAt, recheck_since: recheckSince },
        ...{ lost_amount: lostAmount === null ? null : Number(lostAmount), amount: 2 },
      }));
      const select = (condition: unknown) =>
        queryRows<{ position: number }>(
          db,
          sql`with deposits as (
              select * from json_to_recordset(${JSON.stringify(rows)}::json)
                as columns(position int, status text, missing_since timestamptz, lost_amount numeric, amount numeric,
                           written_off_at timestamptz, recheck_since timestamptz))
            select position from deposits where ${condition} order by position`,
        );
      const expectHolds = async (
        condition: unknown,
        holds: (state: DepositState, columns: DepositColumns) => boolean,
      ) => {
        const expected = all.flatMap((columns, position) =>
          holds(toDepositState(columns), columns) ? [{ position }] : [],
        );
        expect(await select(condition)).toEqual(expected);
      };
      for (const [name, condition] of Object.entries(depositIs))
        await expectHolds(condition, (state) => state === name);
      await expectHolds(isCreditedInFull, (state) => state === "credited" || state === "to_recheck");
      await expectHolds(
        mayBeCredited,
        (state, { lostAmount }) =>
          state === "pending" || state === "dropped" || (state === "missing" && lostAmount === 1n),
      );
    } finally {
      await close();
    }
  });
});
