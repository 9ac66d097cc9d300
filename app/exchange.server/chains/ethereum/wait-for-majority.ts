/** How long to wait for the other nodes once a majority has responded. */
const patienceMs = 3_000;

/** Stands for the response of a node for which we stopped waiting. */
export class SilentNodeError extends Error {
  constructor() {
    super("The node did not respond in time.");
    this.name = "SilentNodeError";
  }
}

/**
 * Waits until all have responded, or a majority has and the others had extra time. `waits`: which nodes get extra time.
 */
export async function waitForMajority<T>(
  responses: Promise<T | Error>[],
  { majority, waits }: { majority: number; waits: boolean[] },
): Promise<(T | Error)[]> {
  const results: (T | Error)[] = responses.map(() => new SilentNodeError());
  let timer: NodeJS.Timeout | undefined;
  const open = new Set(responses.keys());
  let succeeded = 0;
  await new Promise<void>((resolve) => {
    if (open.size === 0) resolve();
    for (const [index, response] of responses.entries()) {
      void response.then((result) => {
        results[index] = result;
        open.delete(index);
        if (!(result instanceof Error)) succeeded += 1;
        if (open.size === 0) resolve();
        else if (succeeded < majority) return;
        else if ([...open].some((other) => waits[other])) timer ??= setTimeout(resolve, patienceMs);
        else resolve();
      });
    }
  });
  clearTimeout(timer);
  return [...results];
}
