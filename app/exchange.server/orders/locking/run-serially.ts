const last = new Map<string, Promise<unknown>>();

/**
 * Runs work with the same key one after another, in this process. This only saves work: the database makes sure that
 * nothing happens twice.
 */
export async function runSerially<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const own = (async () => {
    await before?.catch(() => undefined);
    return work();
  })();
  last.set(key, own);
  try {
    return await own;
  } finally {
    if (last.get(key) === own) last.delete(key);
  }
}
