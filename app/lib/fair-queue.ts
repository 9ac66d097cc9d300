type Options = {
  /** How many jobs run at a time, and how many of them may belong to one network. */
  max: number;
  maxPerNetwork?: number;
  /** How many jobs of one network may wait for their turn: scripts may act for many customers at once. */
  maxWaiting?: number;
  /** The error for a job whose network already has too many jobs waiting. */
  refuse(): Error;
};

/** Runs jobs as soon as fewer than `max` others are running, in the order in which they arrived. */
function createSemaphore(max: number) {
  let free = max;
  const waiting: (() => void)[] = [];
  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/**
 * Lets each network run a few jobs at a time, by default one, and all networks together at most `max`. The other jobs
 * of a network wait outside the queue that all networks share, so a network never has to wait for all requests of
 * another network. Rejects with `refuse` if too many jobs of the network wait.
 */
export function createFairQueue({ max, maxPerNetwork = 1, maxWaiting = 1_000, refuse }: Options) {
  const overall = createSemaphore(max);
  const networks = new Map<string, { jobs: number; semaphore: ReturnType<typeof createSemaphore> }>();
  return async <T>(network: string, job: () => Promise<T>): Promise<T> => {
    const entry = networks.get(network) ?? { jobs: 0, semaphore: createSemaphore(maxPerNetwork) };
    if (entry.jobs >= maxPerNetwork + maxWaiting) throw refuse();
    entry.jobs += 1;
    networks.set(network, entry);
    try {
      return await entry.semaphore(() => overall(job));
    } finally {
      entry.jobs -= 1;
      if (entry.jobs === 0) networks.delete(network);
    }
  };
}
