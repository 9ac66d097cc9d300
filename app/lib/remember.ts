const maxResults = 200;

/**
 * Makes a function that remembers the results of `create`, for what takes much longer to create than to look up. The
 * arguments may come from visitors' headers, so it forgets all results when there are too many.
 */
export function remember<Args extends readonly (string | undefined)[], Result extends object>(
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
