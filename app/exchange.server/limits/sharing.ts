/** How a limit reaches the other processes. */
export type Sharing = {
  /** The keyed hash of a key, so that neither memory nor notices identify anyone. */
  toId(key: string): string;
  /** Whether there is another process. */
  isShared(): boolean;
  /** Reports the count of a key to the other processes soon. */
  announce(id: string): void;
};

/**
 * The number of uses from which they are reported to other processes: a twentieth of the limit, and at least two, so
 * that most visitors never are.
 */
export function toReportThreshold(limit: number): number {
  return Math.max(2, Math.ceil(limit / 20));
}
