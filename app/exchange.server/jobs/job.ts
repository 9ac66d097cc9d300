/** What a background job is, and jobs that exist once for each chain. */
import { type AssetSymbol, assetSymbols, assets } from "../../lib/assets";
import type { NotificationTopic } from "../db/notifications";

export type Job = {
  /** Unique, because the runs of several processes are coordinated by it. */
  name: string;
  /** From the start of one run to the start of the next. After a longer run the next starts immediately. */
  everyMs: number;
  /** Must be safe to run concurrently and to be killed at any point. */
  run(): Promise<void>;
  /** The notification that announces work; the job then runs at once. */
  wakeOn?: NotificationTopic;
  /** Whether there is work for the next run. If not, the job waits for a notification. */
  hasWork?(): Promise<boolean>;
  /** How long a job without work waits before it runs again, in case a notification was lost. Default: 30 seconds. */
  idleMs?: number;
  /** Whether the job ignores notifications and keeps to its interval while it has work. For frequent notifications. */
  wakesFromIdleOnly?: boolean;
};

/** A job for each chain, such as `check-wallet-ethereum`, so that neither waits for the other's nodes. */
export function forEachChain(name: string, toJob: (asset: AssetSymbol) => Omit<Job, "name">): Job[] {
  return assetSymbols.map((asset) => ({ name: `${name}-${assets[asset].network}`, ...toJob(asset) }));
}
