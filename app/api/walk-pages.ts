type Page<T> = { items: T[]; next: string | null };

/**
 * The pages of a list, each fetched when it is read. Guards against a server that ignores `cursor` or never ends the
 * list, which would otherwise be called forever.
 * @param maxPages more than the list can have
 * @param read fetches a page
 * @param fail makes the error that is thrown if a cursor appears twice, or there are more pages
 */
export async function* walkPages<T>(
  maxPages: number,
  read: (cursor: string | undefined) => Promise<Page<T>>,
  fail: (cause: Error) => Error,
): AsyncGenerator<T[], void> {
  const cursors = new Set<string>();
  for (let cursor: string | undefined; cursors.size < maxPages; ) {
    const { items, next } = await read(cursor);
    yield items;
    if (next === null) return;
    if (cursors.has(next)) break;
    cursors.add(next);
    cursor = next;
  }
  throw fail(new Error(`The list does not end: ${cursors.size} cursors.`));
}
