const maxResults = 200;

/**
 * Returns a function that caches the results of `create`, which is slow. The arguments may come from visitors' headers,
 * so the cache is emptied when it is full.
 */
export function memoize<Args extends readonly (string | undefined)[], Result extends object>(
  create: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = args.join("\n");
    const known = results.get(key);
    if (known) return known;
    if (results.size >= maxResults) results.clear();
    const result = create(...args);
    results.set(key, result);
    return result;
  };
}
