import { queryKeyNames } from "~/lib/constants";

/** K07: the names by which cached data is stored and invalidated. */
export type QueryName = (typeof queryKeyNames)[number];

type Cache = { clear(): void; remove(names: readonly QueryName[]): void };

/** Set once React Query is loaded. This module works without it, to keep it out of the first page load. */
let cache: Cache | null = null;

/** Connects the query client, which is loaded on demand. */
export function registerCache(loaded: Cache): void {
  cache = loaded;
}

/** Names invalidated since the page was loaded: the data in the document is stale for them. */
const invalidatedNames = new Set<QueryName>();
let invalidationCount = 0;

/** Increases with every invalidation, so that data requested before one is not cached after it. */
export function getInvalidationCount(): number {
  return invalidationCount;
}

/** Removes everything, when the visitor signs in or out. */
export function clearQueryCache(): void {
  invalidateQueries(...queryKeyNames);
  cache?.clear();
}

/** Removes data by name, so that it is fetched again when it is needed. */
export function invalidateQueries(...names: QueryName[]): void {
  invalidationCount += 1;
  for (const name of names) invalidatedNames.add(name);
  cache?.remove(names);
}

/** Whether any of the names was invalidated since the page was loaded. */
export function isInvalidated(names: readonly QueryName[]): boolean {
  return names.some((name) => invalidatedNames.has(name));
}
