import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Sharing, toReportThreshold } from "./sharing";

const seconds = 60;

/** Counts uses per key and minute, including those in other processes. */
export class RequestLimit {
  readonly #limiter: RateLimiterMemory;
  readonly #sharing: Sharing;
  readonly #threshold: number;
  /** Uses in this process that have not been reported to the others. */
  #unreported = new Map<string, number>();
  #unreportedSince = 0;

  constructor(perMinute: number, sharing: Sharing) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: seconds });
    this.#sharing = sharing;
    this.#threshold = toReportThreshold(perMinute);
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

  /** Returns the uses to report to the other processes, and resets them. */
  takeCount(id: string): number {
    const count = this.#unreported.get(id) ?? 0;
    this.#unreported.delete(id);
    return count;
  }

  /** Adds the uses that another process has reported. */
  async addRemoteCount(_from: string, id: string, count: number): Promise<void> {
    await this.#limiter.penalty(id, count);
  }

  #remember(id: string): void {
    const now = performance.now();
    if (now - this.#unreportedSince > seconds * 1_000) {
      this.#unreported.clear();
      this.#unreportedSince = now;
    }
    const count = this.#unreported.get(id) ?? 0;
    this.#unreported.set(id, count + 1);
    if (count + 1 >= this.#threshold) this.#sharing.announce(id);
  }
}
