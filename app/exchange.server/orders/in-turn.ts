const last = new Map<string, Promise<unknown>>();

/**
 * Runs the pieces of work under one key one after another, in this process. It saves work that would turn out to be
 * in vain; what must not happen twice is guarded by the database.
 */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
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
