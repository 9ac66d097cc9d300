/** How long another process's report is valid. The process reports again more often than that. */
export const validMs = 25_000;

/** How a limit reaches the other processes. */
export type Sharing = {
  /** The keyed hash of a key, so that neither memory nor notifications identify anyone. */
  toId(key: string): string;
  /** Whether other processes are running. */
  isShared(): boolean;
  /** Reports the count of a key to the other processes soon. */
  announce(id: string): void;
};

/**
 * A process reports the uses of a key once there are this many: a twentieth of the limit, but at least two. Most
 * visitors never reach it.
 */
export function toReportThreshold(limit: number): number {
  return Math.max(2, Math.ceil(limit / 20));
}
