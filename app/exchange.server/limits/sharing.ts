/** How a limit reaches the other processes. */
export type Sharing = {
  /** The keyed hash of a key, so that neither memory nor notices identify anyone. */
  toId(key: string): string;
  /** Whether another process is there to be told. */
  isShared(): boolean;
  /** Tells the other processes about a key soon. */
  announce(id: string): void;
};

/**
 * The number of uses from which other processes are told: a twentieth of the limit, and at least two, so that most
 * visitors are never mentioned.
 */
export function toShare(limit: number): number {
  return Math.max(2, Math.ceil(limit / 20));
}
