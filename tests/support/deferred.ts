/** A promise, and the functions that settle it: `Promise.withResolvers`, which Node 20 lacks. */
export function deferred<Value = void>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
