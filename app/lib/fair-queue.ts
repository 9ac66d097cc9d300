import { ExchangeError } from "../exchange.server/errors";

/** How many requests of one network may wait for their turn: scripts may act for many customers at once. */
const maxWaiting = 100;

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
 * Lets each network run one job at a time, and all networks together at most `max`. A network has one job in the queue
 * at a time, so a network never has to wait for all the requests of another.
 * @throws rate_limited if too many jobs of the network wait
 */
export function createFairQueue(max: number) {
  const overall = createSemaphore(max);
  const networks = new Map<string, { jobs: number; semaphore: ReturnType<typeof createSemaphore> }>();
  return async <T>(network: string, job: () => Promise<T>): Promise<T> => {
    const entry = networks.get(network) ?? { jobs: 0, semaphore: createSemaphore(1) };
    if (entry.jobs > maxWaiting) throw new ExchangeError("rate_limited", { retryAfterSeconds: 1 });
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
