/** How a limit reaches the other processes. */
export type Sharing = {
  /** What stands for a key, in memory and in notices: a keyed hash, so that neither says who it is. */
  toId(key: string): string;
  /** Whether another process is there to be told. */
  isShared(): boolean;
  /** Tells the other processes about a key soon. */
  announce(id: string): void;
};

/**
 * From how many uses on other processes are told: a twentieth of the limit, so that they hear nothing about most
 * visitors, and of two at least.
 */
export function toShare(limit: number): number {
  return Math.max(2, Math.ceil(limit / 20));
}
