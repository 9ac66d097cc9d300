import { type Sharing, toReportThreshold, validMs } from "./sharing";

/** Counts the slots that are taken per key, including those in other processes. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #sharing: Sharing;
  readonly #threshold: number;
  readonly #taken = new Map<string, number>();
  /** By key, then by process. */
  readonly #elsewhere = new Map<string, Map<string, { count: number; at: number }>>();

  constructor(max: number, sharing: Sharing) {
    this.#max = max;
    this.#sharing = sharing;
    this.#threshold = toReportThreshold(max);
  }

  /** Whether all slots are taken. */
  isFull(key: string): boolean {
    const id = this.#sharing.toId(key);
    const now = performance.now();
    let count = this.#taken.get(id) ?? 0;
    for (const remote of this.#elsewhere.get(id)?.values() ?? []) if (now - remote.at < validMs) count += remote.count;
    return count >= this.#max;
  }

  /** Takes a slot. Returns the function that gives it back. */
  acquire(key: string): () => void {
    const id = this.#sharing.toId(key);
    this.#change(id, 1);
    return () => this.#change(id, -1);
  }

  /** The count to report to the other processes: 0 below the threshold. */
  takeCount(id: string): number {
    const count = this.#taken.get(id) ?? 0;
    return count >= this.#threshold ? count : 0;
  }

  /** Stores how many slots are taken in another process. */
  addRemoteCount(from: string, id: string, count: number): void {
    const remote = this.#elsewhere.get(id) ?? new Map<string, { count: number; at: number }>();
    if (count === 0) remote.delete(from);
    else remote.set(from, { count, at: performance.now() });
    if (remote.size === 0) this.#elsewhere.delete(id);
    else this.#elsewhere.set(id, remote);
  }

  /** Drops counts that were not renewed, or all counts of a process that has stopped. */
  dropRemote(stopped: string | null): void {
    const now = performance.now();
    for (const [id, remote] of this.#elsewhere) {
      for (const [from, { at }] of remote) if (from === stopped || now - at >= validMs) remote.delete(from);
      if (remote.size === 0) this.#elsewhere.delete(id);
    }
  }

  /** Reports all counts again, in case a notification got lost or another process has just started. */
  renew(): void {
    for (const [id, count] of this.#taken) if (count >= this.#threshold) this.#sharing.announce(id);
  }

  #change(id: string, change: 1 | -1): void {
    const before = this.#taken.get(id) ?? 0;
    const count = before + change;
    if (count === 0) this.#taken.delete(id);
    else this.#taken.set(id, count);
    if (Math.max(before, count) >= this.#threshold) this.#sharing.announce(id);
  }
}
