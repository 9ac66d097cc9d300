import { and, desc, eq, isNull } from "drizzle-orm";
import { type AssetSymbol, isAssetSymbol } from "../../lib/assets";
import { hasAlert } from "../alerts/alerts";
import type { Database } from "../db/database";
import { unknownPayments } from "../db/schema/history";
import { operatorActions } from "../db/schema/operator-actions";
import { endCauses, listCauses, type SwitchName } from "../switches/switches";
import { OperatorError } from "./operator-error";

/** What `operate on` ends: one cause, by its name, or all causes. */
export type StopsToEnd = { cause: string } | "all";

/** How a reason that `on` has ended is printed and recorded. The reason alone would look like a new stop. */
export const toEndedLine = (reason: string): string => `ended: ${reason}`;

/**
 * Ends causes for which a switch is off. Without `which`, ends all of them, unless there are several and one of them
 * may still apply but would not be detected again.
 * @returns the reasons why it was off; if another operator gave a reason, with that operator's name
 * @throws OperatorError
 */
export async function endStops(
  tx: Database,
  { name, which, operator }: { name: SwitchName; which: StopsToEnd | undefined; operator: string },
): Promise<string[]> {
  const ended: string[] = [];
  for (const reason of await endChosen(tx, name, which)) {
    const by = await findStopper(tx, name, reason);
    ended.push(by === null || by === operator ? reason : `${reason} (switched off by ${by})`);
  }
  return ended;
}

async function endChosen(tx: Database, name: SwitchName, which: StopsToEnd | undefined): Promise<string[]> {
  const causes = await listCauses(tx, name);
  const list = causes
    .map(({ cause, reason }) => (cause === reason ? `\n  ${cause}` : `\n  ${cause}: ${reason}`))
    .join("");
  const names = causes.map(({ cause }) => cause);
  if (which !== undefined && which !== "all") {
    const [reason] = await endCauses(tx, name, [which.cause]);
    if (reason !== undefined) return [reason];
    throw new OperatorError(
      causes.length === 0 ? `The ${name} are not off.` : `There is no such cause. The ${name} are off for:${list}`,
    );
  }
  if (which === undefined && causes.length > 1) {
    for (const cause of names) {
      if (!(await mustBeEndedByName(tx, cause))) continue;
      throw new OperatorError(
        `The ${name} are off for several causes. ${cause} may still apply, and nothing would detect it again. Deal with each cause and run "operate on ${name} CAUSE", or end all of them with "operate on ${name} --all":${list}`,
      );
    }
  }
  return endCauses(tx, name, names);
}

/**
 * The operator who last switched something off for this reason. Null if it was the exchange, or if there is no record.
 */
async function findStopper(tx: Database, name: SwitchName, reason: string): Promise<string | null> {
  const [off] = await tx
    .select({ operator: operatorActions.operator })
    .from(operatorActions)
    .where(and(eq(operatorActions.command, "off"), eq(operatorActions.arguments, [name, reason])))
    .orderBy(desc(operatorActions.id))
    .limit(1);
  return off?.operator ?? null;
}

/**
 * Whether a cause may still apply even though nothing would detect it again, so that an operator must end it by name.
 */
async function mustBeEndedByName(tx: Database, cause: string): Promise<boolean> {
  const [kind, asset = ""] = cause.split(":");
  if (kind === "unknown" && isAssetSymbol(asset)) return hasUnknownPayments(tx, asset);
  // Its alert ends once nothing is wrong; the stop does not.
  if (kind === "books" || kind === "reserves" || kind === "deposit") return hasAlert(tx, cause);
  // These are checked only at a start, or detected only once.
  return ["funding-key", "funding-indexes", "lost-commits", "payment", "rate"].includes(kind ?? "");
}

async function hasUnknownPayments(tx: Database, asset: AssetSymbol): Promise<boolean> {
  const rows = await tx
    .select({ hash: unknownPayments.hash })
    .from(unknownPayments)
    .where(and(eq(unknownPayments.asset, asset), isNull(unknownPayments.resolvedAt)))
    .limit(1);
  return rows.length > 0;
}
