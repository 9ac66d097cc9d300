import {
  Column,
  type GetColumnData,
  getTableColumns,
  is,
  type Param,
  type Query,
  SQL,
  Subquery,
  sql,
  Table,
} from "drizzle-orm";
import type { PgColumn, SelectedFieldsOrdered } from "drizzle-orm/pg-core";
import type { Database } from "./database";

type Columns = Record<string, PgColumn | SQL>;

/** What a call sends: a value for each column or expression that `prepareQuery` was given. */
type Values<C extends Columns> = {
  [K in keyof C]: C[K] extends PgColumn ? GetColumnData<C[K], "query"> : C[K] extends SQL<infer T> ? T : never;
};

/** A `select` of Drizzle's query builder. */
type Select<Row> = {
  toSQL(): Query;
  readonly _: { readonly result: Row[]; readonly config: { readonly fields: Record<string, unknown> } };
};

/** `groups` names the selected fields that are objects of several columns. */
type Built = { query: Query; fields: SelectedFieldsOrdered; groups: string[] };

/**
 * Builds a query on its first call; later calls only send values (docs/decisions/0044-keep-large-queries-built.md). Use
 * it for large queries that are sent often: building one takes longer than sending it. PostgreSQL keeps the plan under
 * `name`, so every query needs a different name.
 *
 * @param columns the values by name, each with the column that it is compared with or stored in, which also defines how
 *   it is sent. For a value without a column, pass an expression such as sql<string[]>`text[]`: only its type is used
 * @param build builds the query, with a parameter for each value; its text must always be the same. In the result, a
 *   group of columns is null if all of them are null, as after a left join that found no row
 *
 * @example
 * const selectOrders = prepareQuery("orders", { accountId: orders.accountId }, (db, { accountId }) =>
 *   db.select().from(orders).where(eq(orders.accountId, accountId)),
 * );
 * const rows = await selectOrders(tx, { accountId: "…" });
 */
export function prepareQuery<C extends Columns, Row extends Record<string, unknown>>(
  name: string,
  columns: C,
  build: (db: Database, values: { [K in keyof C]: Param }) => Select<Row>,
): (db: Database, values: Values<C>) => Promise<Row[]> {
  let built: Built | undefined;
  return async (db, values) => {
    built ??= inspect(build(db, toParameters(columns)));
    const { query, fields, groups } = built;
    const rows = (await db._.session.prepareQuery(query, fields, name, true).execute(values)) as Row[];
    return rows.map((row) => withoutEmptyGroups(row, groups));
  };
}

function toParameters<C extends Columns>(columns: C): { [K in keyof C]: Param } {
  const parameters = Object.entries(columns).map(([name, column]) => {
    const value = sql.placeholder(name);
    return [name, is(column, SQL) ? sql.param(value) : sql.param(value, column)];
  });
  return Object.fromEntries(parameters) as { [K in keyof C]: Param };
}

function inspect(select: Select<unknown>): Built {
  const fields = listFields(select._.config.fields);
  const groups = fields.flatMap(({ path: [name, ...rest] }) => (name !== undefined && rest.length > 0 ? [name] : []));
  return { query: select.toSQL(), fields, groups: [...new Set(groups)] };
}

function listFields(fields: Record<string, unknown>, parents: string[] = []): SelectedFieldsOrdered {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...parents, name];
    const isColumn = is(field, Column) || is(field, SQL) || is(field, SQL.Aliased) || is(field, Subquery);
    if (isColumn) return [{ path, field: field as PgColumn }];
    return listFields(is(field, Table) ? getTableColumns(field) : (field as Record<string, unknown>), path);
  });
}

function withoutEmptyGroups<Row extends Record<string, unknown>>(row: Row, groups: string[]): Row {
  const isEmpty = (name: string) => Object.values(row[name] as object).every((value) => value === null);
  return Object.assign(row, Object.fromEntries(groups.filter(isEmpty).map((name) => [name, null])));
}
