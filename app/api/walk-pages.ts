import { ApiContractError } from "./errors";

type Page<T> = { items: T[]; next: string | null };

/**
 * The pages of a list, each fetched when it is read. A server that ignores `cursor`, or never ends the list, would be
 * asked forever.
 * @param call the method and path
 * @param maxPages more than the list can have
 * @throws ApiContractError if a cursor comes twice, or there are more pages
 */
export async function* walkPages<T>(
  call: string,
  maxPages: number,
  read: (cursor: string | undefined) => Promise<Page<T>>,
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
  throw new ApiContractError(call);
}
