import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Sharing, toShare } from "./sharing";

const seconds = 60;

/** Counts uses per key and minute, those in other processes included. */
export class RequestLimit {
  readonly #limiter: RateLimiterMemory;
  readonly #sharing: Sharing;
  readonly #share: number;
  /** Uses in this process that the others have not heard of. */
  #untold = new Map<string, number>();
  #untoldSince = 0;

  constructor(perMinute: number, sharing: Sharing) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: seconds });
    this.#sharing = sharing;
    this.#share = toShare(perMinute);
  }

  /** Counts one use. Returns null, or in how many seconds to try again if the limit is reached. */
  async consume(key: string): Promise<number | null> {
    const id = this.#sharing.toId(key);
    try {
      await this.#limiter.consume(id);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    }
    if (this.#sharing.isShared()) this.#remember(id);
    return null;
  }

  /** Returns the uses to tell the other processes, and marks them as told. */
  tell(id: string): number {
    const count = this.#untold.get(id) ?? 0;
    this.#untold.delete(id);
    return count;
  }

  /** Another process has told its uses. */
  async hear(_from: string, id: string, count: number): Promise<void> {
    await this.#limiter.penalty(id, count);
  }

  #remember(id: string): void {
    const now = performance.now();
    if (now - this.#untoldSince > seconds * 1_000) {
      this.#untold.clear();
      this.#untoldSince = now;
    }
    const count = this.#untold.get(id) ?? 0;
    this.#untold.set(id, count + 1);
    if (count + 1 >= this.#share) this.#sharing.announce(id);
  }
}
