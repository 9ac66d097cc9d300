import { and, desc, eq, lt, or } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ExchangeError } from "../errors";

/*
 * Keyset pagination for all lists of the API: newest first, by (createdAt, id). A page stays
 * correct while rows are added, unlike with offsets.
 */

/** The sort key of the last row of a page. */
type Cursor = { at: Date; id: string };

/** A request for the page after `cursor`, or for the first page. */
export type PageRequest = { limit: number; cursor: Cursor | null };

/**
 * The `where` condition (`after`), order and limit of a query for one page. It reads one row
 * more than the page holds; `toPage` uses it to tell whether there is a next page.
 */
export function newestFirst(table: { createdAt: PgColumn; id: PgColumn }, { limit, cursor }: PageRequest) {
  const { createdAt, id } = table;
  return {
    after: cursor ? or(lt(createdAt, cursor.at), and(eq(createdAt, cursor.at), lt(id, cursor.id))) : undefined,
    orderBy: [desc(createdAt), desc(id)],
    limit: limit + 1,
  };
}

function formatCursor(cursor: Cursor): string {
  return Buffer.from(`${cursor.at.getTime()}.${cursor.id}`, "latin1").toString("base64url");
}

/** Reads a list's query parameters. @throws invalid, naming the field `cursor` */
export function toPageRequest({ limit, cursor }: { limit: number; cursor?: string | undefined }): PageRequest {
  return { limit, cursor: cursor ? parseCursor(cursor) : null };
}

function parseCursor(text: string): Cursor {
  const plain = Buffer.from(text, "base64url").toString("latin1");
  const [, ms, id] = /^([0-9]{1,14})\.([A-Za-z0-9_-]{1,64})$/.exec(plain) ?? [];
  if (ms === undefined || id === undefined) {
    throw new ExchangeError("invalid", { fields: { cursor: "not a cursor from an earlier page" } });
  }
  return { at: new Date(Number(ms)), id };
}

/** The page in the rows that `newestFirst` has read, and where the next page begins, if there is one. */
function splitPage<Row extends { createdAt: Date; id: string | number }>(
  rows: Row[],
  limit: number,
): { shown: Row[]; cursor: Cursor | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, cursor: rows.length > limit && last ? { at: last.createdAt, id: String(last.id) } : null };
}

/** Reads a list to its end, page by page. */
export async function* readAllPages<Row extends { createdAt: Date; id: string | number }>(
  readPage: (page: PageRequest) => Promise<Row[]>,
  limit: number,
): AsyncGenerator<Row[]> {
  let cursor: Cursor | null = null;
  do {
    const page: ReturnType<typeof splitPage<Row>> = splitPage(await readPage({ limit, cursor }), limit);
    yield page.shown;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** Splits the rows that `newestFirst` read into one page and the opaque `?cursor=` of the next one, if any. */
export function toPage<Row extends { createdAt: Date; id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; next: string | null } {
  const { shown, cursor } = splitPage(rows, limit);
  return { rows: shown, next: cursor && formatCursor(cursor) };
}
