import { getTableColumns, sql } from "drizzle-orm";
import { inBatches } from "../db/batches";
import { prepareQuery } from "../db/prepare-query";
import { type QuoteRow, quotes } from "../db/schema/quotes";
import { stampNow } from "./market";

/**
 * Inserts a quote if its stamp is still the market's. Quotes that wait at the same time are inserted together.
 * @returns whether it was inserted
 */
export const insertQuoteIf = inBatches(async (db, given: { quote: QuoteRow; stamp: string }[]) => {
  const inserted = await insertQuotesIf(db, { rows: JSON.stringify(given.map(toJsonRow)) });
  const ids = new Set(inserted.map(({ id }) => id));
  return given.map(({ quote }) => ids.has(quote.id));
});

/** Inserts the rows, given as a JSON array, whose stamp is the market's. */
const insertQuotesIf = prepareQuery("insert_quotes", { rows: sql<string>`jsonb` }, (db, { rows }) => {
  const columns = Object.entries(getTableColumns(quotes)).map(([key, column]) => ({
    name: sql.identifier(key),
    type: sql.raw(column.getSQLType()),
  }));
  const names = columns.map(({ name }) => name);
  const definitions = [...columns.map(({ name, type }) => sql`${name} ${type}`), sql`stamp text`];
  const given = sql`jsonb_to_recordset(${rows}) as given (${sql.join(definitions, sql`, `)})`;
  const insertion = db
    .insert(quotes)
    .select(sql`select ${sql.join(names, sql`, `)} from ${given} where stamp = ${stampNow}`)
    .returning({ id: quotes.id });
  const inserted = db.$with("inserted").as(insertion);
  return db.with(inserted).select().from(inserted);
});

function toJsonRow({ quote, stamp }: { quote: QuoteRow; stamp: string }): Record<string, unknown> {
  const values = Object.entries(getTableColumns(quotes)).map(([key, column]) => {
    const value = quote[key as keyof QuoteRow];
    return [key, value === null ? null : column.mapToDriverValue(value)];
  });
  return { ...Object.fromEntries(values), stamp };
}
