import { getTableColumns, getTableName, type SQL, sql, type WithSubquery } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./database";

type Insertion<T extends PgTable> = {
  values: T["$inferInsert"];
  condition: SQL;
  /** Other changes that the same statement makes; the condition can read what they return. */
  along?: WithSubquery[];
};

/**
 * Inserts a row if `condition` holds, in one statement, so that nothing can change in between.
 * @returns the row, or null if the condition did not hold
 */
export async function insertIf<T extends PgTable>(
  db: Database,
  table: T,
  { values, condition, along = [] }: Insertion<T>,
): Promise<T["$inferSelect"] | null> {
  // In a `select`, PostgreSQL takes untyped parameters for text, so every value is cast to its column's type.
  const fields = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = (values as Record<string, unknown>)[key] ?? column.default ?? null;
    if (value === null && isSerial(column))
      return [key, sql`nextval(pg_get_serial_sequence(${getTableName(table)}, ${column.name}))`.as(column.name)];
    return [key, sql`cast(${sql.param(value, column)} as ${sql.raw(toType(column.getSQLType()))})`.as(column.name)];
  });
  const row = db
    .select(Object.fromEntries(fields) as Record<string, SQL.Aliased>)
    .from(sql`(select 1) as one`)
    .where(condition);
  const inserted = (await db
    .with(...along)
    .insert(table)
    .select(row as never)
    .returning()) as T["$inferSelect"][];
  return inserted[0] ?? null;
}

const isSerial = (column: PgColumn) => column.getSQLType().endsWith("serial");

/** Serial types exist only in declarations: the column's real type is an integer type. */
function toType(declared: string): string {
  if (declared === "serial") return "integer";
  return declared === "bigserial" ? "bigint" : declared;
}
