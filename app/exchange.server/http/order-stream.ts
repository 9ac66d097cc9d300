import type { Order } from "../../api/contract";

/** Who watches which order, and by which session. */
export type Watcher = { accountId: string; remoteAddress: string | undefined; tokenHash: string; orderId: string };

/**
 * One open event stream: writes the events of its order as server-sent events, and knows whether its client still
 * reads them. `OrderStreamHub` decides when to update, keep alive or end it.
 */
export class OrderStream {
  readonly openedAt = Date.now();
  readonly accountId: string;
  readonly orderId: string;
  readonly tokenHash: string;
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #release: (() => void) | null;
  #sentVersion = "";
  #lastWrite = this.openedAt;
  #stalledSince: number | null = null;
  #mayChangeItself = false;

  /** The whole request, because its signal never aborts once Node.js has garbage-collected the request. */
  readonly #request: Request;

  constructor(watcher: Watcher, request: Request, release: () => void) {
    this.#request = request;
    request.signal.addEventListener("abort", () => this.end(), { once: true });
    this.accountId = watcher.accountId;
    this.orderId = watcher.orderId;
    this.tokenHash = watcher.tokenHash;
    this.#release = release;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.end(),
    });
  }

  get isAborted(): boolean {
    return this.#request.signal.aborted;
  }

  /** Whether its order has changed since the last event. */
  isBehind(orders: Map<string, { updatedAt: Date }>): boolean {
    const order = orders.get(this.orderId);
    return order !== undefined && order.updatedAt.toISOString() !== this.#sentVersion;
  }

  /** For how long the client has not read what was sent. */
  stalledFor(now: number): number {
    if ((this.#controller?.desiredSize ?? 0) > 0) this.#stalledSince = null;
    else this.#stalledSince ??= now;
    return this.#stalledSince === null ? 0 : now - this.#stalledSince;
  }

  /**
   * Whether it has to be updated again without an event: its offer may expire, or the client has not read the last one.
   */
  get mayChangeItself(): boolean {
    return this.#mayChangeItself;
  }

  /** Sends the order if it has changed. A client that is behind gets only the newest. */
  update(status: string | undefined, order: Order | undefined, now: number): void {
    const isNew = order !== undefined && order.updated_at !== this.#sentVersion;
    const isFull = (this.#controller?.desiredSize ?? 0) <= 0;
    this.#mayChangeItself = status === "needs_decision" || (isNew && isFull);
    if (!isNew || isFull) return;
    this.#sentVersion = order.updated_at;
    this.#write(`event: order\ndata: ${JSON.stringify(order)}\nid: ${order.updated_at}\n\n`, now);
  }

  /** Sends a comment line after a while. */
  keepAlive(now: number, heartbeatMs: number): void {
    if (now - this.#lastWrite <= heartbeatMs || (this.#controller?.desiredSize ?? 0) <= 0) return;
    this.#write(": heartbeat\n\n", now);
  }

  /** Closes the stream and releases its place. */
  end(): void {
    const release = this.#release;
    if (!release) return;
    this.#release = null;
    const controller = this.#controller;
    this.#controller = null;
    try {
      controller?.close();
    } catch {
      // The client has cancelled it already.
    }
    release();
  }

  #write(text: string, now: number): void {
    this.#lastWrite = now;
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }
}
