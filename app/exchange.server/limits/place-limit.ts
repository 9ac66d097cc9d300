import { type Sharing, toShare } from "./sharing";

/** How long the counts of another process are valid. It sends them again every `renewMs`. */
const validMs = 25_000;

/** Counts the places that are taken per key, those in other processes included. */
export class PlaceLimit {
  readonly #max: number;
  readonly #sharing: Sharing;
  readonly #share: number;
  readonly #taken = new Map<string, number>();
  /** By key, then by process. */
  readonly #elsewhere = new Map<string, Map<string, { count: number; at: number }>>();

  constructor(max: number, sharing: Sharing) {
    this.#max = max;
    this.#sharing = sharing;
    this.#share = toShare(max);
  }

  /** Whether all places are taken. */
  isFull(key: string): boolean {
    const id = this.#sharing.toId(key);
    const now = performance.now();
    let count = this.#taken.get(id) ?? 0;
    for (const told of this.#elsewhere.get(id)?.values() ?? []) if (now - told.at < validMs) count += told.count;
    return count >= this.#max;
  }

  /** Takes a place. Returns the function that gives it back. */
  take(key: string): () => void {
    const id = this.#sharing.toId(key);
    this.#change(id, 1);
    return () => this.#change(id, -1);
  }

  /** The places that the other processes should know of. */
  tell(id: string): number {
    const count = this.#taken.get(id) ?? 0;
    return count >= this.#share ? count : 0;
  }

  /** Another process has told how many places are taken there. */
  hear(from: string, id: string, count: number): void {
    const told = this.#elsewhere.get(id) ?? new Map<string, { count: number; at: number }>();
    if (count === 0) told.delete(from);
    else told.set(from, { count, at: performance.now() });
    if (told.size === 0) this.#elsewhere.delete(id);
    else this.#elsewhere.set(id, told);
  }

  /** Drops counts that were not renewed, or all counts of a process that has stopped. */
  forget(stopped: string | null): void {
    const now = performance.now();
    for (const [id, told] of this.#elsewhere) {
      for (const [from, { at }] of told) if (from === stopped || now - at >= validMs) told.delete(from);
      if (told.size === 0) this.#elsewhere.delete(id);
    }
  }

  /** Tells the other processes again, in case a notice got lost or they have just started. */
  renew(): void {
    for (const [id, count] of this.#taken) if (count >= this.#share) this.#sharing.announce(id);
  }

  #change(id: string, change: 1 | -1): void {
    const before = this.#taken.get(id) ?? 0;
    const count = before + change;
    if (count === 0) this.#taken.delete(id);
    else this.#taken.set(id, count);
    if (Math.max(before, count) >= this.#share) this.#sharing.announce(id);
  }
}
