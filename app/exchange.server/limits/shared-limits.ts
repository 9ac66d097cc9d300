import { randomBytes } from "node:crypto";
import { z } from "zod";
import { authenticate, deriveKey } from "../secrets";
import { ConcurrencyLimit } from "./concurrency-limit";
import { RequestLimit } from "./request-limit";
import { type Sharing, validMs } from "./sharing";

/** The shortest time between two notifications of a process. */
const gapMs = 250;
/** How often a process announces that it is still running, and reports the slots that are still taken. */
const renewMs = 10_000;
/** A PostgreSQL notification must be shorter than 8,000 bytes. An entry takes about 20. */
const maxEntries = 300;

/**
 * What processes send each other. `counts` are by limit and hashed key: uses since the last notification, or slots taken
 * now.
 */
const messageSchema = z.object({
  from: z.string(),
  kind: z.enum(["hello", "here", "counts", "bye"]),
  counts: z.record(z.record(z.number().int().nonnegative())).optional(),
});
type Message = z.infer<typeof messageSchema>;

/**
 * The limits that processes on one PostgreSQL share. Requests do not wait for the database: each process counts in
 * memory. Once a visitor or account has used a twentieth of a limit, the process notifies the others, at most four
 * times a second. If a process is the only one, it only checks whether there are others: at its start, and when it no
 * longer receives anything from another process.
 *
 * With each additional process, a visitor gets at most another twentieth of a limit (for a small limit, one use), and
 * what that process lets through in a quarter of a second.
 */
export class SharedLimits {
  readonly #id = randomBytes(6).toString("base64url");
  readonly #key: Buffer;
  readonly #limits = new Map<string, RequestLimit | ConcurrencyLimit>();
  /** The other processes, each with the time of its last notification. */
  readonly #others = new Map<string, number>();
  readonly #due = new Map<string, Set<string>>();
  #send: ((text: string) => void) | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;

  constructor(secret: string) {
    this.#key = deriveKey(secret, "shared-limits");
  }

  /** A limit of uses per minute. Every process gives it the same name. */
  perMinute(name: string, uses: number): RequestLimit {
    const limit = new RequestLimit(uses, this.#share(name));
    this.#limits.set(name, limit);
    return limit;
  }

  /** A limit on slots that are taken and given back. Every process gives it the same name. */
  slots(name: string, max: number): ConcurrencyLimit {
    const limit = new ConcurrencyLimit(max, this.#share(name));
    this.#limits.set(name, limit);
    return limit;
  }

  /** Starts sharing. `send` sends a notification to all processes. Call `join` once this process receives theirs. */
  connect(send: (text: string) => void): void {
    this.#send = send;
    clearInterval(this.#renewal);
    this.#renewal = setInterval(() => this.#renew(), renewMs).unref();
  }

  /** Asks the other processes to announce themselves. */
  join(): void {
    this.#broadcast({ kind: "hello" });
  }

  /** Handles a notification, even one of this process. Ignores what it cannot read, which a newer version may send. */
  async receive(text: string): Promise<void> {
    const message = parse(text);
    if (message === null || message.from === this.#id || this.#send === null) return;
    const { from, kind, counts = {} } = message;
    if (kind === "bye") {
      this.#others.delete(from);
      this.#dropRemote(from);
      return;
    }
    this.#others.set(from, performance.now());
    if (kind === "hello") this.#renew();
    for (const [name, byId] of Object.entries(counts)) {
      for (const [id, count] of Object.entries(byId)) await this.#limits.get(name)?.addRemoteCount(from, id, count);
    }
  }

  /** Stops sharing. The other processes drop the counts of this one. */
  disconnect(): void {
    if (this.#others.size > 0) this.#broadcast({ kind: "bye" });
    clearTimeout(this.#timer);
    clearInterval(this.#renewal);
    this.#timer = undefined;
    this.#send = null;
    this.#others.clear();
    this.#due.clear();
  }

  #share(name: string): Sharing {
    return {
      toId: (key) => authenticate(this.#key, key).toString("base64url", 0, 8),
      isShared: () => this.#others.size > 0,
      announce: (id) => {
        if (this.#others.size === 0) return;
        const ids = this.#due.get(name) ?? new Set();
        this.#due.set(name, ids.add(id));
        this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#sentAt + gapMs - performance.now())).unref();
      },
    };
  }

  /** Sends what is due, as much as fits into a notification. */
  #flush(): void {
    this.#timer = undefined;
    this.#sentAt = performance.now();
    const counts: Record<string, Record<string, number>> = {};
    let room = maxEntries;
    for (const [name, ids] of this.#due) {
      const limit = this.#limits.get(name);
      const taken = [...ids].slice(0, room);
      room -= taken.length;
      for (const id of taken) ids.delete(id);
      if (ids.size === 0) this.#due.delete(name);
      counts[name] = Object.fromEntries(taken.map((id) => [id, limit?.takeCount(id) ?? 0]));
      if (room === 0) break;
    }
    this.#broadcast({ kind: "counts", counts });
    if (this.#due.size > 0) this.#timer = setTimeout(() => this.#flush(), gapMs).unref();
  }

  #broadcast(message: Omit<Message, "from">): void {
    this.#send?.(JSON.stringify({ from: this.#id, ...message }));
  }

  /** Announces that this process is running, and reports its slots again. */
  #renew(): void {
    this.#dropSilent();
    this.#dropRemote(null);
    for (const limit of this.#limits.values()) if (limit instanceof ConcurrencyLimit) limit.renew();
  }

  /** Drops processes that were killed. A process that was only slow responds when it is asked. */
  #dropSilent(): void {
    const wasShared = this.#others.size > 0;
    const now = performance.now();
    for (const [id, heardAt] of this.#others) if (now - heardAt >= validMs) this.#others.delete(id);
    if (wasShared) this.#broadcast({ kind: this.#others.size > 0 ? "here" : "hello" });
  }

  #dropRemote(stopped: string | null): void {
    for (const limit of this.#limits.values()) if (limit instanceof ConcurrencyLimit) limit.dropRemote(stopped);
  }
}

function parse(text: string): Message | null {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
