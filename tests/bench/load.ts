import autocannon from "autocannon";

export type Load = { perSecond: number; p50: number; p99: number; failed: number };

/** Loads a URL from ten connections for four seconds, after a warm-up. Responses other than 2xx count as failed. */
export async function measure(
  url: string,
  { warmUpSeconds = 1, ...options }: Partial<autocannon.Options> & { warmUpSeconds?: number } = {},
): Promise<Load> {
  const common = { url, connections: 10, ...options };
  await autocannon({ ...common, duration: warmUpSeconds });
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({ ...common, duration: 4 });
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors + timeouts };
}
