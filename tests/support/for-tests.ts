import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

type Closable = { close(): unknown };

/**
 * Opens something once for all tests of a file or `describe` block, and closes it after them. The result can be used
 * like what was opened, in tests and in the hooks that follow.
 */
export function forAllTests<T extends Closable>(open: () => Promise<T>): T {
  return standFor(open, beforeAll, afterAll);
}

/** Like `forAllTests`, but opens and closes it for each test of a file or block. */
export function forEachTest<T extends Closable>(open: () => Promise<T>): T {
  return standFor(open, beforeEach, afterEach);
}

type Hook = (work: () => Promise<void>) => void;

function standFor<T extends Closable>(open: () => Promise<T>, before: Hook, after: Hook): T {
  let opened: T | undefined;
  before(async () => {
    opened = await open();
  });
  after(async () => {
    const closing = opened;
    opened = undefined;
    await closing?.close();
  });
  const getOpened = (): T => {
    if (opened === undefined) throw new Error("this can be used only in tests and hooks");
    return opened;
  };
  return new Proxy({} as T, {
    get: (_target, name) => Reflect.get(getOpened(), name) as unknown,
    set: (_target, name, value) => Reflect.set(getOpened(), name, value),
  });
}
