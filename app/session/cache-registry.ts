import { queryKeyNames } from "~/lib/constants";

/** K07: what the cache holds goes by these names; what an action changes is forgotten by them. */
export type QueryName = (typeof queryKeyNames)[number];

type Cache = { clear(): void; forget(names: readonly QueryName[]): void };

/** The query client is in no first page. Who only wants to empty it need not load it. */
let cache: Cache | null = null;

/** Called by the query client when there is one. */
export function registerCache(made: Cache): void {
  cache = made;
}

/** Names forgotten since this page was loaded: what came with the document under them is not known any more. */
const forgotten = new Set<QueryName>();
let forgetCount = 0;

/** Grows with everything that is forgotten, so that an answer asked for before is not taken for known after. */
export function getForgetCount(): number {
  return forgetCount;
}

/** Signing out empties the cache, where one was made. */
export function emptyQueryCache(): void {
  forgetCount += 1;
  for (const name of queryKeyNames) forgotten.add(name);
  cache?.clear();
}

/** What changed is fetched anew when it is next asked for. */
export function forgetQueries(...names: QueryName[]): void {
  forgetCount += 1;
  for (const name of names) forgotten.add(name);
  cache?.forget(names);
}

export function isForgotten(names: readonly QueryName[]): boolean {
  return names.some((name) => forgotten.has(name));
}
