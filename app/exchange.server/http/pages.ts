import { ExchangeError } from "../errors";

/** Where a page ended: the sort key of its last row (newest first, ids break ties). */
export type Cursor = { at: Date; id: string };

/** An opaque `?cursor=` for the next page. */
export function formatCursor(cursor: Cursor): string {
  return Buffer.from(`${cursor.at.getTime()}.${cursor.id}`, "latin1").toString("base64url");
}

/** @throws invalid, with a word for the field `cursor` */
export function parseCursor(text: string): Cursor {
  const plain = Buffer.from(text, "base64url").toString("latin1");
  const [, ms, id] = /^([0-9]{1,14})\.([A-Za-z0-9_-]{1,64})$/.exec(plain) ?? [];
  if (ms === undefined || id === undefined) {
    throw new ExchangeError("invalid", { fields: { cursor: "not a cursor that we gave" } });
  }
  return { at: new Date(Number(ms)), id };
}

/** One page from `limit + 1` rows: the extra row only tells that there is more. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  toCursor: (row: Row) => Cursor,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(toItem), next: rows.length > limit && last ? formatCursor(toCursor(last)) : null };
}
